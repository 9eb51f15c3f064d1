import { randomUUID } from 'node:crypto'
import { apiKeysOf } from '#shared/accounts/api-key-store.ts'
import { watchPromise } from '#shared/backlog/promises.ts'
import { insertTasks } from '#shared/leads/bulk/task-store.ts'
import type { Lead } from '#shared/leads/lead.ts'
import { changeEntry, getLead, saveLead } from '#shared/leads/lead-store.ts'
import * as keys from '#shared/platform/keys.ts'
import { nextSequence } from '#shared/platform/sequence.ts'
import { deleteItem, putItem, updateItem } from '#shared/platform/table/table.ts'
import { DAY, HOUR, MINUTE } from '#shared/platform/values/durations.ts'
import { addHole } from '#shared/positions/holes.ts'
import { lastPosition } from '#shared/positions/position-store.ts'
import { raiseDnc } from '#shared/stops/flag-store.ts'
import { phoneHash } from '#shared/stops/phone-hash.ts'
import { phonePk } from '#shared/stops/phone-store.ts'
import { insertUpload } from '#shared/uploads/upload-store.ts'
import { insertDelivery } from '#shared/webhooks/delivery-store.ts'
import { NOON } from './samples.ts'
import { type Ground, UNCALLED } from './uncalled-damage.ts'

/** Damage that no write of the service causes, written directly into the table. */

type Attributes = Readonly<Record<string, unknown>>

const set = (key: keys.Key, values: Attributes) => {
  const entries = Object.entries(values)
  return updateItem(key, {
    UpdateExpression: `SET ${entries.map((_, index) => `#a${index} = :v${index}`).join(', ')}`,
    ExpressionAttributeNames: Object.fromEntries(entries.map(([name], index) => [`#a${index}`, name])),
    ExpressionAttributeValues: Object.fromEntries(entries.map(([, value], index) => [`:v${index}`, value])),
  })
}

const remove = (key: keys.Key, ...names: string[]) =>
  updateItem(key, {
    UpdateExpression: `REMOVE ${names.map((_, index) => `#a${index}`).join(', ')}`,
    ExpressionAttributeNames: Object.fromEntries(names.map((name, index) => [`#a${index}`, name])),
  })

const unlist = (key: keys.Key) => remove(key, 'due_key', 'due_at')

const callKeyOf = (id: string): keys.Key => {
  const { lead, attempt } = keys.parseCallId(id)!
  return keys.callKey(lead, attempt)
}

const personOf = (lead: Lead) => keys.personKey(lead.owner, lead.phone_number)

