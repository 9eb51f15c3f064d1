import { isDeepStrictEqual } from 'node:util'
import * as v from 'valibot'
import { applyOutcome, freeLineAndPhone } from '#shared/calling/finish/finish-call.ts'
import { releaseLine } from '#shared/calling/line-store.ts'
import { eraseCall } from '#shared/erasure/erased-call-store.ts'
import { forgetAnswer, removeEmptyPerson, removeLead, replaceAttributes } from '#shared/erasure/erasing.ts'
import { isMentioned } from '#shared/erasure/rules/mention.ts'
import { redacted } from '#shared/erasure/rules/redact.ts'
import { now } from '#shared/platform/clock.ts'
import { leadInKey } from '#shared/platform/keys.ts'
import { inLanes } from '#shared/platform/lanes.ts'
import { deleteItem } from '#shared/platform/table/table.ts'
import { absentAsNull } from '#shared/platform/values/values.ts'
import { releasePhone } from '#shared/stops/phone-store.ts'
import type { PersonItem } from './person-items.ts'
import { readCall } from './read-call.ts'
import type { SoughtPerson } from './sought.ts'

/** Other items also store these values, which find a lead. So only the user who owns the lead can change them. */
const FINDS_LEADS = ['phone_number', 'email', 'external_id']

/** Whether an attribute stays as it is, even if it mentions the number. */
const stays = (type: PersonItem['type'], name: string): boolean => {
  if (name === 'pk' || name === 'sk') return true
  if (type === 'person') return name === 'leads' || name === 'phone_number'
  return type === 'lead' && FINDS_LEADS.includes(name)
}

const changesIn = ({ type, item }: PersonItem, { mentions }: SoughtPerson) =>
  Object.entries(item)
    .filter(([name]) => !stays(type, name))
    .map(([name, old]) => ({ name, old, new: redacted(mentions, old, { kept: type === 'task' && name === 'patch' ? FINDS_LEADS : [] }) }))
    .filter((change) => !isDeepStrictEqual(change.old, change.new))

/** Removes the number from an item that is about somebody else, as far as possible. */
const redactItem = async (found: PersonItem, sought: SoughtPerson): Promise<void> => {
  const { key, type, item } = found
  const changes = changesIn(found, sought)
  if (changes.length === 0) return
  // Some causes of a lead's last write make an event. This cause makes none.
  const cause = type === 'lead' ? [{ name: 'cause', old: item['cause'], new: 'update' }] : []
  await replaceAttributes(key, [...changes, ...cause], { isVersioned: typeof item['version'] === 'number' })
}

/** Whether the number cannot be removed from an item about somebody else, or not any further. */
export const isStuck = (found: PersonItem, sought: SoughtPerson): boolean =>
  found.fate === 'leave' || (found.fate === 'redact' && changesIn(found, sought).length === 0)

const LANES = 8

const FORGOTTEN = JSON.stringify({
  detail: 'The answer to this request is deleted: it held data of a person who has been erased.',
})

const Holder = v.object({ owner: v.number(), call_id: v.string(), phone_key: v.string(), line_group: absentAsNull(v.number()) })

/** Ends an unsettled call: its lead, which may have another number by now, no longer waits for it. Frees line and phone. */
const endCall = async ({ item }: PersonItem): Promise<void> => {
  if (typeof item['settled_time'] === 'number') return
  const call = readCall(item)
  if (call) {
    await applyOutcome({ ...call, unknown_time: call.unknown_time ?? now() })
    await freeLineAndPhone(call)
    return
  }
  const holder = v.safeParse(Holder, item)
  if (!holder.success) return
  await releaseLine(holder.output)
  await releasePhone(holder.output.phone_key, holder.output.call_id)
}

const eraseItem = async (found: PersonItem, sought: SoughtPerson): Promise<void> => {
  const { key, type, fate, item } = found
  if (fate === 'redact') await redactItem(found, sought)
  else if (fate === 'forget answer') await forgetAnswer(key, FORGOTTEN)
  else if (fate === 'person' && type === 'person') await removeEmptyPerson(Number(item['owner']), sought.phoneNumber)
  else if (fate === 'remove' && type === 'call') {
    await endCall(found)
    await eraseCall(key, item)
  } else if (fate === 'remove') await deleteItem(key)
}

type Phase = 'found by leads' | 'leads' | 'inbound calls' | 'rest' | 'other marks' | 'own marks'

const phaseOf = ({ type, fate, key }: PersonItem, { leads, mentions }: SoughtPerson): Phase => {
  if (type === 'lead' && fate === 'person') return 'leads'
  if (type === 'upsert-guard' || type === 'upload') return 'found by leads'
  if (type === 'inbound-call') return 'inbound calls'
  if (type !== 'mark') return 'rest'
  return leads.has(leadInKey(key) ?? 0) || isMentioned(mentions, key.pk) ? 'own marks' : 'other marks'
}

/**
 * Erases each item before the items that lead to it, so that a repeat after a crash still finds it. Only a lead leads to a guard and to
 * uploads. Only a call or a mark leads to an inbound call. Only a mark in a partition of the person leads to a mark elsewhere. Otherwise
 * leads go first: after that, nobody calls them, and they make no new events.
 */
export const eraseItems = async (items: readonly PersonItem[], sought: SoughtPerson): Promise<void> => {
  const phases = Map.groupBy(items, (item) => phaseOf(item, sought))
  const erase = (phase: Phase) => inLanes(LANES, phases.get(phase) ?? [], (found) => eraseItem(found, sought))
  await erase('found by leads')
  for (const { item } of phases.get('leads') ?? []) await removeLead(Number(item['id']), sought.phoneNumber)
  for (const phase of ['inbound calls', 'rest', 'other marks', 'own marks'] as const) await erase(phase)
}
