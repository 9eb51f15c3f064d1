import * as v from 'valibot'
import { getLines } from '#shared/calling/line-store.ts'
import type { Lead } from '#shared/leads/lead.ts'
import { getLead, getReadableLeads, saveLead } from '#shared/leads/lead-store.ts'
import { blockOf, leadKey, ownerBlock, positionsKey } from '#shared/platform/keys.ts'
import { changeAsRead, stillAsRead } from '#shared/platform/table/as-read.ts'
import { getItem } from '#shared/platform/table/table.ts'
import { holesAmong, removeHole } from '#shared/positions/holes.ts'
import { hasLeads, leadsAtPosition } from '#shared/positions/lead-index.ts'
import { closePosition, recordHole, takePosition } from '#shared/positions/position-store.ts'
import { OpsRefusal } from '../../refusal.ts'
import { FAR } from '../joins/position-walk.ts'
import { type DamageKind, idIn } from '../kind.ts'
import { blocksWithHoles, readListCounter } from '../list-state.ts'
import { positionEmpty } from './position-empty.ts'

const holeTaken: DamageKind = {
  kind: 'hole-taken',
  at: 'LEAD',
  about: 'A lead has a position that is recorded as a hole. No list shows it, and no count includes it.',
  look: async (where) => {
    const lead = await getLead(idIn(where))
    if (!lead || (await holesAmong(lead.owner, [lead.position])).size === 0) return undefined
    const { id, owner, position, version } = lead
    return {
      message: `Lead ${id} has position ${position} of user ${owner}'s list, which is recorded as a hole. No list shows it, and no count includes it.`,
      remedy: 'removing the hole',
      repair: () => removeHole(owner, position, stillAsRead(leadKey(id), { version }, ['version'])),
    }
  },
}

/**
 * Whether `FAR` blocks in a row between the end of the list and the lead's position are empty. Then the position is not part of the list.
 */
const isAstray = async (last: number, { owner, position }: Lead): Promise<boolean> => {
  for (let end = blockOf(position); end - FAR > blockOf(last); end -= FAR) {
    const blocks = Array.from({ length: FAR }, (_, index) => end - 1 - index)
    const [holes, ...leads] = await Promise.all([blocksWithHoles(owner, blocks), ...blocks.map((block) => hasLeads(owner, block))])
    if (holes.size === 0 && !leads.includes(true)) return true
  }
  return false
}

/**
 * Moves a lead to the end of the list. A pause covers positions up to `paused_upto`: moving a lead out of it would end its pause, so that
 * is refused.
 */
const moveToEnd = async (lead: Lead): Promise<boolean> => {
  const position = await takePosition(lead.owner)
  const { paused_upto } = await getLines(lead.owner)
  const isSaved = paused_upto < lead.position && (await saveLead({ ...lead, position, version: lead.version + 1, cause: 'update' }))
  if (isSaved) closePosition(lead.owner, position)
  else await recordHole(lead.owner, position)
  if (paused_upto < lead.position) return isSaved
  throw new OpsRefusal(
    `User ${lead.owner} has paused the leads up to position ${paused_upto}. At another position, lead ${lead.id} would not be paused any more. Repair it when the pause is over.`,
  )
}

const counterBehind: DamageKind = {
  kind: 'counter-behind',
  at: 'LEAD',
  about: "A lead has a position after the last one of its owner's list. No list shows it, and the next leads get positions that are taken.",
  look: async (where) => {
    const lead = await getLead(idIn(where))
    const list = lead && (await readListCounter(lead.owner))
    if (!list || list.last >= lead.position) return undefined
    const { id, owner, position } = lead
    const difference = `Lead ${id} has position ${position} of user ${owner}'s list, but the last position is ${list.last}`
    if (await isAstray(list.last, lead)) {
      const message = `${difference}, far before it. No list shows the lead.`
      return { message, remedy: 'moving it to the end of the list', repair: () => moveToEnd(lead) }
    }
    const counter = { ...positionsKey(owner), ...(list.exists && { last: list.last }) }
    return {
      message: `${difference}. No list shows the lead, and the next leads get positions that are taken.`,
      remedy: `continuing the list after position ${position}`,
      repair: () => changeAsRead(counter, ['last'], { set: { last: position } }),
    }
  },
}

const twice: DamageKind = {
  kind: 'position-twice',
  at: 'LEAD',
  about: 'Two leads have the same position of the list. The list shows only one of them.',
  look: async (where) => {
    const lead = await getLead(idIn(where))
    if (!lead) return undefined
    const others = (await getReadableLeads(await leadsAtPosition(lead.owner, lead.position))).leads
    const earlier = [...others.values()].find(
      ({ id, owner, position }) => id < lead.id && owner === lead.owner && position === lead.position,
    )
    if (!earlier) return undefined
    return {
      message: `Lead ${lead.id} has position ${lead.position} of user ${lead.owner}'s list, and so does lead ${earlier.id}. The list shows only one of them.`,
      remedy: 'giving it its own position at the end of the list',
      repair: () => moveToEnd(lead),
    }
  },
}

const Block = v.looseObject({ pk: v.string(), sk: v.string(), owner_block: v.optional(v.string()), version: v.number() })

const notListed: DamageKind = {
  kind: 'lead-not-listed',
  at: 'LEAD',
  about: "A lead is in no block of its owner's list, or in the wrong one. The list does not show it.",
  look: async (where) => {
    const id = idIn(where)
    const [lead, item] = [await getLead(id), await getItem(Block, leadKey(id))]
    const block = lead && ownerBlock(lead.owner, blockOf(lead.position))
    if (!lead || !item || lead.version !== item.version || item.owner_block === block) return undefined
    return {
      message: `Lead ${id} is not in the block of its position ${lead.position} of user ${lead.owner}'s list. The list does not show it.`,
      remedy: `adding it to ${block}`,
      // The cause of the last write decides about events; 'update' makes no event of this write.
      repair: () => changeAsRead(item, ['version', 'owner_block'], { set: { owner_block: block, cause: 'update' } }),
    }
  },
}

/** The order matters: a lead is moved to the end, so the counter must be right first. */
export const positions: readonly DamageKind[] = [notListed, counterBehind, holeTaken, positionEmpty, twice]
