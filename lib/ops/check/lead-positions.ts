import * as v from 'valibot'
import { itemTypeOf } from '#shared/platform/keys.ts'
import { scanTable } from '#shared/platform/table/scan.ts'
import { OpsRefusal } from '../refusal.ts'
import { KeyOfItem } from './items.ts'
import { type ListState, readListState } from './list-state.ts'
import { OwnerPlaces } from './owner-places.ts'

/** The part of a lead that tells its position. It may be readable when the rest is not. */
export const StandingLead = v.object({ id: v.number(), owner: v.number(), position: v.number() })

interface Seen {
  readonly before: ListState
  readonly places: OwnerPlaces
}

interface Standings {
  /** Owners whose positions will be asked for. */
  readonly owners: Iterable<number>
  /** Gets a message before the scan of the table. */
  readonly note: (text: string) => void
}

const SEGMENTS = 4

/** The exact positions of leads, from the leads themselves: an index may miss a lead. Scans the whole table once, at the first question. */
export class LeadPositions {
  readonly #told: Standings
  #seen: Promise<ReadonlyMap<number, Seen>> | undefined

  constructor(told: Standings) {
    this.#told = told
  }

  async #read(): Promise<ReadonlyMap<number, Seen>> {
    const seen = new Map<number, Seen>()
    for (const owner of new Set(this.#told.owners)) seen.set(owner, { before: await readListState(owner), places: new OwnerPlaces() })
    this.#told.note('Reading the whole table for leads that no list shows.')
    for await (const item of scanTable({ segments: SEGMENTS })) {
      const key = v.parse(KeyOfItem, item)
      if (itemTypeOf(key) !== 'lead') continue
      const lead = v.safeParse(StandingLead, item)
      if (!lead.success) throw new OpsRefusal(`The position of ${key.pk} cannot be read, so no position is certainly empty.`)
      seen.get(lead.output.owner)?.places.put(lead.output.position, lead.output.id)
    }
    return seen
  }

  /**
   * The lead at one of an owner's positions; undefined when no lead stands there or ever will. If a position was taken and settled before
   * the scan, it has its lead by then or never gets one.
   * @throws OpsRefusal when a position was taken too late to be certain
   */
  async leadAmong(owner: number, positions: readonly number[]): Promise<{ readonly lead: number; readonly position: number } | undefined> {
    this.#seen ??= this.#read()
    const { before, places } = (await this.#seen).get(owner) ?? {}
    for (const position of positions) {
      const lead = places?.at(position) ?? 0
      if (lead !== 0) return { lead, position }
      if (!before || position > before.last || before.open.has(position)) {
        throw new OpsRefusal(`Position ${position} of user ${owner}'s list was taken a moment ago. Run the command again.`)
      }
    }
    return undefined
  }
}
