import type { ZipPlace } from './source-zips.ts'

/** From `first` to the next range's first ZIP; no place where no ZIP is known. */
export interface ZipRange {
  readonly first: number
  readonly place: ZipPlace | null
}

const isSame = (one: ZipPlace | null, other: ZipPlace | null): boolean => one?.state === other?.state && one?.zone === other?.zone

const isAdjacentPrefix = (one: number, other: number): boolean => Math.floor(other / 100) - Math.floor(one / 100) <= 1

/**
 * A ZIP that is not known lies where both of its neighbours do, when these agree and no prefix of three digits without any ZIP
 * is between them: a prefix belongs to one processing centre of the mail, and new ZIPs are cut out of old ones. Of some thousand
 * ZIPs that were in use at other times, none is put into a wrong state by it.
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
