import * as v from 'valibot'
import { itemTypeOf } from '#shared/platform/keys.ts'
import { scanTable } from '#shared/platform/table/scan.ts'
import { OpsRefusal } from '../refusal.ts'
import { KeyOfItem } from './items.ts'
import { LeadsByPosition } from './leads-by-position.ts'
import { type ListState, readListState } from './list-state.ts'

/** The attributes of a lead that give its position. They may be readable when the rest is not. */
export const LeadPosition = v.object({ id: v.number(), owner: v.number(), position: v.number() })

interface OwnerScan {
  readonly before: ListState
  readonly leads: LeadsByPosition
}

interface ScanOptions {
  /** Owners whose positions will be asked for. */
  readonly owners: Iterable<number>
  /** Gets a message before the scan of the table. */
  readonly note: (text: string) => void
}

const SEGMENTS = 4

/** The exact positions of leads, from the leads themselves: an index may miss a lead. Scans the whole table once, at the first question. */
export class LeadPositions {
  readonly #options: ScanOptions
  #scan: Promise<ReadonlyMap<number, OwnerScan>> | undefined

  constructor(options: ScanOptions) {
    this.#options = options
  }

  async #read(): Promise<ReadonlyMap<number, OwnerScan>> {
    const seen = new Map<number, OwnerScan>()
    for (const owner of new Set(this.#options.owners)) seen.set(owner, { before: await readListState(owner), leads: new LeadsByPosition() })
    this.#options.note('Reading the whole table for leads that no list shows.')
    for await (const item of scanTable({ segments: SEGMENTS })) {
      const key = v.parse(KeyOfItem, item)
      if (itemTypeOf(key) !== 'lead') continue
      const lead = v.safeParse(LeadPosition, item)
      if (!lead.success) throw new OpsRefusal(`The position of ${key.pk} cannot be read, so no position is certainly empty.`)
      seen.get(lead.output.owner)?.leads.put(lead.output.position, lead.output.id)
    }
    return seen
  }

  /**
   * The lead at one of an owner's positions; undefined when none of them has a lead or ever will. If a position was taken and settled
   * before the scan, it has its lead by then or never gets one.
   * @throws OpsRefusal when a position was taken too late to be certain
   */
  async findAt(owner: number, positions: readonly number[]): Promise<{ readonly lead: number; readonly position: number } | undefined> {
    this.#scan ??= this.#read()
    const { before, leads } = (await this.#scan).get(owner) ?? {}
    for (const position of positions) {
      const lead = leads?.at(position) ?? 0
      if (lead !== 0) return { lead, position }
      if (!before || position > before.last || before.open.has(position)) {
        throw new OpsRefusal(`Position ${position} of user ${owner}'s list was taken a moment ago. Run the command again.`)
      }
    }
    return undefined
  }
}
