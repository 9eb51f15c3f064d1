import { keyPatternOf } from '#lib/reference/hot-keys/key-patterns.ts'
import type { UnitCounter } from '../limits/limited-table.ts'

/** Units by kind, by pattern of the partition key. */
export type KeyUnits = Readonly<Record<string, { readonly read: number; readonly write: number }>>

interface Sum {
  read: number
  write: number
  readonly partitions: Set<string>
}

const STEPS = 10
/** Rounded down, so that a single read of settings among many operations disappears. */
const rounded = (units: number): number => Math.floor(units * STEPS + Number.EPSILON * STEPS) / STEPS

/** Counts units by pattern of the partition key. Nothing is ever exhausted. */
export const newUnitCounter = () => {
  const sums = new Map<string, Sum>()
  const counter: UnitCounter = {
    exhausted: () => undefined,
    isClose: () => false,
    add: (kind, loads) => {
      for (const { partition, units } of loads) {
        const pattern = keyPatternOf(partition)
        if (!pattern) throw new Error(`No pattern of the reference of hot keys fits a partition key: ${partition}`)
        const sum = sums.get(pattern.name) ?? { read: 0, write: 0, partitions: new Set() }
        sum[kind] += units
        if (pattern.isCountedByKey) sum.partitions.add(partition)
        sums.set(pattern.name, sum)
      }
    },
  }
  /** The units of a run that does something `count` times. Keys of leads count by lead: a fill reads many leads, but each of them once. */
  const counted = async (count: number, run: () => Promise<unknown>): Promise<KeyUnits> => {
    sums.clear()
    await run()
    const each = [...sums].map(([name, { read, write, partitions }]) => {
      const times = partitions.size || count
      return [name, { read: rounded(read / times), write: rounded(write / times) }] as const
    })
    return Object.fromEntries(each.filter(([, { read, write }]) => read > 0 || write > 0).toSorted())
  }
  /** The units of something that is made alone. The first time pays for the settings. */
  const countedAlone = async (run: () => Promise<unknown>): Promise<KeyUnits> => {
    await run()
    return counted(1, run)
  }
  return { counter, counted, countedAlone }
}
