import { ZIP_PLACES, ZIP_RANGES } from '../../data/zip-areas.ts'
import { type PlaceReading, plainText, quote } from './reading.ts'

/** A ZIP that is in use, and where. */
export interface Zip {
  /** Five digits. */
  readonly zip: string
  /** Null in the freely associated states, which have ZIPs too. */
  readonly state: string | null
  /** Empty for military mail, from which no local time follows. */
  readonly zones: readonly string[]
}

const RANGE_FACTOR = 1000

/** Index of the last range that begins at a ZIP or before it; -1 when none does. */
const rangeAt = (zip: number): number => {
  let [low, high] = [0, ZIP_RANGES.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((ZIP_RANGES[middle] ?? 0) < (zip + 1) * RANGE_FACTOR) low = middle + 1
    else high = middle
  }
  return low - 1
}

const PLACES = ZIP_PLACES.map(([state, zone]) =>
  state === '' && zone === '' ? undefined : { state: state === '' ? null : state, zones: zone === '' ? [] : [zone] },
)

/** @param zip five digits. @returns undefined when no such ZIP is in use */
export const findZip = (zip: string): Zip | undefined => {
  const place = PLACES[(ZIP_RANGES[rangeAt(Number(zip))] ?? 0) % RANGE_FACTOR]
  return place && { zip, ...place }
}

/**
 * Five digits; fewer when a spreadsheet or a number dropped the leading zeros. The four digits of ZIP+4 may follow. Without a separator,
 * eight or nine digits are both together.
 */
const SPELLINGS = /^(?:(\d{3,5})(?: ?[-‐‑‒–—−] ?\d{4}| \d{4}| ?-)?|(\d{4,5})\d{4})(?:\.0+)?$/

const CANADIAN = /^[A-Z]\d[A-Z] ?-?\d[A-Z]\d$/i

export const readZip = (said: unknown): PlaceReading<Zip> => {
  const text = plainText(said)
  if (text === '') return {}
  if (text === undefined) return { remark: `${quote(said)} is not a ZIP code.` }
  if (CANADIAN.test(text)) return { remark: `${quote(said)} is a Canadian postal code, not a ZIP code. Canadian leads are not located.` }
  const [, alone, joined] = SPELLINGS.exec(text) ?? []
  const digits = alone ?? joined
  if (digits === undefined) return { remark: `${quote(said)} is not a ZIP code.` }
  const zip = findZip(digits.padStart(5, '0'))
  return zip ? { value: zip } : { remark: `${quote(said)} is not a ZIP code in use.` }
}
