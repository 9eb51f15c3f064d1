import type { Requester } from '../accounts/requester.ts'
import { now } from '../platform/clock.ts'
import { setting } from '../platform/environment.ts'
import { DAY, HOUR } from '../platform/values/durations.ts'
import { invalid } from '../platform/values/errors.ts'
import type { Instant } from '../platform/values/values.ts'
import { enterOnList } from '../stops/dnc-list.ts'
import { channelsEnded } from '../stops/rules/revocation.ts'
import { MOST_RECORDS, type Recorded } from './add-record.ts'
import { addRevocation } from './add-revocation.ts'
import { type SentRevocation, whyNoTime } from './api/consent-request.ts'
import { revocationFingerprint } from './fingerprint.ts'

const NOT_RECORDED = 'The phone number is stopped. This revocation was not recorded:'
const FULL = `${NOT_RECORDED} the number has ${MOST_RECORDS} records of consent, which is the most, and no consent is left to revoke.`

/** Refuses a time that cannot be recorded, and says that the phone is stopped all the same. */
const checkTimeOfStopped = (problem: string | undefined): void => {
  if (problem !== undefined) throw invalid({ time: [`${NOT_RECORDED} ${problem}`] })
}

/** How much later a day ends in the last time zone than in UTC. */
const LAST_ZONE = 12 * HOUR

/** A day alone means its last moment anywhere that has come. The person may have revoked after all consents of this day. */
const timeOf = ({ time, isDay }: SentRevocation, began: Instant): Instant => {
  if (time === null) return began
  return isDay && time <= began ? Math.min(time + DAY + LAST_ZONE - 1, began) : time
}

/**
 * Stops a phone, then records that its consent was revoked. In this order, no call starts after the answer, and the record never claims a stop
 * that does not exist. A request that was cut short between the two is repeated by its client. From `REVOKE_ALL_FROM` on, a revocation for
 * one channel ends both.
 * @param began when the first run of the request began: the time of the revocation, if the client names none
 * @throws ServiceError of validation under `time`, after the stop
 */
export const revokeConsent = async (requester: Requester, revocation: SentRevocation, began: Instant): Promise<Recorded> => {
  const { phone_number, how, source } = revocation
  const channels = channelsEnded(revocation.channels, now(), setting('REVOKE_ALL_FROM'))
  const time = timeOf(revocation, began)
  const problem = revocation.wrongTime ?? whyNoTime(time, now())
  await enterOnList(
    requester,
    phone_number,
    channels,
    { means: 'revocation', words: how },
    problem === undefined ? Math.min(time, now()) : began,
  )
  checkTimeOfStopped(problem)
  const fingerprint = revocationFingerprint({ ...revocation, time, channels: [...channels] })
  return addRevocation(requester, { phone_number, time, how, channels: [...channels], source, fingerprint }, FULL)
}
