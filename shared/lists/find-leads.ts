import * as v from 'valibot'
import { emailField } from '../http/fields/email.ts'
import { phoneField } from '../http/fields/phone.ts'
import { charField } from '../http/fields/text.ts'
import { isWhole, type ListAsked } from '../leads/api/list-request.ts'
import { getLeads } from '../leads/lead-store.ts'
import { getPerson } from '../leads/person-store.ts'
import { leadsByEmail, leadsByExternalId } from '../leads/pointer-store.ts'
import { fitsFilter } from '../leads/rules/lead-filter.ts'
import { byLastChange, newestFirst } from '../leads/rules/newest-first.ts'
import { emailKey } from '../leads/rules/uniqueness.ts'
import { invalid } from '../platform/values/errors.ts'
import type { LeadList } from '../positions/lead-pages.ts'

/**
 * Finds the owner's lead with a phone number and an email, ignoring case. Null means a lead without an email.
 * @returns its id, or the newest one's when there are several; undefined when there is none
 */
export const matchLead = async (owner: number, phoneNumber: string, email: string | null): Promise<number | undefined> => {
  const person = await getPerson(owner, phoneNumber)
  const ids = person.leads.flatMap((lead) => (lead.email === emailKey(email) ? lead.id : []))
  if (ids.length < 2) return ids[0]
  const leads = await getLeads(ids, { consistent: true })
  return newestFirst(leads.values())[0]?.id
}

type Find = (owner: number, text: string) => Promise<number[]>

/** A value that no lead can have gives an empty list, and no error. */
const exactly =
  (schema: v.GenericSchema<unknown, string>, find: Find): Find =>
  async (owner, text) => {
    const value = v.safeParse(schema, text)
    return value.success ? find(owner, value.output) : []
  }

const byPhone = exactly(phoneField(), async (owner, phone) => (await getPerson(owner, phone)).leads.map(({ id }) => id))

/** Query parameters that list the leads with exactly that value. */
const LOOK_UPS = {
  /** A plus sign that was not escaped arrives as a space. */
  phone_number: (owner, text) => byPhone(owner, text.replace(/^ (?=\d)/, '+')),
  email: exactly(emailField(), leadsByEmail),
  external_id: exactly(charField({ maxLength: 255 }), leadsByExternalId),
} as const satisfies Record<string, Find>

export const LOOK_UP_PARAMETERS = Object.keys(LOOK_UPS)

/** Up to this many leads are read and sorted like the whole list. More are sorted by id, and ids come in blocks. */
export const MOST_SORTED = 200

const byPosition = async (ids: readonly number[], asked: ListAsked): Promise<LeadList> => {
  const found = [...(await getLeads(ids, { consistent: true })).values()].filter((lead) => fitsFilter(lead, asked))
  const leads = asked.ordering ? byLastChange(found, asked.ordering) : newestFirst(found)
  return { count: leads.length, page: async (skip, take) => leads.slice(skip, skip + take) }
}

const byId = (ids: readonly number[]): LeadList => {
  const sorted = ids.toSorted((a, b) => b - a)
  const page = async (skip: number, take: number) => {
    const wanted = sorted.slice(skip, skip + take)
    const leads = await getLeads(wanted, { consistent: true })
    return wanted.flatMap((id) => leads.get(id) ?? [])
  }
  return { count: ids.length, page }
}

/**
 * The owner's leads with all of the given values that fit the filter, the newest first. Undefined when no value is given. Strongly
 * consistent.
 * @throws ServiceError when too many leads have the values for a filter
 */
export const lookUpLeads = async (
  owner: number,
  query: Readonly<Record<string, string>>,
  asked: ListAsked,
): Promise<LeadList | undefined> => {
  const finding = Object.entries(LOOK_UPS).flatMap(([name, find]) => {
    const text = query[name] ?? ''
    return text.trim() === '' ? [] : [find(owner, text)]
  })
  const [first, ...others] = await Promise.all(finding)
  if (!first) return undefined
  const further = others.map((ids) => new Set(ids))
  const ids = first.filter((id) => further.every((other) => other.has(id)))
  if (ids.length <= MOST_SORTED) return byPosition(ids, asked)
  if (isWhole(asked)) return byId(ids)
  throw invalid({ non_field_errors: [`More than ${MOST_SORTED} leads have this value. Leave the other filters and the ordering out.`] })
}
