import { invalid } from '../domain/errors.ts'
import { isCreatedLater, markOf, type Row } from '../domain/ingestion/row-marks.ts'
import { newestFirst } from '../domain/leads/newest-first.ts'
import { emailKey } from '../domain/leads/uniqueness.ts'
import type { Person } from '../schema/compliance.ts'
import type { Lookup } from '../schema/ingestion.ts'
import type { Lead } from '../schema/lead.ts'
import { elsewhere, lookUp, type Missed, ownLeads, type Values } from './look-up.ts'
import type { Reads } from './reads.ts'

export interface Match {
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

/** Of a person's leads the one with the same email is meant, if there is one. */
const choose = (leads: readonly Lead[], lookup: Lookup, { input, several, row }: Asked): Lead | undefined => {
  const marked = row && leads.find((lead) => markOf(lead, row) !== undefined)
  if (marked || leads.length < 2) return marked ?? leads[0]
  if (several === 'refuse') throw invalid({ [lookup]: [`There are ${leads.length} leads with this value, and only one can be meant.`] })
  const email = emailKey(input.email)
  const sameEmail = leads.filter((lead) => email !== null && emailKey(lead.email) === email)
  return newestFirst(sameEmail.length > 0 ? sameEmail : leads)[0]
}

/**
 * The lead that an upsert is about: that of the first value that any has, or else the one that its row has written before.
 * @returns undefined when a lead got another value between the look-up and its reading: it is to be looked for again
 * @throws ServiceError under the value's name when several have it and only one may
 */
export const findMatch = async (asked: Asked, reads: Reads): Promise<Match | undefined> => {
  const missed: Missed[] = []
  let person: Person | undefined
  let later: Lead | undefined
  const { row } = asked
  const isLater = (lead: Lead): boolean => row !== undefined && isCreatedLater(lead, row)
  for (const lookup of asked.lookups) {
    const found = await lookUp(lookup, asked, reads)
    if (!found) continue
    person = found.person ?? person
    const leads = await ownLeads(asked.owner, found.ids, reads)
    if (!leads.every(found.isOf)) return undefined
    later ??= leads.find(isLater)
    const lead = choose(
      leads.filter((one) => !isLater(one)),
      lookup,
      asked,
    )
    if (lead) return { lead, later, missed, person }
    missed.push(...found.missed)
  }
  // Its lead may have been given another value since the row was handled.
  const isWritten = (lead: Lead): boolean => row !== undefined && markOf(lead, row) !== undefined
  const written = row && !row.isFirst ? await elsewhere(asked, asked.lookups, reads, isWritten) : undefined
  return { lead: written, later, missed, person }
}
