import * as v from 'valibot'
import { changeAsRead } from '#shared/platform/table/as-read.ts'
import { getItem } from '#shared/platform/table/table.ts'
import { OpsMistake } from '../../refusal.ts'
import { KeyOfItem } from '../items.ts'
import { type DamageKind, splitAt } from '../kind.ts'
import { isListable, LISTABLE, type ListableType, misplaced } from '../places.ts'

const ReadItem = v.intersect([KeyOfItem, v.record(v.string(), v.unknown())])

const DUE = ['due_key', 'due_at']

/** Attributes that the write also sets. The cause of a lead's last write decides about events; 'schedule' makes no event of this write. */
const beside = (type: ListableType) => (type === 'lead' ? { cause: 'schedule' } : {})

const read = async (type: ListableType, id: string) => {
  const key = LISTABLE[type].keyOf(id)
  if (!key) throw new OpsMistake(`${id} is the id of no ${type}.`)
  const item = await getItem(ReadItem, key)
  return item && { item, found: misplaced(type, item), seen: [...LISTABLE[type].seen, ...DUE] }
}

interface Named {
  readonly kind: string
  readonly at: string
  readonly type: ListableType
  readonly about: string
  readonly message: (id: string) => string
}

const notDue = ({ kind, at, type, about, message }: Named): DamageKind => ({
  kind,
  at,
  about,
  look: async (id) => {
    const looked = await read(type, id)
    const { item, found, seen } = looked ?? {}
    if (!item || !seen || found === undefined || found === 'surplus') return undefined
    const { due_key, due_at } = found.missing
    return {
      message: message(id),
      remedy: `list it as due under ${due_key}, at ${due_at.split('#')[0]}`,
      mend: () => changeAsRead(item, seen, { set: { due_key, due_at, ...beside(type) } }),
    }
  },
})

const NAMED: readonly Named[] = [
  {
    kind: 'lead-not-due',
    at: 'LEAD',
    type: 'lead',
    about: 'A lead has a next call and does not stand, or stands elsewhere, in the index of what is due: nobody calls it at its time.',
    message: (id) => `Lead ${id} has a next call that is not listed as due at its time: nobody calls it then.`,
  },
  {
    kind: 'call-not-watched',
    at: 'CALL',
    type: 'call',
    about: 'A call in progress is not watched: should its agent fall silent, its lead, phone and line wait for ever.',
    message: (id) => `Call ${id} is in progress and nobody watches it: should its agent fall silent, lead, phone and line wait for ever.`,
  },
  {
    kind: 'timer-not-due',
    at: 'LEAD-PROMISED',
    type: 'timer',
    about: 'The timer of a promised call is not listed as due: no LEAD_LATE_CALLBACK is sent when the call is late.',
    message: (id) => `The timer ${id} of a promised call is not listed as due: no LEAD_LATE_CALLBACK is sent when the call is late.`,
  },
  {
    kind: 'delivery-not-due',
    at: 'DELIVERY',
    type: 'delivery',
    about: 'A pending delivery is not listed as due, and no message about it can be on its way any more: it is never attempted again.',
    message: (id) => `Delivery ${id} is pending and not listed as due: its receiver never gets that event.`,
  },
  {
    kind: 'upload-not-due',
    at: 'UPLOAD',
    type: 'upload',
    about: 'An upload that is not done is not listed as due: after a crash nobody goes on with the file.',
    message: (id) => `Upload ${id} is not done and not listed as due: nobody goes on with its file after a crash.`,
  },
  {
    kind: 'task-not-due',
    at: 'TASK',
    type: 'task',
    about: 'A queued update is not listed as due: when its message is lost, the update that was accepted is never made.',
    message: (id) => `Task ${id} is queued and not listed as due: when its message is lost, the update is never made.`,
  },
]

const surplus: DamageKind = {
  kind: 'due-in-vain',
  at: 'TYPE/ID',
  about: 'What is done, or has no next call, is listed as due: the sweep sends it every minute, in vain and before others.',
  look: async (where) => {
    const [type, id] = splitAt(where, 'call/7-1')
    if (!isListable(type)) throw new OpsMistake(`${type} is none of ${Object.keys(LISTABLE).join(', ')}.`)
    const looked = await read(type, id)
    if (looked?.found !== 'surplus') return undefined
    return {
      message: `The ${type} ${id} is listed as due though there is nothing left to do: the sweep sends it every minute, before others.`,
      remedy: 'take it off the list',
      mend: () => changeAsRead(looked.item, looked.seen, { set: beside(type), remove: DUE }),
    }
  },
}

/** The kind of damage for each type that is missing from the due index. */
export const NOT_DUE: Readonly<Record<ListableType, string>> = {
  lead: 'lead-not-due',
  call: 'call-not-watched',
  timer: 'timer-not-due',
  delivery: 'delivery-not-due',
  upload: 'upload-not-due',
  task: 'task-not-due',
}

export const places: readonly DamageKind[] = [...NAMED.map(notDue), surplus]
