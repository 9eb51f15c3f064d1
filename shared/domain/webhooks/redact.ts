import { alike, LONGEST_CODE, type Reading, readingsOf } from './readings.ts'

type Headers = Readonly<Record<string, string>>

/** Shorter ones stand in any text by chance, and would leave nothing of it. */
const SHORTEST = 4
const REMOVED = '[removed]'

/** A header's value, and the words of which it consists: the token of `Bearer …`. */
const secretsOf = (value: string): readonly string[] => [value, ...value.split(' ')].filter((text) => text !== '')

interface Span {
  readonly from: number
  readonly to: number
}

/** Puts a span behind others that begin before it: those that overlap are one. */
const append = (spans: Span[], span: Span): void => {
  const last = spans.at(-1)
  if (last && span.from < last.to) spans[spans.length - 1] = { from: last.from, to: Math.max(last.to, span.to) }
  else spans.push(span)
}

const spansOf = ({ text, starts }: Reading, secret: string): Span[] => {
  const spans: Span[] = []
  for (let at = text.indexOf(secret); at >= 0; at = text.indexOf(secret, at + 1)) {
    append(spans, { from: starts[at] ?? 0, to: starts[at + secret.length] ?? 0 })
  }
  return spans
}

const joined = (spans: readonly Span[]): Span[] => {
  const result: Span[] = []
  for (const span of spans.toSorted((a, b) => a.from - b.from)) append(result, span)
  return result
}

/** As programs call it: `HTTP_X_PIN`. */
const named = (text: string): string => text.toLowerCase().replaceAll('_', '-')

/** The first header that the text names, and of which it holds something that is too short to be found. */
const namedWithItsValue = (readings: readonly Reading[], headers: Headers): string | undefined =>
  Object.keys(headers).find((name) => {
    const short = secretsOf(headers[name] ?? '').filter((secret) => secret.length < SHORTEST)
    const holds = (secret: string): boolean => readings.some(({ text }) => text.includes(alike(secret)))
    return short.some(holds) && readings.some(({ text }) => named(text).includes(named(name)))
  })

const longestOf = (headers: Headers): number => Math.max(0, ...Object.values(headers).map(({ length }) => length))

/** Characters at the end of a text that was cut which may be the beginning of a header's value. */
export const unsureEnd = (headers: Headers): number => longestOf(headers) * LONGEST_CODE

/**
 * An answer without the values of headers that it repeats, in whichever way it writes them: destinations echo what they get, and the log
 * of deliveries is read by many. What is too short to be looked for counts where the header is named as well: then nothing is left of
 * the answer. `isWhole`: no; then its end is left out, which may be the beginning of a value.
 */
export const redact = (text: string, headers: Headers, isWhole: boolean): string => {
  const readings = readingsOf(text)
  const echoed = namedWithItsValue(readings, headers)
  if (echoed !== undefined) return `[removed: the answer repeats the header ${echoed}]`
  const long = Object.values(headers)
    .flatMap(secretsOf)
    .filter(({ length }) => length >= SHORTEST)
  const secrets = [...new Set(long.map(alike))]
  const end = isWhole ? text.length : Math.max(0, text.length - unsureEnd(headers))
  const spans = joined(readings.flatMap((reading) => secrets.flatMap((secret) => spansOf(reading, secret))))
  let [rest, at] = ['', 0]
  for (const { from, to } of spans.filter((span) => span.from < end)) {
    rest += text.slice(at, from) + REMOVED
    at = to
  }
  return rest + text.slice(at, Math.max(at, end))
}
