import { isDeepStrictEqual } from 'node:util'
import { replaceAttributes } from '#shared/erasure/erasing.ts'
import { redacted } from '#shared/erasure/rules/redact.ts'
import type { PersonItem } from './person-items.ts'
import type { SoughtPerson } from './sought.ts'

/** Other items also hold the values that find a lead, so only its owner can change them. */
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
export const redactItem = async (found: PersonItem, sought: SoughtPerson): Promise<void> => {
  const { key, type, item } = found
  const changes = changesIn(found, sought)
  if (changes.length === 0) return
  // This write must make no event. Some causes of a lead's last write do; 'update' does not.
  const cause = type === 'lead' ? [{ name: 'cause', old: item['cause'], new: 'update' }] : []
  await replaceAttributes(key, [...changes, ...cause], { isVersioned: typeof item['version'] === 'number' })
}

/** Whether the number cannot be removed from an item about somebody else, or not any further. */
export const isStuck = (found: PersonItem, sought: SoughtPerson): boolean =>
  found.fate === 'leave' || (found.fate === 'redact' && changesIn(found, sought).length === 0)
