import * as v from 'valibot'
import { namedUsers } from '#shared/accounts/names.ts'
import { emailField } from '#shared/http/fields/email.ts'
import { phoneField } from '#shared/http/fields/phone.ts'
import { charField } from '#shared/http/fields/text.ts'
import { getReadableLeads } from '#shared/leads/lead-store.ts'
import { getPerson } from '#shared/leads/person-store.ts'
import { leadsByEmail, leadsByExternalId, MOST_FOUND } from '#shared/leads/pointer-store.ts'
import { inLanes } from '#shared/platform/lanes.ts'
import { userNamed } from '../arguments.ts'
import { counted, table } from '../output.ts'
import { OpsRefusal } from '../refusal.ts'

/** How an operator names a lead: by id, or by phone number, email or external id, among all users' leads or those of one user. */
export interface LeadNaming {
  readonly lead: string
  /** Key or id. */
  readonly owner?: string | undefined
}

const LANES = 8

interface Named {
  readonly ids: readonly number[]
  /** More leads may have the value. */
  readonly hasMore: boolean
}

const idsByValue = async (owner: number, text: string): Promise<Named> => {
  const phone = v.safeParse(phoneField(), text)
  const email = v.safeParse(emailField(), text)
  const externalId = v.safeParse(charField({ maxLength: 255 }), text)
  const found = await Promise.all([
    phone.success ? getPerson(owner, phone.output).then(({ leads }) => leads.map(({ id }) => id)) : [],
    email.success ? leadsByEmail(owner, email.output) : [],
    externalId.success ? leadsByExternalId(owner, externalId.output) : [],
  ])
  return { ids: found.flat(), hasMore: found.some(({ length }) => length === MOST_FOUND) }
}

const isId = (text: string): boolean => /^[1-9]\d{0,9}$/.test(text)

/** Most leads that a refusal lists. */
const MOST_SHOWN = 20

const refusalOf = async (said: string, { ids, hasMore }: Named): Promise<OpsRefusal> => {
  const { leads, unreadable } = await getReadableLeads(ids.slice(0, MOST_SHOWN))
  const rows = [...leads.values()].map((lead) => [
    ...[lead.id, lead.owner, lead.phone_number, lead.email ?? '', lead.external_id ?? '', lead.status],
    new Date(lead.created_time).toISOString(),
  ])
  const shown = table(['lead', 'user', 'phone', 'email', 'external id', 'status', 'created'], rows, '')
  const others = ids.length - rows.length - unreadable.length
  return new OpsRefusal(
    [
      `${hasMore ? 'At least ' : ''}${counted(ids.length, 'lead')} are named ${said}. Name one by its id:\n`,
      shown,
      ...unreadable.map((id) => `Lead ${id} cannot be read.`),
      ...(others > 0 ? [`And ${hasMore ? 'at least ' : ''}${others} more.`] : []),
    ].join('\n'),
  )
}

/**
 * The id of the lead that an operator names. A lead's own id comes before other values.
 * @param ownerOf the owner of a lead; undefined when there is no such lead
 * @throws OpsRefusal when there is no lead, or more than one; the message then lists them
 */
export const leadIdOf = async (
  { lead: said, owner }: LeadNaming,
  ownerOf: (id: number) => Promise<number | undefined>,
): Promise<number> => {
  const user = owner === undefined ? undefined : await userNamed(owner)
  const ownerOfId = isId(said) ? await ownerOf(Number(said)) : undefined
  if (ownerOfId !== undefined && (user === undefined || user === ownerOfId)) return Number(said)
  const users = user === undefined ? await namedUsers() : [user]
  const found = await inLanes(LANES, users, (one) => idsByValue(one, said))
  const ids = [...new Set(found.flatMap((each) => each.ids))].sort((a, b) => b - a)
  const [id, ...others] = ids
  if (id === undefined) throw new OpsRefusal(`There is no lead ${said}. Name a lead by its id, phone number, email or external id.`)
  if (others.length > 0) throw await refusalOf(said, { ids, hasMore: found.some((each) => each.hasMore) })
  return id
}
