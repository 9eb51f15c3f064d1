import { isDeepStrictEqual } from 'node:util'
import { replaceAttributes } from '#shared/erasure/erasing.ts'
import { redacted } from '#shared/erasure/rules/redact.ts'
import type { PersonItem } from './person-items.ts'
import type { SoughtPerson } from './sought.ts'

/** What a lead is found by stands in other items, too: its owner has to change it. */
const FINDS_LEADS = ['phone_number', 'email', 'external_id']

/** Attributes that stay as they are, whatever they mention. */
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

/** Takes the number out of an item that is about somebody else, as far as that is possible. */
export const redactItem = async (found: PersonItem, sought: SoughtPerson): Promise<void> => {
  const { key, type, item } = found
  const changes = changesIn(found, sought)
  if (changes.length === 0) return
  // Nothing is to be told of it: some causes of a lead's last write are.
  const cause = type === 'lead' ? [{ name: 'cause', old: item['cause'], new: 'update' }] : []
  await replaceAttributes(key, [...changes, ...cause], { isVersioned: typeof item['version'] === 'number' })
}

/** Whether of an item that is about somebody else the number cannot be taken out, or no further. */
export const isStuck = (found: PersonItem, sought: SoughtPerson): boolean =>
  found.fate === 'leave' || (found.fate === 'redact' && changesIn(found, sought).length === 0)
