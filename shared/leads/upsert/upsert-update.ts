import type { User } from '../../accounts/configuration.ts'
import type { SendCall } from '../../backlog/dispatch.ts'
import { nextSequence } from '../../platform/sequence.ts'
import type { Write } from '../../platform/table/transactions.ts'
import { ServiceError } from '../../platform/values/errors.ts'
import { raiseDnc } from '../../stops/flag-store.ts'
import { phonePk } from '../../stops/phone-store.ts'
import { finishStops, showStop } from '../../stops/stop.ts'
import type { StopOrigin } from '../../stops/stop-record.ts'
import type { UpsertLead } from '../api/lead-request.ts'
import { recordSentConsent } from '../create/sent-consent.ts'
import { ownStops } from '../create/sent-stops.ts'
import { originOf } from '../create-lead.ts'
import type { Lead } from '../lead.ts'
import type { LeadWriter } from '../lead-writer.ts'
import { othersBefore } from '../look-up.ts'
import { pointersOf } from '../pointer-store.ts'
import { READABLE_READS, type Reads, TABLE_READS } from '../reads.ts'
import { changesLead, patchOf } from '../rules/create/upsert.ts'
import { isOutdated, markOf, type Row, withMark } from '../rules/row-marks.ts'
import { tryUpdate } from '../update-lead.ts'
import { beginUpdate, type FollowUp, followAtOnce, mayUpdate, planUpdate, type UpsertWrites } from '../update-plan.ts'
import { guardChanged, guardUnchanged, type LeadMatch } from './upsert-match.ts'

export interface Upserted {
  readonly lead: Lead
  readonly action: 'created' | 'updated' | 'unchanged'
  /** When the lead is new: ids of the other leads of its phone, as they were read. */
  readonly others?: readonly number[]
}

interface Upsert {
  readonly owner: User
  readonly input: UpsertLead
  readonly token: string
  readonly row?: Row | undefined
  readonly follow?: FollowUp
  readonly send?: SendCall
  /** Default: the table. */
  readonly reads?: Reads | undefined
  readonly writer: LeadWriter
}

type Found = LeadMatch & { readonly lead: Lead }

/**
 * Guards for the values that this update gives the lead. They let this update and concurrent upserts that looked up the same values detect
 * each other.
 */
const guardsOf = ({ lead, missed }: Found, after: Lead, token: string): Write[] => {
  const [had, has] = [pointersOf(lead), pointersOf(after)].map((keys) => keys.map(({ pk }) => pk))
  const looked = missed.map(({ pk }) => pk)
  const given = (has ?? []).filter((pk) => !had?.includes(pk) && !looked.includes(pk))
  return [...missed.map((one) => guardUnchanged(one.pk, one, token)), ...given.map((pk) => guardChanged(pk, token))]
}

/** How the stops of an upsert were received. Without a row, it comes from an ingestion URL. */
export const originOfUpsert = (owner: number, row: Row | undefined): StopOrigin =>
  originOf(owner, { means: 'ingestion', ...(row && { row }) })

/** Raises an update's stops on its phones. @returns a function that shows them on the leads, to be called later */
const raiseOnPhones = async ({ lead }: Found, { owner, input, row, writer }: Upsert, accepted: string, raised: Set<string>) => {
  const channels = ownStops(input)
  const phones = channels.length > 0 ? [...new Set([lead.phone_number, input.phone_number ?? lead.phone_number])] : []
  const shows: (() => Promise<void>)[] = []
  for (const phoneNumber of phones) {
    const pk = await phonePk(owner.dnc_group, phoneNumber)
    await writer.stop(phoneNumber, pk, channels, async () => {
      const origin = { ...originOfUpsert(owner.id, row), lead: lead.id }
      const before = await raiseDnc(pk, channels, { accepted, owner: owner.id, origin })
      for (const channel of channels) raised.add(`${channel} ${pk}`)
      shows.push(() => showStop(owner.id, phoneNumber, pk, { channels, accepted, before }))
    })
  }
  return async (): Promise<void> => {
    for (const show of shows) await show()
  }
}

/**
 * Applies an upsert's changes to its lead, if there are any. A stop is raised on the phone first and shown on other leads last. The lead
 * itself records for a retry that the row was handled.
 * @returns undefined when another write came first: look the lead up again
 */
export const updateMatch = async (found: Found, upsert: Upsert): Promise<Upserted | undefined> => {
  const { lead } = found
  const { owner, input, token, row, follow = followAtOnce, send, reads = READABLE_READS, writer } = upsert
  const patch = patchOf(input)
  const accepted = nextSequence()
  const mark = row && markOf(lead, row)
  if (mark) {
    await follow(async () => (await raiseOnPhones(found, upsert, accepted, new Set()))())
    if (mark !== 'created') return { lead, action: 'updated' }
    return { lead, action: 'created', others: await othersBefore(lead, row, writer.over(reads)) }
  }
  const isOver = row !== undefined && isOutdated(lead, row)
  if (!changesLead(lead, patch)) {
    const channels = isOver ? [] : ownStops(input)
    if (channels.length > 0) {
      const pk = await phonePk(owner.dnc_group, lead.phone_number)
      const origin = { ...originOfUpsert(owner.id, row), lead: lead.id }
      await writer.stop(lead.phone_number, pk, channels, () => finishStops(owner.id, lead.phone_number, pk, channels, origin))
    }
    await recordSentConsent(owner, input, writer)
    return { lead, action: 'unchanged' }
  }
  const update = await beginUpdate(
    owner.id,
    patch,
    { cause: 'MANUAL', accepted, atOnce: true, origin: originOfUpsert(owner.id, row), ...(send && { send }) },
    writer.over(TABLE_READS),
  )
  // In its first run, before the later row, this row wrote nothing, because it changed nothing or was refused. A refused row is refused
  // again.
  if (isOver) return (await mayUpdate(lead, update)) ? { lead, action: 'unchanged' } : undefined
  const show = await raiseOnPhones(found, upsert, accepted, update.raised)
  const beside: UpsertWrites = {
    fields: { ingested: row ? withMark(lead.ingested, row, 'updated') : lead.ingested },
    writes: (after) => guardsOf(found, after, token),
    ...{ person: found.person, follow },
  }
  const plan = async (): Promise<Lead | undefined> => {
    const planned = await planUpdate(lead, update, beside)
    return planned && (planned.next ?? lead)
  }
  const write = async (): Promise<Lead | undefined> => {
    await recordSentConsent(owner, input, writer)
    return writer.write(plan, () => tryUpdate(lead, update, beside))
  }
  const updated = await write().catch(async (error: unknown) => {
    // The stop belongs to the phone. It holds even if the update is refused.
    if (error instanceof ServiceError) await show()
    throw error
  })
  if (!updated) return undefined
  await follow(show)
  return { lead: updated, action: 'updated' }
}
