import * as v from 'valibot'
import { getPerson, replacePerson } from '../leads/person-store.ts'
import { emailPointerKey, externalIdPointerKey, type Key, leadKey, personKey, phoneKeyAt } from '../platform/keys.ts'
import { batchGet } from '../platform/table/batches.ts'
import { retryRaces } from '../platform/table/retry-races.ts'
import { getItem, ifConditionHolds, updateItem } from '../platform/table/table.ts'
import { transact, type Write } from '../platform/table/transactions.ts'
import { DAY } from '../platform/values/durations.ts'
import type { Instant } from '../platform/values/values.ts'
import { holeWrites } from '../positions/holes.ts'
import { closePosition } from '../positions/open-positions.ts'
import type { Phone } from '../stops/compliance.ts'

/** Writes that only the erasure of a person makes. */

/** Reads only these fields, so that a malformed lead can be erased too. */
const LeadHead = v.object({
  owner: v.number(),
  version: v.number(),
  position: v.number(),
  phone_number: v.string(),
  email: v.optional(v.string()),
  external_id: v.optional(v.string()),
})

const RACES = 50
/** Index of the write, in the transaction that removes a lead, that fails when the position is already a hole. */
const HOLE_WRITE = 1

const personWrites = async (owner: number, phoneNumber: string, lead: number): Promise<Write[]> => {
  const person = await getPerson(owner, phoneNumber)
  if (person.version === 0) return []
  const leads = person.leads.filter(({ id }) => id !== lead)
  if (leads.length > 0) return [replacePerson({ ...person, leads, version: person.version + 1 })]
  return [{ delete: personKey(owner, phoneNumber), condition: 'version = :version', values: { ':version': person.version } }]
}

/**
 * Removes a lead and its lookup items, and makes its position in the list a hole, in one transaction. Safe to repeat.
 * @returns false when the lead is gone, or has another phone number by now
 */
export const removeLead = (id: number, phoneNumber: string): Promise<boolean> => {
  let isHole = false
  return retryRaces({ tries: RACES, lost: `Lead ${id} changed while it was being erased,` }, async () => {
    const lead = await getItem(LeadHead, leadKey(id))
    if (lead?.phone_number !== phoneNumber) return false
    const { owner, version, position, email, external_id } = lead
    const result = await transact([
      { delete: leadKey(id), condition: 'version = :version', values: { ':version': version } },
      ...(isHole ? [] : holeWrites(owner, position)),
      ...(email ? [{ delete: emailPointerKey(owner, email, id) }] : []),
      ...(external_id ? [{ delete: externalIdPointerKey(owner, external_id, id) }] : []),
      ...(await personWrites(owner, phoneNumber, id)),
    ])
    if (result.committed) closePosition(owner, position)
    // A lead on a hole is in no list and no count.
    else isHole ||= result.refused.includes(HOLE_WRITE)
    return result.committed || undefined
  })
}

const PhoneNumber = v.object({ phone_number: v.optional(v.unknown()) })

/** Removes a person without a lead that has the number: a leftover of removed leads. @returns whether it was removed */
export const removeEmptyPerson = (owner: number, phoneNumber: string): Promise<boolean> =>
  retryRaces({ tries: RACES, lost: `A person of owner ${owner} changed while being erased,` }, async () => {
    const { leads, version } = await getPerson(owner, phoneNumber)
    if (version === 0) return false
    const keys = leads.map(({ id }) => leadKey(id))
    const there = await batchGet(PhoneNumber, keys, { consistent: true })
    if (there.some((lead) => lead.phone_number === phoneNumber)) return false
    const { committed } = await transact([
      { delete: personKey(owner, phoneNumber), condition: 'version = :version', values: { ':version': version } },
    ])
    return committed || undefined
  })

/** Replaces attributes of an item, if they are unchanged since they were read. @returns whether they were */
export const replaceAttributes = (
  key: Key,
  changes: readonly { readonly name: string; readonly old: unknown; readonly new: unknown }[],
  { isVersioned }: { readonly isVersioned: boolean },
): Promise<boolean> =>
  ifConditionHolds(
    updateItem(key, {
      UpdateExpression: `SET ${changes.map((_, at) => `#a${at} = :new${at}`).join(', ')}${isVersioned ? ' ADD version :one' : ''}`,
      ConditionExpression: changes.map((_, at) => `#a${at} = :old${at}`).join(' AND '),
      ExpressionAttributeNames: Object.fromEntries(changes.map(({ name }, at) => [`#a${at}`, name])),
      ExpressionAttributeValues: {
        ...Object.fromEntries(
          changes.flatMap((change, at) => [
            [`:new${at}`, change.new],
            [`:old${at}`, change.old],
          ]),
        ),
        ...(isVersioned && { ':one': 1 }),
      },
    }),
  )

/** Replaces a stored answer with a 410. A repeat of the request gets that and is not run again. */
export const forgetAnswer = async (key: Key, body: string): Promise<void> => {
  await ifConditionHolds(
    updateItem(key, {
      UpdateExpression: 'SET answer = :answer',
      ConditionExpression: 'attribute_exists(answer)',
      ExpressionAttributeValues: { ':answer': { status: 410, headers: {}, body } },
    }),
  )
}

/** Whether a phone's item must survive the erasure: it has stops, a revocation of consent, or calls that legal limits count. */
export const mustStay = (phone: Phone, at: Instant): boolean =>
  phone.call_dnc ||
  phone.sms_dnc ||
  phone.call_listed ||
  phone.sms_listed ||
  phone.call_revoked !== null ||
  phone.attempts.some((attempt) => attempt > at - DAY)

/** Removes a phone's item. @returns false when it has changed since it was read */
export const removePhone = async (pk: string, { version }: Phone): Promise<boolean> =>
  (await transact([{ delete: phoneKeyAt(pk), condition: 'version = :version', values: { ':version': version } }])).committed