/** By its kind: writes the damage. @returns where it is */
export const DAMAGE: Readonly<Record<string, (ground: Ground) => Promise<string | number>>> = {
  'lead-not-listed': async ({ lead }) => {
    const { id } = await lead()
    await set(keys.leadKey(id), { owner_block: 'OWNER#1#77' })
    return id
  },
  'lead-not-filtered': async ({ lead }) => {
    const { id } = await lead()
    await remove(keys.leadKey(id), 'change_list', 'changed_at')
    return id
  },
  'hole-taken': async ({ lead }) => {
    const { id, owner, position } = await lead()
    await addHole(owner, position)
    return id
  },
  'position-empty': async ({ lead }) => {
    const { owner } = await lead()
    const last = await lastPosition(owner)
    await set(keys.positionsKey(owner), { last: last + 3 })
    return `${owner}/${last + 1}-${last + 3}`
  },
  'position-twice': async ({ lead }) => {
    const [one, other] = [await lead(), await lead()]
    await addHole(other.owner, other.position)
    await set(keys.leadKey(other.id), { position: one.position })
    return other.id
  },
  'hole-counts': async () => {
    await addHole(3, 1)
    await set(keys.positionsKey(3), { last: 1 })
    await set(keys.holeGroupKey(3, 0), { 0: 2 })
    return '3/0'
  },
  'person-lacks-lead': async ({ lead }) => {
    const made = await lead({ email: 'lacks@example.com' })
    await deleteItem(personOf(made))
    return made.id
  },
  'person-email': async ({ lead }) => {
    const made = await lead({ email: 'Now@example.com' })
    await set(personOf(made), { leads: [{ id: made.id, email: 'before@example.com' }] })
    return made.id
  },
  'person-names-stranger': async ({ lead }) => {
    const made = await lead()
    const leads = [
      { id: made.id, email: null },
      { id: 990_001, email: 'gone@example.com' },
    ]
    await set(personOf(made), { leads })
    return `${made.owner}/${made.phone_number}/990001`
  },
  'pointer-missing': async ({ lead }) => {
    const { id, owner } = await lead({ external_id: "crm 'seven'" })
    await deleteItem(keys.externalIdPointerKey(owner, "crm 'seven'", id))
    return id
  },
  'pointer-stray': async ({ lead }) => {
    const { id, owner } = await lead()
    const key = keys.externalIdPointerKey(owner, "it's / another's", id)
    await putItem({ ...key })
    return `${key.pk}/${key.sk}`
  },
  'number-not-marked': async ({ endedCall }) => {
    const id = await endedCall()
    await set(callKeyOf(id), { phone_number: '+12125559999' })
    return keys.parseCallId(id)!.lead
  },
  'phone-held': async ({ lead }) => {
    const { phone_number } = await lead()
    await set({ pk: await phonePk('1', phone_number), sk: 'PHONE' }, { current_call: '990002-1', version: 1 })
    return `1/${await phoneHash(phone_number)}`
  },
  'line-held': async ({ endedCall }) => {
    const id = await endedCall()
    await updateItem(keys.linesKey(1), { UpdateExpression: 'ADD calls :call', ExpressionAttributeValues: { ':call': new Set([id]) } })
    return `1/${id}`
  },
  'lead-in-ended-call': async ({ endedCall }) => {
    const id = await endedCall()
    const lead = (await getLead(keys.parseCallId(id)!.lead))!
    const waiting = { current_call: id, next_call_time: null, next_call_time_reason: null, due_list: null }
    await saveLead({ ...lead, ...waiting, version: lead.version + 1 })
    return lead.id
  },
  ...UNCALLED,
  'lead-called-in-vain': async ({ lead }) => {
    const made = await lead()
    await set(keys.leadKey(made.id), { status: 'CLOSED', ...changeEntry({ ...made, status: 'CLOSED' }) })
    return made.id
  },
  'stop-not-shown': async ({ lead }) => {
    const { id, phone_number } = await lead()
    await raiseDnc(await phonePk('1', phone_number), ['call'], { accepted: nextSequence(), owner: 1, origin: { means: 'api' } })
    return id
  },
  'promise-not-watched': async ({ lead }) => {
    const { id } = await lead()
    await set(keys.leadKey(id), { promised_time: NOON + DAY })
    return id
  },
  'lead-not-due': async ({ lead }) => {
    const { id } = await lead()
    await unlist(keys.leadKey(id))
    return id
  },
  'call-not-watched': async ({ call }) => {
    const id = await call()
    await unlist(callKeyOf(id))
    return id
  },
  'timer-not-due': async ({ lead }) => {
    const { id, owner } = await lead()
    const promised_time = NOON + HOUR
    await watchPromise({ id, owner, promised_time })
    await unlist(keys.callbackTimerKey(id, promised_time))
    return `${id}-${promised_time}`
  },
  'delivery-not-due': async ({ lead }) => {
    const { id, owner } = await lead()
    const parts = { subscription: 42, shard: keys.deliveryShard(id), time: NOON - DAY, eventId: 'e1.LEAD_CREATED' }
    await insertDelivery({
      ...{ delivery_id: keys.deliveryId(parts), subscription: 42, owner, event_id: parts.eventId, trigger: 'LEAD_CREATED', lead: id },
      ...{ payload: '{}', status: 'pending', attempts: [], earlier_attempts: 0, begun_time: null, next_attempt_time: NOON - DAY },
      ...{ created_time: NOON - DAY, expires_at: (NOON + 30 * DAY) / 1000 },
    })
    return keys.deliveryId(parts)
  },
  'upload-not-due': async () => {
    const upload_id = randomUUID()
    const file = { source: 'daily', filename: 'leads.csv', object_key: `uploads/1/${upload_id}`, created_time: NOON }
    await insertUpload({ upload_id, owner: 1, ...file }, NOON + HOUR)
    await unlist(keys.uploadKey(upload_id))
    return upload_id
  },
  'task-not-due': async ({ lead }) => {
    const { id, owner } = await lead()
    const [task_id, status] = [randomUUID(), 'queued' as const]
    const task = {
      task_id,
      owner,
      lead: id,
      accepted: nextSequence(),
      status,
      error: null,
      patch: {},
      updated_time: NOON,
      expires_at: null,
    }
    await insertTasks([task], NOON + MINUTE)
    await unlist(keys.taskKey(task_id))
    return task_id
  },
  'due-in-vain': async ({ endedCall }) => {
    const id = await endedCall()
    await set(callKeyOf(id), { due_key: 'WATCH#0', due_at: keys.dueAt(NOON, 1, 1) })
    return `call/${id}`
  },
  'held-not-marked': async ({ lead }) => {
    const made = await lead({}, true)
    await saveLead({ ...made, due_list: 'HELD', held_by: 'simulator', version: made.version + 1 })
    await unlist(keys.breakerKey('simulator'))
    return 'simulator'
  },
  'api-key-not-listed': async () => {
    const [key] = await apiKeysOf(2)
    await deleteItem(keys.ownedApiKeyKey(2, key!.hash))
    return key!.hash
  },
  'group-lacks-user': async () => {
    await deleteItem(keys.memberKey('2', 2))
    return 2
  },
  // Must be the last: after it, every new lead gets a position that is taken.
  'counter-behind': async ({ lead }) => {
    const { id, owner, position } = await lead({}, true)
    await set(keys.positionsKey(owner), { last: position - 1 })
    return id
  },
}
