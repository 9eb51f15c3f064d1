import type { Requester } from '../accounts/requester.ts'
import { knownUser } from '../accounts/user-store.ts'
import { unknownId } from '../http/fields/number.ts'
import { getOwnLead } from '../leads/lead-store.ts'
import { invalid } from '../platform/values/errors.ts'
import { getPhone, phonePk } from '../stops/phone-store.ts'
import { addRecord, MOST_RECORDS, type Recorded } from './add-record.ts'
import type { GivenConsent } from './api/consent-request.ts'
import { checkTime } from './check-time.ts'
import { fingerprintOf } from './fingerprint.ts'
import { releasingLeads } from './release-leads.ts'
import { sequenceOf, withConsent, withoutRevoked } from './rules/current-consent.ts'

/** @throws ServiceError of validation when the owner has no such lead with this phone number */
export const checkLead = async (owner: number, lead: number, phoneNumber: string): Promise<void> => {
  const found = await getOwnLead(owner, lead)
  if (!found) throw invalid({ lead: [unknownId(lead)] })
  if (found.phone_number !== phoneNumber) throw invalid({ lead: ['This lead has another phone number.'] })
}

/** Where a consent comes from, besides the request. */
interface Origin {
  readonly phoneNumber: string
  readonly lead: number | null
  /** The field of a lead's body with which it is sent. */
  readonly field?: string
}

const FULL = `This phone number has ${MOST_RECORDS} records of consent, which is the most. The consent was not recorded.`

/**
 * Records a consent, unless the same one is recorded already. Then releases the leads that waited for it. A consent that is sent with a
 * lead is recorded before the lead is written, so it names no lead.
 * @throws ServiceError of validation
 */
export const giveConsent = async (requester: Requester, consent: GivenConsent, origin: Origin): Promise<Recorded> => {
  const { type, time, proof_text, proof_url, seller, source } = consent
  const { phoneNumber, lead, field } = origin
  checkTime(time, field)
  const fingerprint = fingerprintOf(consent)
  const { call_revoked } = await getPhone(await phonePk((await knownUser(requester.id)).dnc_group, phoneNumber))
  return addRecord(
    requester,
    {
      ...{ phone_number: phoneNumber, kind: 'given', type, time, proof_text, proof_url, seller, source },
      ...{ lead_id: lead, how: null, channels: [] },
    },
    {
      repeated: (state, received_time) => sequenceOf(state, { time, received_time, fingerprint }),
      next: (state, received_time) => withConsent(withoutRevoked(state, call_revoked), { type, time, received_time, fingerprint }),
      wrap: (write) => releasingLeads(requester.id, phoneNumber, write),
      full: { field: field ?? 'phone_number', message: FULL },
    },
  )
}
