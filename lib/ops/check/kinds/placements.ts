import * as v from 'valibot'
import { now } from '#shared/platform/clock.ts'
import { changeAsRead, type Item } from '#shared/platform/table/as-read.ts'
import { getItem } from '#shared/platform/table/table.ts'
import { mayWaitInSlowLane } from '#shared/webhooks/lanes.ts'
import { Delivery } from '#shared/webhooks/webhook.ts'
import { OpsMistake } from '../../refusal.ts'
import { type DamageKind, splitAt } from '../kind.ts'
import { DUE_TYPES, type DueTypeName, isDueType, misplaced } from '../placements.ts'
import { ReadItem } from '../scan/items.ts'

const DUE = ['due_key', 'due_at']

/** Attributes that the write also sets. The cause of a lead's last write decides about events; 'schedule' makes no event of this write. */
const alsoSet = (type: DueTypeName) => (type === 'lead' ? { cause: 'schedule' } : {})

/** Items that need no placement now, for a reason that other items tell. */
const isExcused = async (type: DueTypeName, item: Item): Promise<boolean> =>
  type === 'delivery' && mayWaitInSlowLane(v.parse(Delivery, item), now())

const read = async (type: DueTypeName, id: string) => {
  const key = DUE_TYPES[type].keyOf(id)
  if (!key) throw new OpsMistake(`${id} is not a valid ${type} id.`)
  const item = await getItem(ReadItem, key)
  return item && { item, found: misplaced(type, item), seen: [...DUE_TYPES[type].seen, ...DUE] }
}

interface Missing {
  readonly kind: string
  readonly at: string
  readonly about: string
  readonly message: (id: string) => string
}

/** Damage of each type of item whose placement is missing. */
const MISSING: Readonly<Record<DueTypeName, Missing>> = {
  lead: {
    kind: 'lead-not-due',
    at: 'LEAD',
    about: 'A lead has a next call, but its entry in the due index is missing or wrong. Nobody calls it at its time.',
    message: (id) => `Lead ${id} has a next call, but the due index does not list it at that time. Nobody calls it then.`,
  },
  call: {
    kind: 'call-not-watched',
    at: 'CALL',
    about: 'A call in progress is not watched. If its agent stops reporting, its lead, phone and line wait forever.',
    message: (id) =>
      `Call ${id} is in progress but nobody watches it. If its agent stops reporting, its lead, phone and line wait forever.`,
  },
  timer: {
    kind: 'timer-not-due',
    at: 'LEAD-PROMISED',
    about: 'The timer of a promised call is not in the due index. No LEAD_LATE_CALLBACK is sent if the call is late.',
    message: (id) => `The timer ${id} of a promised call is not in the due index. No LEAD_LATE_CALLBACK is sent if the call is late.`,
  },
  delivery: {
    kind: 'delivery-not-due',
    at: 'DELIVERY',
    about:
      'A pending delivery is not in the due index, and no queue can still hold a message for it. The delivery is never attempted again.',
    message: (id) => `Delivery ${id} is pending but not in the due index. Its receiver never gets that event.`,
  },
  upload: {
    kind: 'upload-not-due',
    at: 'UPLOAD',
    about: 'An unfinished upload is not in the due index. After a crash, nobody resumes it.',
    message: (id) => `Upload ${id} is unfinished but not in the due index. After a crash, nobody resumes it.`,
  },
  task: {
    kind: 'task-not-due',
    at: 'TASK',
    about: 'A queued update is not in the due index. If its message is lost, the accepted update is never made.',
    message: (id) => `Task ${id} is queued but not in the due index. If its message is lost, the update is never made.`,
  },
}

const missing = (type: DueTypeName): DamageKind => {
  const { message, ...named } = MISSING[type]
  return {
    ...named,
    look: async (id) => {
      const { item, found, seen } = (await read(type, id)) ?? {}
      if (!item || !seen || found === undefined || found === 'surplus' || (await isExcused(type, item))) return undefined
      const { due_key, due_at } = found.missing
      return {
        message: message(id),
        remedy: `adding it to the due index under ${due_key}, at ${due_at.split('#')[0]}`,
        repair: () => changeAsRead(item, seen, { set: { due_key, due_at, ...alsoSet(type) } }),
      }
    },
  }
}

const surplus: DamageKind = {
  kind: 'due-in-vain',
  at: 'TYPE/ID',
  about:
    'An item that is done, or has no next call, is in the due index. The sweep sends it every minute without effect, and before other items.',
  look: async (where) => {
    const [type, id] = splitAt(where, 'call/7-1')
    if (!isDueType(type)) throw new OpsMistake(`${type} is not one of: ${Object.keys(DUE_TYPES).join(', ')}.`)
    const looked = await read(type, id)
    if (looked?.found !== 'surplus') return undefined
    return {
      message: `The ${type} ${id} is in the due index although nothing is left to do. The sweep sends it every minute, before others.`,
      remedy: 'removing it from the due index',
      repair: () => changeAsRead(looked.item, looked.seen, { set: alsoSet(type), remove: DUE }),
    }
  },
}

/** The kind of damage of an item of this type whose placement is missing. */
export const kindOfMissing = (type: DueTypeName): string => MISSING[type].kind

export const placements: readonly DamageKind[] = [...Object.keys(MISSING).filter(isDueType).map(missing), surplus]
