import * as v from 'valibot'
import { emailField } from '../http/fields/email.ts'
import { phoneField } from '../http/fields/phone.ts'
import { charField } from '../http/fields/text.ts'
import { isWhole, type ListAsked } from '../leads/api/list-request.ts'
import { getLeads } from '../leads/lead-store.ts'
import { getPerson } from '../leads/person-store.ts'
import { pointedAmong } from '../leads/pointer-store.ts'
import { fitsFilter } from '../leads/rules/lead-filter.ts'
import { byLastChange, newestFirst } from '../leads/rules/newest-first.ts'
import { emailKey } from '../leads/rules/uniqueness.ts'
import { emailPointerKey, externalIdPointerKey, type Key } from '../platform/keys.ts'
import { invalid } from '../platform/values/errors.ts'
import type { LeadList } from '../positions/lead-pages.ts'
import { type LeadsOfValue, leadsOfValue } from './list-by-value.ts'
import { MOST_COUNTED } from './merged-lists.ts'

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

/** The leads with one value. */
interface Sought {
  /** Partition key of the pointers to the leads. Undefined for a phone number, whose leads are few. */
  readonly value?: string
  /** Ids of leads, or the first of many. */
  readonly find: () => Promise<LeadsOfValue | readonly number[]>
}

type Seek = (owner: number, text: string) => Sought

/** A value that no lead can have gives an empty list, and no error. */
const exactly =
  (schema: v.GenericSchema<unknown, string>, seek: Seek): Seek =>
  (owner, text) => {
    const value = v.safeParse(schema, text)
    return value.success ? seek(owner, value.output) : { find: async () => [] }
  }

const byPointer = ({ pk }: Key): Sought => ({ value: pk, find: () => leadsOfValue(pk) })

const byPhone = exactly(phoneField(), (owner, phone) => ({
  find: async () => (await getPerson(owner, phone)).leads.map(({ id }) => id),
}))

/** Query parameters that list the leads with exactly that value. */
const LOOK_UPS = {
  /** A plus sign that was not escaped arrives as a space. */
  phone_number: (owner, text) => byPhone(owner, text.replace(/^ (?=\d)/, '+')),
  email: exactly(emailField(), (owner, email) => byPointer(emailPointerKey(owner, email, 0))),
  external_id: exactly(charField({ maxLength: 255 }), (owner, id) => byPointer(externalIdPointerKey(owner, id, 0))),
} as const satisfies Record<string, Seek>

export const LOOK_UP_PARAMETERS = Object.keys(LOOK_UPS)

/** Up to this many leads are read and sorted like the whole list. More are sorted by id, and ids come in blocks. */
export const MOST_SORTED = 200

const TOO_MANY = `More than ${MOST_SORTED} leads match. Leave the other filters and the ordering out.`
const SEVERAL_SHARED = `Each of these values has more than ${MOST_COUNTED.toLocaleString('en')} leads. Look up only one of them.`

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

/** A value that more leads share than are counted: the list is read in parts. */
type Shared = Pick<LeadsOfValue, 'value'> & Partial<LeadsOfValue>

const isShared = (found: LeadsOfValue | readonly number[]): found is LeadsOfValue =>
  'head' in found && (found.head.next !== undefined || found.head.found.length > MOST_COUNTED)

const idsOf = (found: LeadsOfValue | readonly number[]): readonly number[] =>
  'head' in found ? found.head.found.map(({ lead }) => lead) : found

const listOf = (ids: readonly number[], asked: ListAsked): LeadList | Promise<LeadList> => {
  if (ids.length <= MOST_SORTED) return byPosition(ids, asked)
  if (isWhole(asked)) return byId(ids)
  throw invalid({ non_field_errors: [TOO_MANY] })
}

/**
 * The owner's leads with all of the given values that fit the filter, the newest first. Undefined when no value is given. Strongly
 * consistent.
 * @returns a value instead when very many leads share it, or when the request has a cursor of its list
 * @throws ServiceError when too many leads have the values for a filter, or each of several values
 */
export const lookUpLeads = async (
  owner: number,
  query: Readonly<Record<string, string>>,
  asked: ListAsked,
): Promise<LeadList | Shared | undefined> => {
  const sought = Object.entries(LOOK_UPS).flatMap(([name, seek]) => {
    const text = query[name] ?? ''
    return text.trim() === '' ? [] : [seek(owner, text)]
  })
  const [only, ...others] = sought
  if (!only) return undefined
  if (others.length === 0 && only.value && asked.cursor !== undefined && isWhole({ ...asked, cursor: undefined })) {
    return { value: only.value }
  }
  const found = await Promise.all(sought.map(({ find }) => find()))
  const shared = found.filter(isShared)
  const [first, ...further] = found.filter((one) => !isShared(one)).map((one) => new Set(idsOf(one)))
  if (!first) {
    const [value, ...more] = shared
    if (more.length > 0) throw invalid({ non_field_errors: [SEVERAL_SHARED] })
    if (value && isWhole(asked)) return value
    throw invalid({ non_field_errors: [TOO_MANY] })
  }
  let ids = [...first].filter((id) => further.every((other) => other.has(id)))
  for (const { value } of shared) {
    const named = await pointedAmong(value, ids)
    ids = ids.filter((id) => named.has(id))
  }
  return listOf(ids, asked)
}
