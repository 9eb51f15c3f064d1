import { SECOND } from '#shared/platform/values/durations.ts'
import type { Load, PartitionKey } from './table-request.ts'

export type Kind = 'read' | 'write'

/** Units that DynamoDB gives one partition in a second. */
const PARTITION_LIMIT: Readonly<Record<Kind, number>> = { read: 3000, write: 1000 }

/** Units that a new table gives in a second, until it has had more load. */
const COLD_TABLE: Readonly<Record<Kind, number>> = { read: 12_000, write: 4_000 }
/** A table takes at once the double of its highest load in this time. */
const REMEMBERED = 30 * 60 * SECOND

/** The load of one partition in its busiest second. */
export interface Peak {
  readonly partition: PartitionKey
  readonly kind: Kind
  readonly units: number
  /** As a share of the partition's limit. */
  readonly share: number
  /** The begin of the second. Epoch milliseconds. */
  readonly at: number
}

/** Peaks below this share of the limit are not kept: a run has millions of partitions. */
const LEAST_SHARE = 0.01

/** Units of a request that are assumed until they are counted. Hardly any request here takes as many of one partition. */
const MOST_UNITS = 10

const beginOf = (at: number): number => Math.floor(at / SECOND) * SECOND

interface Second {
  begin: number
  total: number
  readonly units: Map<PartitionKey, number>
}

export interface KeyLoads {
  /** The partition that cannot take more in this second, or `the table`; undefined when all can. */
  exhausted(kind: Kind, partitions: readonly PartitionKey[], at: number): string | undefined
  /**
   * Whether requests that are not yet counted could exhaust a partition, or belong to a second that is over.
   * @param open how many requests for a partition are not yet counted
   */
  isClose(kind: Kind, partitions: readonly PartitionKey[], at: number, open: (partition: PartitionKey) => number): boolean
  add(kind: Kind, loads: readonly Load[], at: number): void
  /** Forgets the load so far. */
  forget(): void
  /** The busiest partitions, the busiest first. */
  peaks(): readonly Peak[]
  /** Requests that were throttled, by partition. */
  readonly throttled: ReadonlyMap<string, number>
  /** All units so far. */
  readonly units: Readonly<Record<Kind, number>>
}

export interface TableLimits {
  /** The table is new: its total is limited too. */
  readonly isCold: boolean
  /** Units that one partition gives in a second. Default: those of DynamoDB. */
  readonly partition?: Partial<Readonly<Record<Kind, number>>>
  /** Units that the whole table gives in a second. Default: no limit. */
  readonly most?: Partial<Readonly<Record<Kind, number>>>
}

/** Counts the units of each partition in each second. */
export const newKeyLoads = ({ isCold, partition: planted = {}, most = {} }: TableLimits): KeyLoads => {
  const limit = { ...PARTITION_LIMIT, ...planted }
  const seconds: Record<Kind, Second> = {
    read: { begin: 0, total: 0, units: new Map() },
    write: { begin: 0, total: 0, units: new Map() },
  }
  const peaks: Record<Kind, Map<PartitionKey, Peak>> = { read: new Map(), write: new Map() }
  const highest: Record<Kind, { readonly at: number; readonly units: number }[]> = { read: [], write: [] }
  const throttled = new Map<string, number>()
  const sums = { read: 0, write: 0 }

  const close = (kind: Kind): void => {
    const { begin, total, units } = seconds[kind]
    for (const [partition, sum] of units) {
      const share = sum / limit[kind]
      if (share < LEAST_SHARE || (peaks[kind].get(partition)?.units ?? 0) >= sum) continue
      peaks[kind].set(partition, { partition, kind, units: sum, share, at: begin })
    }
    units.clear()
    const kept = highest[kind].filter((one) => one.at > begin - REMEMBERED && one.units > total)
    highest[kind] = [...kept, { at: begin, units: total }]
  }
  const secondAt = (kind: Kind, at: number): Second => {
    const begin = beginOf(at)
    if (seconds[kind].begin !== begin) {
      close(kind)
      Object.assign(seconds[kind], { begin, total: 0 })
    }
    return seconds[kind]
  }
  const tableLimit = (kind: Kind): number =>
    Math.min(
      most[kind] ?? Number.POSITIVE_INFINITY,
      isCold ? Math.max(COLD_TABLE[kind], 2 * (highest[kind][0]?.units ?? 0)) : Number.POSITIVE_INFINITY,
    )

  return {
    throttled,
    units: sums,
    exhausted: (kind, partitions, at) => {
      const { total, units } = secondAt(kind, at)
      const full = partitions.find((partition) => (units.get(partition) ?? 0) >= limit[kind])
      const first = full ?? (total >= tableLimit(kind) ? 'the table' : undefined)
      if (first !== undefined) throttled.set(first, (throttled.get(first) ?? 0) + 1)
      return first
    },
    isClose: (kind, partitions, at, open) =>
      seconds[kind].begin !== beginOf(at) ||
      tableLimit(kind) < Number.POSITIVE_INFINITY ||
      partitions.some((partition) => (seconds[kind].units.get(partition) ?? 0) + MOST_UNITS * open(partition) >= limit[kind]),
    add: (kind, loads, at) => {
      const second = secondAt(kind, at)
      for (const { partition, units } of loads) {
        sums[kind] += units
        second.total += units
        second.units.set(partition, (second.units.get(partition) ?? 0) + units)
      }
    },
    forget: () => {
      throttled.clear()
      for (const kind of ['read', 'write'] as const) {
        seconds[kind] = { begin: 0, total: 0, units: new Map() }
        peaks[kind].clear()
        highest[kind] = []
        sums[kind] = 0
      }
    },
    peaks: () => {
      close('read')
      close('write')
      return (['read', 'write'] as const).flatMap((kind) => [...peaks[kind].values()]).toSorted((one, other) => other.share - one.share)
    },
  }
}
