/** A decoded form of a text. `starts` maps each character to its position in the original text; the last entry is the original's end. */
export interface EncodedReading {
  readonly text: string
  readonly starts: readonly number[]
}

const asItCame = (text: string): EncodedReading => ({ text, starts: Array.from({ length: text.length + 1 }, (_, place) => place) })

interface Code {
  readonly pattern: RegExp
  /** The character that the code stands for. */
  readonly meaning: (code: string) => string
}

const ofHex = (digits: string): string => String.fromCharCode(Number.parseInt(digits, 16))

const ENTITIES: Readonly<Record<string, string>> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&apos;': "'" }

/** How JSON, URLs and HTML encode characters. Bytes outside ASCII are only marked as such, because their charset is unknown. */
const CODES: readonly Code[] = [
  {
    pattern: /\\(?:u[\da-f]{4}|x[\da-f]{2}|[^ux])/gi,
    meaning: (code) => (code.length > 2 ? ofHex(code.slice(2)) : code.slice(1)),
  },
  { pattern: /%[\da-f]{2}/gi, meaning: (code) => ofHex(code.slice(1)) },
  {
    pattern: /&(?:#x[\da-f]{1,4}|#\d{1,5}|amp|lt|gt|quot|apos);/gi,
    meaning: (code) => {
      const [, hex, decimal] = /^&#(?:x([\da-f]+)|(\d+));$/i.exec(code) ?? []
      return ENTITIES[code.toLowerCase()] ?? (hex === undefined ? String.fromCharCode(Number(decimal)) : ofHex(hex))
    },
  },
]

/** A `+` may encode a space, and a run of non-ASCII characters may have been any number of bytes. */
const ALIKE: Code = { pattern: /\+|[\u0080-\uffff]+/g, meaning: (code) => (code === '+' ? ' ' : '\u0080') }

const decoded = ({ text, starts }: EncodedReading, { pattern, meaning }: Code): EncodedReading => {
  const parts: string[] = []
  const places: number[] = []
  let at = 0
  for (const { 0: code, index } of text.matchAll(pattern)) {
    parts.push(text.slice(at, index), meaning(code))
    for (; at <= index; at++) places.push(starts[at] ?? 0)
    at = index + code.length
  }
  parts.push(text.slice(at))
  return { text: parts.join(''), starts: [...places, ...starts.slice(at)] }
}

/** Levels of nested encodings that are decoded. */
const DEPTH = 2

/** Most characters that encode one character after two levels of encoding. */
export const LONGEST_CODE = 12

/** All decoded forms of a text, made comparable by `ALIKE`. */
export const readingsOf = (text: string): readonly EncodedReading[] => {
  let latest = [asItCame(text)]
  const all = [...latest]
  for (let depth = 0; depth < DEPTH; depth++) {
    latest = latest.flatMap((reading) =>
      CODES.filter(({ pattern }) => reading.text.search(pattern) >= 0).map((code) => decoded(reading, code)),
    )
    all.push(...latest)
  }
  return all.map((reading) => decoded(reading, ALIKE))
}

/** A text in the form in which it is searched in readings. */
export const alike = (text: string): string => text.replace(ALIKE.pattern, ALIKE.meaning)
