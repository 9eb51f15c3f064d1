import type { Requester } from '../accounts/requester.ts'
import { addRecord, type Recorded } from './add-record.ts'
import type { ConsentRecord } from './consent.ts'
import { sequenceOf, withRevocation } from './rules/current-consent.ts'

interface Revocation extends Pick<ConsentRecord, 'phone_number' | 'time' | 'how' | 'channels' | 'source'> {
  readonly fingerprint: string
}

/**
 * Records a revocation, unless the same one is recorded.
 * @throws ServiceError of validation under `phone_number`, with the message `full`, when the phone has too many records
 */
export const addRevocation = (requester: Requester, { fingerprint, ...revocation }: Revocation, full: string): Promise<Recorded> => {
  const { time, channels } = revocation
  return addRecord(
    requester,
    { ...revocation, kind: 'revoked', type: null, proof_text: null, proof_url: null, seller: null, lead_id: null },
    {
      repeated: (state, received_time) => sequenceOf(state, { time, received_time, fingerprint }),
      next: (state, received_time) => withRevocation(state, { time, channels, received_time, fingerprint }),
      full: { field: 'phone_number', message: full },
    },
  )
}
