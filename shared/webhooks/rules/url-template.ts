import { PLACEHOLDER } from '../../http/fields/url.ts'
import { follow } from './filter/follow.ts'

/** A destination with its placeholders filled in, or why there is none. */
export type ResolvedUrl = { readonly url: string } | { readonly error: string }

const textOf = (value: unknown): string => {
  if (value === null || value === undefined) return ''
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** Characters. Servers accept about this much in a request line. */
export const LONGEST = 8 * 1024

const TOO_LONG = { error: `With its placeholders filled in, the URL has more than ${LONGEST} characters.` }

/** Scheme, host and port as the template spells them; undefined when it is not an absolute URL. */
const originOf = (template: string): string | undefined => /^[^/?#\\]+:\/\/[^/?#\\]+/.exec(template)?.[0]

const parse = (text: string): URL | undefined => (URL.canParse(text) ? new URL(text) : undefined)

const fill = (template: string, value: (path: string) => string): string =>
  template.replace(PLACEHOLDER, (_, path: string) => encodeURIComponent(value(path).toWellFormed()))

const segmentsOf = (url: string): readonly string[] => (/^[^?#]*/.exec(url)?.[0] ?? '').split(/[/\\]/)

/** URL parsers treat encoded dots as dots. */
const isDots = (segment: string): boolean => /^(\.|%2e){1,2}$/i.test(segment)

/** Whether a placeholder made a path segment `.` or `..`, which would drop the segment before it. Encoding does not prevent this. */
const climbs = (template: string, filled: string): boolean => {
  const before = segmentsOf(fill(template, () => 'x'))
  return segmentsOf(filled).some((segment, place) => isDots(segment) && !isDots(before[place] ?? ''))
}

/**
 * Fills `{{a.b}}` from the payload, percent-encoded. Missing values become the empty string.
 * Lead data comes from third parties and must not choose the receiver. Scheme, host and port must be literal and stay as they are. No value
 * may move up the path.
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
  // Fragments are never sent to a server.
  url.hash = ''
  if (url.href.length > LONGEST) return TOO_LONG
  return { url: url.href }
}
