import type { ZipPlace } from './source-zips.ts'
import { zipRanges } from './zip-ranges.ts'

/** A range of ZIPs and its place are packed into one number: the first ZIP times this, plus the place's index. */
const FACTOR = 1000

export interface PackedZips {
  /** The first place means that there is none. */
  readonly places: readonly (readonly [state: string, zone: string])[]
  readonly ranges: readonly number[]
}

const nameOf = (place: ZipPlace | null): string => `${place?.state ?? ''} ${place?.zone ?? ''}`

/** @throws Error when there are too many places */
export const packZips = (zips: ReadonlyMap<string, ZipPlace>): PackedZips => {
  const ranges = zipRanges(zips)
  const names = [...new Set(ranges.map(({ place }) => nameOf(place)))].toSorted()
  if (names.length > FACTOR) throw new Error(`There are ${names.length} places; ${FACTOR} would fit.`)
  return {
    places: names.map((name) => {
      const [state = '', zone = ''] = name.split(' ')
      return [state, zone]
    }),
    ranges: ranges.map(({ first, place }) => first * FACTOR + names.indexOf(nameOf(place))),
  }
}
