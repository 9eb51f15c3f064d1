import * as v from 'valibot'
import type { Lead } from '#shared/leads/lead.ts'
import { getLead, leadFromItem } from '#shared/leads/lead-store.ts'
import { replacePerson } from '#shared/leads/person-store.ts'
import { emailKey, withEmail, withLead } from '#shared/leads/rules/uniqueness.ts'
import { leadKey, personKey } from '#shared/platform/keys.ts'
import { readTogether, stillAsRead } from '#shared/platform/table/as-read.ts'
import { transact } from '#shared/platform/table/transactions.ts'
import { Person } from '#shared/stops/compliance.ts'
import { type DamageKind, idIn, numbersIn } from '../kind.ts'

/** Reads a lead and a person item of its owner in one consistent read. */
const readBoth = async (id: number, owner: number, phone: string) => {
  const [item, found] = await readTogether([leadKey(id), personKey(owner, phone)])
  const lead = item && leadFromItem(item)
  const person = found && v.parse(Person, found)
  const isOf = lead?.owner === owner && lead.phone_number === phone
  return { item, lead: isOf ? lead : undefined, person, entry: person?.leads.find((each) => each.id === id) }
}

const replaceWhile = async (id: number, item: Record<string, unknown> | undefined, person: Person): Promise<boolean> =>
  (await transact([replacePerson(person), stillAsRead(leadKey(id), item, ['version'])])).committed

const readLeadAndPerson = async (
  id: number,
): Promise<({ lead: Lead } & Omit<Awaited<ReturnType<typeof readBoth>>, 'lead'>) | undefined> => {
  const lead = await getLead(id)
  const both = lead && (await readBoth(id, lead.owner, lead.phone_number))
  // The lead's phone may have changed between the two reads.
  return both?.lead && { ...both, lead: both.lead }
}

const emptyPerson = ({ owner, phone_number }: Lead): Person => ({ owner, phone_number, leads: [], version: 0 })

const lacksLead: DamageKind = {
  kind: 'person-lacks-lead',
  at: 'LEAD',
  about: 'A lead is missing from the leads of its phone number. Stops of that number do not reach it, and it can be created a second time.',
  look: async (where) => {
    const found = await readLeadAndPerson(idIn(where))
    if (!found || found.entry) return undefined
    const { lead, item, person } = found
    return {
      message: `Lead ${lead.id} is missing from the leads of ${lead.phone_number}. Stops of that number do not reach it, and the same lead can be created again.`,
      remedy: `adding it to the leads of ${lead.phone_number}`,
      repair: () => replaceWhile(lead.id, item, withLead(person ?? emptyPerson(lead), lead.id, lead.email)),
    }
  },
}

const emailDiffers: DamageKind = {
  kind: 'person-email',
  at: 'LEAD',
  about: 'The list of leads of a phone number has the wrong email for a lead. Creates are accepted or refused by the wrong email.',
  look: async (where) => {
    const found = await readLeadAndPerson(idIn(where))
    if (!found?.entry || !found.person || found.entry.email === emailKey(found.lead.email)) return undefined
    const { lead, item, person, entry } = found
    const recorded = entry.email ?? 'no email'
    return {
      message: `Lead ${lead.id} is listed under ${lead.phone_number} with ${recorded} instead of ${emailKey(lead.email) ?? 'none'}. Creates are accepted or refused by the wrong email.`,
      remedy: 'recording the email of the lead',
      repair: () => replaceWhile(lead.id, item, withEmail(person, lead.id, lead.email)),
    }
  },
}

const namesStranger: DamageKind = {
  kind: 'person-names-stranger',
  at: 'OWNER/PHONE/LEAD',
  about:
    'The list of leads of a phone number includes a lead that is gone or has another number. A create with the email of that lead is refused.',
  look: async (where) => {
    const [owner = 0, phone = 0, id = 0] = numbersIn(where.replace('+', ''), 3, '1/+12125550001/4711')
    const { item, lead, person, entry } = await readBoth(id, owner, `+${phone}`)
    if (lead || !person || !entry) return undefined
    const leads = person.leads.filter((each) => each.id !== id)
    return {
      message: `The leads of +${phone} of user ${owner} include lead ${id}, which is ${item ? 'not a lead of that number' : 'gone'}. A create with its email is refused.`,
      remedy: 'removing it from the leads of that number',
      repair: () => replaceWhile(id, item, { ...person, leads, version: person.version + 1 }),
    }
  },
}

export const persons: readonly DamageKind[] = [lacksLead, emailDiffers, namesStranger]
