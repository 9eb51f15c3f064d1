/** A text as one may read it, and where each of its characters begins in the text as it came; the last entry is that one's end. */
export interface EncodedReading {
  readonly text: string
  readonly starts: readonly number[]
}

const asItCame = (text: string): EncodedReading => ({ text, starts: Array.from({ length: text.length + 1 }, (_, place) => place) })

interface Code {
  readonly pattern: RegExp
  /** The one character that it stands for. */
  readonly meaning: (code: string) => string
}

const ofHex = (digits: string): string => String.fromCharCode(Number.parseInt(digits, 16))

const ENTITIES: Readonly<Record<string, string>> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&apos;': "'" }

/** How JSON, URLs and HTML write characters. Of other bytes than ASCII only that they are such ones: in which alphabet, who knows. */
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

/** A `+` may stand for a space, and what is not ASCII for any number of bytes that are not. */
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

/** How often what is written in one way is written in another again. */
const DEPTH = 2

/** The longest that one character becomes when it is written in two ways. */
export const LONGEST_CODE = 12

/** What a text may say, however it writes it; `alike` makes comparable what differs only by the way in which it is read. */
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

/** A text to be looked for in readings. */
export const alike = (text: string): string => text.replace(ALIKE.pattern, ALIKE.meaning)
