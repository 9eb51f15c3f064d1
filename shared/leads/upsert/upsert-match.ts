import type { Lookup } from '../../ingestion/ingestion.ts'
import { logger } from '../../platform/logger.ts'
import { invalid } from '../../platform/values/errors.ts'
import type { Person } from '../../stops/compliance.ts'
import type { Lead } from '../lead.ts'
import { elsewhere, lookUp, type Missed, ownLeads, type Values } from '../look-up.ts'
import { MOST_SHARING } from '../pointer-store.ts'
import { type Reads, TABLE_READS } from '../reads.ts'
import { newestFirst } from '../rules/newest-first.ts'
import { isCreatedLater, markOf, type Row } from '../rules/row-marks.ts'
import { emailKey } from '../rules/uniqueness.ts'

export interface LeadMatch {
  readonly lead: Lead | undefined
  /** One that has the value, but was created by a later row of the same file: when this row was handled first, it was not there. */
  readonly later: Lead | undefined
  readonly missed: readonly Missed[]
  /** The person by whose phone number no lead was found, or one of several. */
  readonly person: Person | undefined
}

interface Asked extends Values {
  readonly lookups: readonly Lookup[]
  /** What to do with several leads of one value: take the newest, or refuse the upsert. */
  readonly several: 'newest' | 'refuse'
  readonly row: Row | undefined
}

const refused = (lookup: Lookup, count: number) => {
  const leads = count > MOST_SHARING ? `more than ${MOST_SHARING}` : `${count}`
  return invalid({ [lookup]: [`There are ${leads} leads with this value, and only one can be meant.`] })
}

/** Of a person's leads the one with the same email is meant, if there is one. */
const newestOf = (leads: readonly Lead[], { input }: Asked): Lead | undefined => {
  const email = emailKey(input.email)
  const sameEmail = leads.filter((lead) => email !== null && emailKey(lead.email) === email)
  return newestFirst(sameEmail.length > 0 ? sameEmail : leads)[0]
}

/**
 * Whether the leads that are listed under a value and have it not are so for good: found under it once more, and then still of the version
 * that was read, they had not got it meanwhile. Whatever wrote them so, the value's next upsert is not to fail by it.
 */
const areStale = async (listed: readonly Lead[], lookup: Lookup, asked: Asked, isOf: (lead: Lead) => boolean): Promise<boolean> => {
  const others = listed.filter((lead) => !isOf(lead))
  const again = await lookUp(lookup, asked, TABLE_READS)
  const current = await TABLE_READS.leads(others.map(({ id }) => id))
  if (!others.every(({ id, version }) => again?.ids.includes(id) && current.get(id)?.version === version)) return false
  const leads = others.map(({ id }) => id)
  logger.warn('Leads are listed under a value that they have not: `ops check` names them.', { owner: asked.owner, lookup, leads })
  return true
}

/**
 * The lead that an upsert is about: that of the first value that any has, or else the one that its row has written before. Of more than
 * MOST_SHARING with one value the newest is that of those with the largest ids. Ids ascend, but each function has a block of them in store:
 * a lead that was made out of an older block than all of these is not seen. Nor is the one that a row has written, when so many others with
 * larger ids have got the value before the row is repeated: the row is refused then.
 * @returns undefined when a lead got another value between the look-up and its reading: it is to be looked for again
 * @throws ServiceError under the value's name when several have it and only one may
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
  // Its lead may have been given another value since the row was handled.
  const lead = mayHaveWritten ? await elsewhere(asked, lookups, reads, isWritten) : undefined
  return { lead, later, missed, person }
}
