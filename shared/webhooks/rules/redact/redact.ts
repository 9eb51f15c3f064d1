import { needlesOf } from './needles.ts'
import { alike, type EncodedReading, LONGEST_CODE, readingsOf } from './readings.ts'

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

/** Where the text holds secrets, in any encoding that is known: in order, overlapping ones merged. */
const spansOf = (readings: readonly EncodedReading[], secrets: readonly string[], { length }: string): Span[] => {
  const needles = needlesOf(secrets)
  /** Where the longest one ends that begins at a place; 0: none does. */
  const ends = new Int32Array(length)
  for (const { text, starts } of readings) {
    needles.eachIn(text, (from, to) => {
      const start = starts[from] ?? 0
      ends[start] = Math.max(ends[start] ?? 0, starts[to] ?? 0)
    })
  }
  const spans: Span[] = []
  for (const [from, to] of ends.entries()) if (to > 0) append(spans, { from, to })
  return spans
}

/** As programs call it: `HTTP_X_PIN`. */
const named = (text: string): string => text.toLowerCase().replaceAll('_', '-')

const heldIn = (texts: readonly string[], sought: readonly string[]): ReadonlySet<string> => {
  const needles = needlesOf([...new Set(sought)])
  return new Set(texts.flatMap((text) => [...needles.within(text)]))
}

/** The first header that the text names, and of which it holds something that is too short to be found. */
const namedWithItsValue = (readings: readonly EncodedReading[], headers: Headers): string | undefined => {
  const suspects = Object.entries(headers).map(([name, value]) => ({
    name,
    short: secretsOf(value).flatMap((secret) => (secret.length < SHORTEST ? alike(secret) : [])),
  }))
  const texts = readings.map(({ text }) => text)
  const held = heldIn(
    texts,
    suspects.flatMap(({ short }) => short),
  )
  const told = suspects.filter(({ short }) => short.some((secret) => held.has(secret)))
  if (told.length === 0) return undefined
  const names = heldIn(
    texts.map(named),
    told.map(({ name }) => named(name)),
  )
  return told.find(({ name }) => names.has(named(name)))?.name
}

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
  let [rest, at] = ['', 0]
  for (const { from, to } of spansOf(readings, secrets, text).filter((span) => span.from < end)) {
    rest += text.slice(at, from) + REMOVED
    at = to
  }
  return rest + text.slice(at, Math.max(at, end))
}
