import type { Requester } from '../accounts/api-key-store.ts'
import { unknownId } from '../http/fields/number.ts'
import { getOwnLead } from '../leads/lead-store.ts'
import { now } from '../platform/clock.ts'
import { invalid } from '../platform/values/errors.ts'
import { addRecord, checkTime, type Recorded } from './add-record.ts'
import { type GivenConsent, inTheFuture } from './api/consent-request.ts'
import { fingerprintOf } from './fingerprint.ts'
import { releasingLeads } from './release-leads.ts'
import { repeatedConsent, withConsent } from './rules/current-consent.ts'

/** @throws ServiceError of validation when the owner has no such lead with this phone number */
export const checkLead = async (owner: number, lead: number, phoneNumber: string): Promise<void> => {
  const found = await getOwnLead(owner, lead)
  if (!found) throw invalid({ lead: [unknownId(lead)] })
  if (found.phone_number !== phoneNumber) throw invalid({ lead: ['This lead has another phone number.'] })
}

/** Where a consent comes from, besides the request. */
interface Of {
  readonly phoneNumber: string
  /** The lead that it is sent with. */
  readonly lead: number | null
}

/**
 * Records a consent, unless the same one is recorded already. Then releases the leads that waited for it.
 * @throws ServiceError of validation under `time`
 */
export const giveConsent = async (requester: Requester, consent: GivenConsent, { phoneNumber, lead }: Of): Promise<Recorded> => {
  const { type, time, proof_text, proof_url, seller, source } = consent
  checkTime(time)
  const fingerprint = fingerprintOf(consent)
  return releasingLeads(requester.id, phoneNumber, () =>
    addRecord(
      requester,
      {
        ...{ phone_number: phoneNumber, kind: 'given', type, time, proof_text, proof_url, seller, source },
        ...{ lead_id: lead, how: null, channels: [] },
      },
      {
        repeated: (state, received_time) => repeatedConsent(state, { type, time, received_time, fingerprint }),
        next: (state, received_time) => withConsent(state, { type, time, received_time, fingerprint }),
      },
    ),
  )
}

/**
 * As `giveConsent`, for a consent that is sent with a lead. It is recorded before the lead is written, so it names no lead.
 * @throws ServiceError of validation under `consent`
 */
export const giveSentConsent = async (requester: Requester, consent: GivenConsent, phoneNumber: string): Promise<void> => {
  const problem = inTheFuture(consent.time, now())
  if (problem !== undefined) throw invalid({ consent: [`time: ${problem}`] })
  await giveConsent(requester, consent, { phoneNumber, lead: null })
}
