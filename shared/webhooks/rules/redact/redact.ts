import { needlesOf } from './needles.ts'
import { alike, type EncodedReading, LONGEST_CODE, readingsOf } from './readings.ts'

type Headers = Readonly<Record<string, string>>

/** Characters. Shorter secrets occur in any text by chance, and their removal would leave nothing of it. */
const SHORTEST = 4
const REMOVED = '[removed]'

/** A header's value and each of its words, such as the token of `Bearer …`. */
const secretsOf = (value: string): readonly string[] => [value, ...value.split(' ')].filter((text) => text !== '')

interface Span {
  readonly from: number
  readonly to: number
}

/** Appends a span to spans that begin before it. Overlapping spans are merged. */
const append = (spans: Span[], span: Span): void => {
  const last = spans.at(-1)
  if (last && span.from < last.to) spans[spans.length - 1] = { from: last.from, to: Math.max(last.to, span.to) }
  else spans.push(span)
}

/** Where the text holds secrets, in any known encoding: in order, overlapping ones merged. */
const spansOf = (readings: readonly EncodedReading[], secrets: readonly string[], { length }: string): Span[] => {
  const needles = needlesOf(secrets)
  /** For each start, the end of the longest secret there; 0: none. */
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

/** Normalizes header names: a text with `HTTP_X_PIN` then contains the name `x-pin`. */
const named = (text: string): string => text.toLowerCase().replaceAll('_', '-')

const heldIn = (texts: readonly string[], sought: readonly string[]): ReadonlySet<string> => {
  const needles = needlesOf([...new Set(sought)])
  return new Set(texts.flatMap((text) => [...needles.within(text)]))
}

/** The first header that the text names, and of whose value it holds a part too short to search alone. */
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
  const echoed = suspects.filter(({ short }) => short.some((secret) => held.has(secret)))
  if (echoed.length === 0) return undefined
  const names = heldIn(
    texts.map(named),
    echoed.map(({ name }) => named(name)),
  )
  return echoed.find(({ name }) => names.has(named(name)))?.name
}

const longestOf = (headers: Headers): number => Math.max(0, ...Object.values(headers).map(({ length }) => length))

/** Characters at the end of a cut text that may be the beginning of a header's value. */
export const unsureEnd = (headers: Headers): number => longestOf(headers) * LONGEST_CODE

/**
 * Removes header values from an answer, in whichever encoding it repeats them. Destinations echo what they get, and many people read the
 * delivery log.
 * A value too short to search counts only where the header's name occurs too. Then the whole answer is removed.
 * `isWhole`: whether the answer is complete. The end of a cut one is left out, because a value may begin there.
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
