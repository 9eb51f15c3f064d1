import type { ZipPlace } from './source-zips.ts'

/** A range ends before the next one begins. Null: no ZIP is known there. */
export interface ZipRange {
  readonly first: number
  readonly place: ZipPlace | null
}

const isSame = (one: ZipPlace | null, other: ZipPlace | null): boolean => one?.state === other?.state && one?.zone === other?.zone

const isAdjacentPrefix = (one: number, other: number): boolean => Math.floor(other / 100) - Math.floor(one / 100) <= 1

/**
 * Unknown ZIPs between two ZIPs of the same place belong to that place, unless they include a whole three-digit prefix. A prefix belongs to
 * one mail processing centre, and new ZIPs are cut out of old ones. Checked with about a thousand ZIPs that were in use at other times:
 * none gets a wrong state.
 */
const bridges = (one: { zip: number; place: ZipPlace }, other: { zip: number; place: ZipPlace }): boolean =>
  isSame(one.place, other.place) && isAdjacentPrefix(one.zip, other.zip)

/** @param places in ascending order of ZIPs */
export const zipRanges = (places: ReadonlyMap<string, ZipPlace>): readonly ZipRange[] => {
  const known = [...places].map(([zip, place]) => ({ zip: Number(zip), place }))
  const ranges: ZipRange[] = []
  for (const [index, current] of known.entries()) {
    const previous = known[index - 1]
    if (previous && bridges(previous, current)) continue
    if (previous && current.zip !== previous.zip + 1) ranges.push({ first: previous.zip + 1, place: null })
    ranges.push({ first: current.zip, place: current.place })
  }
  const last = known.at(-1)
  return last ? [...ranges, { first: last.zip + 1, place: null }] : ranges
}
