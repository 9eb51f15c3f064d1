import type { Requester } from '../accounts/requester.ts'
import { now } from '../platform/clock.ts'
import { retryRaces } from '../platform/table/retry-races.ts'
import { invalid } from '../platform/values/errors.ts'
import type { Instant } from '../platform/values/values.ts'
import type { ConsentRecord, ConsentState } from './consent.ts'
import { addConsentRecord, getConsentRecord, getConsentState } from './consent-store.ts'

/** Other records of the same phone cause races. */
const MAX_TRIES = 20

/** A record, and whether this request has added it. */
export interface Recorded {
  readonly record: ConsentRecord
  readonly isNew: boolean
}

/** Records of one phone and user, so that lists, exports and erasures stay bounded. */
export const MOST_RECORDS = 1000

const isSameConsent = (one: ConsentState, other: ConsentState): boolean => one.given === other.given && one.weaker === other.weaker

type Content = Omit<ConsentRecord, 'sequence' | 'owner' | 'received_time' | 'received_by'>

interface RecordKind {
  /** The sequence of the record that it repeats. */
  readonly repeated: (state: ConsentState, received_time: Instant) => number | undefined
  readonly next: (state: ConsentState, received_time: Instant) => ConsentState
  /** Wraps the write of a record that changes the current consent. */
  readonly wrap?: (write: () => Promise<boolean>) => Promise<boolean>
  /** The field under which a full history is reported, and the message. */
  readonly full: { readonly field: string; readonly message: string }
}

/** A revocation that ends a consent is recorded even then. No consent can follow it, so there is at most one. */
const isFull = (before: ConsentState, after: ConsentState): boolean =>
  before.last_sequence >= MOST_RECORDS && !(before.given !== null && after.given === null)

/**
 * Adds a record to those of its phone, unless it repeats one of them.
 * @throws ServiceError of validation when the phone has too many records
 */
export const addRecord = ({ id: owner, staff = owner }: Requester, content: Content, kind: RecordKind): Promise<Recorded> => {
  const { phone_number } = content
  const { repeated, next, wrap = (write) => write(), full } = kind
  return retryRaces({ tries: MAX_TRIES, lost: 'The consent of a phone was being recorded by others' }, async () => {
    const state = await getConsentState(owner, phone_number)
    const received_time = now()
    const sequence = repeated(state, received_time)
    const earlier = sequence === undefined ? undefined : await getConsentRecord(owner, phone_number, sequence)
    if (earlier) return { record: earlier, isNew: false }
    const after = next(state, received_time)
    if (isFull(state, after)) throw invalid({ [full.field]: [full.message] })
    const record = { ...content, sequence: after.last_sequence, owner, received_time, received_by: staff }
    const write = () => addConsentRecord(record, after)
    const isAdded = isSameConsent(state, after) ? await write() : await wrap(write)
    return isAdded ? { record, isNew: true } : undefined
  })
}
