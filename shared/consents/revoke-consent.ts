import type { Requester } from '../accounts/api-key-store.ts'
import type { Instant } from '../platform/values/values.ts'
import { enterOnList } from '../stops/dnc-list.ts'
import { addRecord, checkTime, type Recorded } from './add-record.ts'
import type { RevokeConsent } from './api/consent-request.ts'
import { revocationFingerprint } from './fingerprint.ts'
import { repeatedRevocation, withRevocation } from './rules/current-consent.ts'

/**
 * Stops a phone, then records that its consent was revoked. In this order, no call starts after the answer, and the record says no more
 * than what holds. A request that was cut short between the two is repeated by its client.
 * @param began when the first run of the request began: the time of the revocation, if the client names none
 * @throws ServiceError of validation under `time`
 */
export const revokeConsent = async (requester: Requester, revocation: RevokeConsent, began: Instant): Promise<Recorded> => {
  const { phone_number, how, channels, source } = revocation
  const time = revocation.time ?? began
  checkTime(time)
  await enterOnList(requester.id, phone_number, channels)
  const fingerprint = revocationFingerprint({ ...revocation, time })
  return addRecord(
    requester,
    {
      ...{ phone_number, kind: 'revoked', time, how, channels, source },
      ...{ type: null, proof_text: null, proof_url: null, seller: null, lead_id: null },
    },
    {
      repeated: (state, received_time) => repeatedRevocation(state, { time, channels, received_time, fingerprint }),
      next: (state, received_time) => withRevocation(state, { time, channels, received_time, fingerprint }),
    },
  )
}
