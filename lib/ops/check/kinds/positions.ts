import * as v from 'valibot'
import type { Lead } from '#shared/schema/lead.ts'
import { changeAsRead } from '#shared/storage/as-read.ts'
import { addHole, removeHole } from '#shared/storage/holes.ts'
import { blockOf, leadKey, ownerBlock, POSITIONS_PER_BLOCK, positionsKey } from '#shared/storage/keys.ts'
import { leadIdsAt, leadsAtPosition } from '#shared/storage/lead-index.ts'
import { getLead, getReadableLeads, saveLead } from '#shared/storage/leads.ts'
import { getLines } from '#shared/storage/lines.ts'
import { recordHole, settlePosition, takePosition } from '#shared/storage/positions.ts'
import { getItem } from '#shared/storage/table.ts'
import { OpsRefusal } from '../../refusal.ts'
import { idIn, type Kind, numbersIn } from '../kind.ts'
import { readListState } from '../list-state.ts'

/** Positions that nothing tells of: no lead, no hole, and nobody who has taken them a moment ago. The index lags behind the table. */
const emptyAmong = async (owner: number, positions: readonly number[]): Promise<number[]> => {
  const { last, open, holes } = await readListState(owner)
  const untold = positions.filter((position) => position <= last && !open.has(position) && !holes.has(position))
  const ids = untold.length > 0 ? await leadIdsAt(owner, untold) : new Map()
  return untold.filter((position) => !ids.has(position))
}

const empty: Kind = {
  kind: 'position-empty',
  at: 'OWNER/FIRST-LAST',
  about:
    "Places of an owner's list have no lead, and are not noted as holes: the count is too large, and pages show fewer leads than they should.",
  look: async (where) => {
    const [owner = 0, first = 0, end = 0] = numbersIn(where, 3, '1/17-19')
    if (end < first || end - first > POSITIONS_PER_BLOCK)
      throw new OpsRefusal(`Name at most ${POSITIONS_PER_BLOCK} places, from the first on.`)
    const positions = await emptyAmong(
      owner,
      Array.from({ length: end - first + 1 }, (_, index) => first + index),
    )
    if (positions.length === 0) return undefined
    const which = first === end ? `Place ${first} of` : `Places ${first} to ${end} of`
    return {
      message: `${which} user ${owner}'s list have no lead and are not noted as holes: the count is too large, pages are not full.`,
      remedy: 'note them as holes',
      mend: async () => {
        for (const position of positions) await addHole(owner, position)
        return true
      },
    }
  },
}

const leadAt = async (owner: number, position: number): Promise<number | undefined> => {
  const { leads } = await getReadableLeads(await leadsAtPosition(owner, position))
  return [...leads.values()].find((lead) => lead.owner === owner && lead.position === position)?.id
}

const holeTaken: Kind = {
  kind: 'hole-taken',
  at: 'OWNER/POSITION',
  about: 'A lead stands where a hole is noted: it is in no list and in no count.',
  look: async (where) => {
    const [owner = 0, position = 0] = numbersIn(where, 2, '1/17')
    const lead = await leadAt(owner, position)
    if (lead === undefined || !(await readListState(owner)).holes.has(position)) return undefined
    return {
      message: `Lead ${lead} stands at place ${position} of user ${owner}'s list, where a hole is noted: no list shows it, no count counts it.`,
      remedy: 'take the hole away',
      mend: () => removeHole(owner, position),
    }
  },
}

const counterBehind: Kind = {
  kind: 'counter-behind',
  at: 'OWNER/POSITION',
  about: "A lead stands behind the last place of its owner's list: no list shows it, and the next leads are given places that are taken.",
  look: async (where) => {
    const [owner = 0, position = 0] = numbersIn(where, 2, '1/17')
    const { last, hasCounter } = await readListState(owner)
    const lead = last < position ? await leadAt(owner, position) : undefined
    if (lead === undefined) return undefined
    const counter = { ...positionsKey(owner), ...(hasCounter && { last }) }
    return {
      message: `Lead ${lead} stands at place ${position} of user ${owner}'s list, whose last place is ${last}: no list shows it, and the next leads are given places that are taken.`,
      remedy: `count on from place ${position}`,
      mend: () => changeAsRead(counter, ['last'], { set: { last: position } }),
    }
  },
}

/** At a place behind all others. Who was paused with the leads that were there at the time stays paused: no lead leaves them so. */
const moveToEnd = async (lead: Lead): Promise<boolean> => {
  const position = await takePosition(lead.owner)
  const { paused_upto } = await getLines(lead.owner)
  const isSaved = paused_upto < lead.position && (await saveLead({ ...lead, position, version: lead.version + 1, cause: 'update' }))
  if (isSaved) settlePosition(lead.owner, position)
  else await recordHole(lead.owner, position)
  if (paused_upto < lead.position) return isSaved
  throw new OpsRefusal(
    `User ${lead.owner} has paused the leads up to place ${paused_upto}: at another place lead ${lead.id} would not be paused any more. Mend it when the pause is over.`,
  )
}

const twice: Kind = {
  kind: 'position-twice',
  at: 'LEAD',
  about: 'Two leads stand at one place of the list: it shows one of them.',
  look: async (where) => {
    const lead = await getLead(idIn(where))
    if (!lead) return undefined
    const others = (await getReadableLeads(await leadsAtPosition(lead.owner, lead.position))).leads
    const earlier = [...others.values()].find(
      ({ id, owner, position }) => id < lead.id && owner === lead.owner && position === lead.position,
    )
    if (!earlier) return undefined
    return {
      message: `Lead ${lead.id} stands at place ${lead.position} of user ${lead.owner}'s list, as lead ${earlier.id} does: the list shows one of them.`,
      remedy: 'give it a place of its own, at the end',
      mend: () => moveToEnd(lead),
    }
  },
}

const Block = v.looseObject({ pk: v.string(), sk: v.string(), owner_block: v.optional(v.string()), version: v.number() })

const notListed: Kind = {
  kind: 'lead-not-listed',
  at: 'LEAD',
  about: "A lead stands in no block, or another one's, of its owner's list: the list does not show it.",
  look: async (where) => {
    const id = idIn(where)
    const [lead, item] = [await getLead(id), await getItem(Block, leadKey(id))]
    const block = lead && ownerBlock(lead.owner, blockOf(lead.position))
    if (!lead || !item || lead.version !== item.version || item.owner_block === block) return undefined
    return {
      message: `Lead ${id} does not stand in the block of its place ${lead.position} of user ${lead.owner}'s list: the list does not show it.`,
      remedy: `list it in ${block}`,
      mend: () => changeAsRead(item, ['version', 'owner_block'], { set: { owner_block: block } }),
    }
  },
}

/** In this order: a lead that is moved is counted from the end. */
export const positions: readonly Kind[] = [notListed, counterBehind, holeTaken, empty, twice]
