import * as v from 'valibot'
import { itemTypeOf } from '#shared/platform/keys.ts'
import { scanTable } from '#shared/platform/table/scan.ts'
import { OpsRefusal } from '../refusal.ts'
import type { OwnedRange } from './joins/position-walk.ts'
import { isOpen, type ListCounter, readListCounter } from './list-state.ts'
import { KeyOfItem } from './scan/items.ts'

/** The attributes of a lead that give its position. They may be readable when the rest is not. */
export const LeadPosition = v.object({ id: v.number(), owner: v.number(), position: v.number() })

interface OwnerScan {
  readonly before: ListCounter
  /** Sorted by their first positions. */
  readonly asked: readonly OwnedRange[]
  /** Leads at these positions. */
  readonly leads: Map<number, number>
}

interface ScanOptions {
  /** Positions that will be asked for. */
  readonly ranges: Iterable<OwnedRange>
  /** Gets a message before the scan of the table. */
  readonly note: (text: string) => void
}

const SEGMENTS = 4
/** Most ranges, and most leads, that one scan remembers. */
const MOST = 100_000

function* firstOf<T>(all: Iterable<T>, most: number): Generator<T> {
  let count = 0
  for (const one of all) {
    if (count++ === most) return
    yield one
  }
}

const isAmong = (ranges: readonly OwnedRange[], position: number): boolean => {
  let [low, high] = [0, ranges.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((ranges[middle]?.last ?? 0) < position) low = middle + 1
    else high = middle
  }
  return (ranges[low]?.first ?? Number.POSITIVE_INFINITY) <= position
}

/** The exact positions of leads, from the leads themselves: an index may miss a lead. Scans the whole table once, at the first question. */
export class LeadPositions {
  readonly #options: ScanOptions
  #scan: Promise<ReadonlyMap<number, OwnerScan>> | undefined

  constructor(options: ScanOptions) {
    this.#options = options
  }

  async #read(): Promise<ReadonlyMap<number, OwnerScan>> {
    const seen = new Map<number, OwnerScan>()
    for (const [owner, ranges] of Map.groupBy(firstOf(this.#options.ranges, MOST), ({ owner }) => owner)) {
      seen.set(owner, { before: await readListCounter(owner), asked: ranges.toSorted((a, b) => a.first - b.first), leads: new Map() })
    }
    this.#options.note('Reading the whole table for leads that no list shows.')
    let count = 0
    for await (const { items } of scanTable({ segments: SEGMENTS })) {
      for (const item of items) {
        const key = v.parse(KeyOfItem, item)
        if (itemTypeOf(key) !== 'lead') continue
        const lead = v.safeParse(LeadPosition, item)
        if (!lead.success)
          throw new OpsRefusal(
            `The position of ${key.pk} cannot be read. Any position may be the one of this lead, so none is known to be empty.`,
          )
        const { owner, position, id } = lead.output
        const { asked, leads } = seen.get(owner) ?? {}
        if (!leads || !asked || !isAmong(asked, position)) continue
        if (++count > MOST)
          throw new OpsRefusal('Very many leads have positions that no list shows. Repair them first. See: npm run ops -- check')
        leads.set(position, id)
      }
    }
    return seen
  }

  /**
   * The lead at one of an owner's positions; undefined when none of them has a lead or ever will. If a position was taken and closed
   * before the scan, it has its lead by then or never gets one.
   * @throws OpsRefusal when a position was taken too late to be certain, or was not asked for in time
   */
  async findAt(owner: number, positions: readonly number[]): Promise<{ readonly lead: number; readonly position: number } | undefined> {
    this.#scan ??= this.#read()
    const scan = (await this.#scan).get(owner)
    for (const position of positions) {
      const lead = scan?.leads.get(position)
      if (lead !== undefined) return { lead, position }
      if (!scan || !isAmong(scan.asked, position)) {
        throw new OpsRefusal(
          `Too many positions are empty for one scan of the table, so position ${position} was left out. Run the command again.`,
        )
      }
      if (position > scan.before.last || isOpen(scan.before, position)) {
        throw new OpsRefusal(`Position ${position} of user ${owner}'s list was taken a moment ago. Run the command again.`)
      }
    }
    return undefined
  }
}
