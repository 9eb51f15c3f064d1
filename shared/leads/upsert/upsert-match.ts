import type { Lookup } from '../../ingestion/rules/target-fields.ts'
import { realNow } from '../../platform/clock.ts'
import { GUARD_SK } from '../../platform/keys.ts'
import { logger } from '../../platform/logger.ts'
import type { Write } from '../../platform/table/transactions.ts'
import { HOUR } from '../../platform/values/durations.ts'
import { invalid } from '../../platform/values/errors.ts'
import type { Person } from '../../stops/compliance.ts'
import type { Lead } from '../lead.ts'
import { elsewhere, lookUp, type Missed, ownLeads, type Values } from '../look-up.ts'
import { MOST_SHARING, type Pointed } from '../pointer-store.ts'
import { type Reads, TABLE_READS } from '../reads.ts'
import { newestFirst } from '../rules/newest-first.ts'
import { isCreatedLater, markOf, type Row } from '../rules/row-marks.ts'
import { emailKey } from '../rules/uniqueness.ts'

/** Milliseconds that a guard is kept. No upsert lasts this long. */
const KEPT = HOUR

/**
 * Transaction write for a value that a lead gets. Upserts that looked the value up before detect the change.
 * @param pk of the value's
 * pointers
 */
export const guardChanged = (pk: string, upserted: string) => ({
  put: { pk, sk: GUARD_SK, upserted, expires_at: Math.floor((realNow() + KEPT) / 1000) },
})

/** Like `guardChanged`, but fails when another upsert has written this guard since the lookup. */
export const guardUnchanged = (pk: string, { guard }: Pick<Pointed, 'guard'>, upserted: string): Write => ({
  ...guardChanged(pk, upserted),
  ...(guard === null
    ? { condition: 'attribute_not_exists(pk)' }
    : { condition: 'attribute_not_exists(pk) OR upserted = :seen', values: { ':seen': guard } }),
})

export interface LeadMatch {
  readonly lead: Lead | undefined
  /** A lead that has the value but was created by a later row of the same file. It did not exist in this row's first run. */
  readonly later: Lead | undefined
  readonly missed: readonly Missed[]
  /** The person that was read, when the lookup used the phone number. */
  readonly person: Person | undefined
}

interface Asked extends Values {
  readonly lookups: readonly Lookup[]
  /** When several leads share one value: take the newest, or refuse the upsert. */
  readonly several: 'newest' | 'refuse'
  readonly row: Row | undefined
}

const refused = (lookup: Lookup, count: number) => {
  const leads = count > MOST_SHARING ? `more than ${MOST_SHARING}` : `${count}`
  return invalid({ [lookup]: [`There are ${leads} leads with this value. The value must name one lead.`] })
}

/** Prefers the leads with the same email, if there are any. */
const newestOf = (leads: readonly Lead[], { input }: Asked): Lead | undefined => {
  const email = emailKey(input.email)
  const sameEmail = leads.filter((lead) => email !== null && emailKey(lead.email) === email)
  return newestFirst(sameEmail.length > 0 ? sameEmail : leads)[0]
}

/**
 * Whether leads stay listed under a value that they do not have. This is so when a second lookup lists them with the same versions. Such a
 * stale pointer must not make every upsert of the value fail.
 */
const areStale = async (listed: readonly Lead[], lookup: Lookup, asked: Asked, isOf: (lead: Lead) => boolean): Promise<boolean> => {
  const others = listed.filter((lead) => !isOf(lead))
  const again = await lookUp(lookup, asked, TABLE_READS)
  const current = await TABLE_READS.leads(others.map(({ id }) => id))
  if (!others.every(({ id, version }) => again?.ids.includes(id) && current.get(id)?.version === version)) return false
  const leads = others.map(({ id }) => id)
  logger.warn('Leads are listed under a value that they do not have. `ops check` names them.', { owner: asked.owner, lookup, leads })
  return true
}

/**
 * Finds the lead of an upsert: by the first lookup value that any lead has, or else the lead that the row wrote in an earlier run. When
 * more than MOST_SHARING leads share a value, only those with the largest ids are read, and the newest of them wins. This may miss a newer
 * lead, because functions take ids in blocks. It may also miss the lead that the row wrote: then the row is refused.
 * @returns undefined when a lead got another value between the lookup and the read: look it up again
 * @throws ServiceError under the value's name when several leads have it and only one may
 */
export const findMatch = async (asked: Asked, reads: Reads): Promise<LeadMatch | undefined> => {
  const missed: Missed[] = []
  let person: Person | undefined
  let later: Lead | undefined
  const { owner, lookups, several, row } = asked
  const mayHaveWritten = row !== undefined && !row.isFirst
  const isWritten = (lead: Lead): boolean => row !== undefined && markOf(lead, row) !== undefined
  const isLater = (lead: Lead): boolean => row !== undefined && isCreatedLater(lead, row)
  for (const lookup of lookups) {
    const found = await lookUp(lookup, asked, reads)
    if (!found) continue
    person = found.person ?? person
    const { ids, isOf } = found
    if (several === 'refuse' && ids.length > 1 && !mayHaveWritten) throw refused(lookup, ids.length)
    const listed = await ownLeads(owner, mayHaveWritten ? ids : ids.slice(0, MOST_SHARING), reads)
    const leads = listed.filter(isOf)
    if (leads.length < listed.length && !(await areStale(listed, lookup, asked, isOf))) return undefined
    later ??= leads.find(isLater)
    const earlier = leads.filter((one) => !isLater(one))
    const written = earlier.find(isWritten)
    if (!written && several === 'refuse' && earlier.length > 1) throw refused(lookup, earlier.length)
    const lead = written ?? newestOf(earlier, asked)
    if (lead) return { lead, later, missed, person }
    missed.push(...found.missed)
  }
  // The row's lead may have got another value since the row was handled.
  const lead = mayHaveWritten ? await elsewhere(asked, lookups, reads, isWritten) : undefined
  return { lead, later, missed, person }
}
