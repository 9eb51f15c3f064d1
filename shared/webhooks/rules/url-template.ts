import { PLACEHOLDER } from '../../http/fields/url.ts'
import { follow } from './filter/follow.ts'

/** A destination with its placeholders filled in, or why there is none. */
export type ResolvedUrl = { readonly url: string } | { readonly error: string }

const textOf = (value: unknown): string => {
  if (value === null || value === undefined) return ''
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** What servers read of a request's first line. */
export const LONGEST = 8 * 1024

const TOO_LONG = { error: `With its placeholders filled in, the URL has more than ${LONGEST} characters.` }

/** Scheme, host and port as the template spells them; undefined when it is no absolute URL. */
const originOf = (template: string): string | undefined => /^[^/?#\\]+:\/\/[^/?#\\]+/.exec(template)?.[0]

const parse = (text: string): URL | undefined => (URL.canParse(text) ? new URL(text) : undefined)

const fill = (template: string, value: (path: string) => string): string =>
  template.replace(PLACEHOLDER, (_, path: string) => encodeURIComponent(value(path).toWellFormed()))

const segmentsOf = (url: string): readonly string[] => (/^[^?#]*/.exec(url)?.[0] ?? '').split(/[/\\]/)

/** As a URL's reader takes it: encoded dots are dots. */
const isDots = (segment: string): boolean => /^(\.|%2e){1,2}$/i.test(segment)

/** Whether a segment of the path became `.` or `..`, which would leave out what stands before it; encoding does not help. */
const climbs = (template: string, filled: string): boolean => {
  const before = segmentsOf(fill(template, () => 'x'))
  return segmentsOf(filled).some((segment, place) => isDots(segment) && !isDots(before[place] ?? ''))
}

/**
 * Fills `{{a.b}}` from the payload, percent-encoded; what the payload lacks becomes the empty string. Lead data comes from
 * third parties and must not choose who receives it: scheme, host and port have to be literal, and those that the request
 * goes to, and no value moves it up the path.
 */
export const resolveUrl = (template: string, payload: unknown): ResolvedUrl => {
  const origin = originOf(template)
  if (!origin || origin.includes('{{')) return { error: 'The scheme, host and port of the URL must not depend on a placeholder.' }
  const valueAt = (path: string): string => textOf(follow(path.split('.'))(payload))
  // Checked before encoding: a placeholder may name all of the metadata, and the URL may repeat it.
  if (Array.from(template.matchAll(PLACEHOLDER), ([, path = '']) => valueAt(path)).some(({ length }) => length > LONGEST)) return TOO_LONG
  const filled = fill(template, valueAt)
  const url = parse(filled)
  if (!url) return { error: 'With its placeholders filled in, the URL is not valid.' }
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return { error: 'The URL must be of the scheme http or https.' }
  if (url.origin !== parse(origin)?.origin) return { error: 'A placeholder changed the host of the URL.' }
  if (climbs(template, filled)) return { error: 'A placeholder became "." or "..", which would change the path of the URL.' }
  // A fragment is nobody's but the sender's.
  url.hash = ''
  if (url.href.length > LONGEST) return TOO_LONG
  return { url: url.href }
}
