import type { ZipPlace } from './source-zips.ts'
import { zipRanges } from './zip-ranges.ts'

/** How a range of ZIPs and its place are one number: the first ZIP times this, and the place's index. */
const FACTOR = 1000

export interface PackedZips {
  /** The first says that there is none. */
  readonly places: readonly (readonly [state: string, zone: string])[]
  readonly ranges: readonly number[]
}

const nameOf = (place: ZipPlace | null): string => `${place?.state ?? ''} ${place?.zone ?? ''}`

/** @throws Error when there are more places than fit */
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
