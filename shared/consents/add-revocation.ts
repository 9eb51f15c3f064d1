import type { Requester } from '../accounts/requester.ts'
import { failDialsUnderWay } from '../stops/phone-store.ts'
import { addRecord, type Recorded } from './add-record.ts'
import type { ConsentRecord } from './consent.ts'
import { sequenceOf, withRevocation } from './rules/current-consent.ts'

interface Revocation extends Pick<ConsentRecord, 'phone_number' | 'time' | 'how' | 'channels' | 'source'> {
  readonly fingerprint: string
  /** Partition key of the phone in the group of its user. */
  readonly phonePk: string
}

/**
 * Records a revocation, unless the same one is recorded. A dial may have read the phone after a lift of its stop, and the consent before this
 * record. The last write makes that dial fail.
 * @throws ServiceError of validation under `phone_number`, with the message `full`, when the phone has too many records
 */
export const addRevocation = async (
  requester: Requester,
  { fingerprint, phonePk, ...revocation }: Revocation,
  full: string,
): Promise<Recorded> => {
  const { time, channels } = revocation
  const recorded = await addRecord(
    requester,
    { ...revocation, kind: 'revoked', type: null, proof_text: null, proof_url: null, seller: null, lead_id: null },
    {
      repeated: (state, received_time) => sequenceOf(state, { time, received_time, fingerprint }),
      next: (state, received_time) => withRevocation(state, { time, channels, received_time, fingerprint }),
      full: { field: 'phone_number', message: full },
    },
  )
  if (channels.includes('call')) await failDialsUnderWay(phonePk)
  return recorded
}
