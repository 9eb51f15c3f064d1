import type { Requester } from '../accounts/api-key-store.ts'
import { now } from '../platform/clock.ts'
import { retryRaces } from '../platform/table/retry-races.ts'
import { invalid } from '../platform/values/errors.ts'
import { inTheFuture } from './api/consent-request.ts'
import type { ConsentRecord, ConsentState } from './consent.ts'
import { addConsentRecord, getConsentRecord, getConsentState } from './consent-store.ts'

/** Other records of the same phone cause races. */
const MAX_TRIES = 20

/** A record, and whether this request has added it. */
export interface Recorded {
  readonly record: ConsentRecord
  readonly isNew: boolean
}

/** @throws ServiceError of validation under `time` */
export const checkTime = (time: number): void => {
  const problem = inTheFuture(time, now())
  if (problem !== undefined) throw invalid({ time: [problem] })
}

type Content = Omit<ConsentRecord, 'sequence' | 'owner' | 'received_time' | 'received_by'>

/** The rule for one kind of record. */
interface Rule {
  /** The sequence of the record that it repeats. */
  readonly repeated: (state: ConsentState, received_time: number) => number | undefined
  readonly next: (state: ConsentState, received_time: number) => ConsentState
}

/** Adds a record to those of its phone, unless it repeats one of them. */
export const addRecord = ({ id: owner, staff = owner }: Requester, content: Content, { repeated, next }: Rule): Promise<Recorded> => {
  const { phone_number } = content
  return retryRaces({ tries: MAX_TRIES, lost: 'The consent of a phone was being recorded by others' }, async () => {
    const state = await getConsentState(owner, phone_number)
    const received_time = now()
    const sequence = repeated(state, received_time)
    const earlier = sequence === undefined ? undefined : await getConsentRecord(owner, phone_number, sequence)
    if (earlier) return { record: earlier, isNew: false }
    const after = next(state, received_time)
    const record = { ...content, sequence: after.last_sequence, owner, received_time, received_by: staff }
    return (await addConsentRecord(record, after)) ? { record, isNew: true } : undefined
  })
}
