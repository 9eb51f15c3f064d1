import { createHash } from 'node:crypto'
import * as v from 'valibot'
import { now } from '../../platform/clock.ts'
import { claimedIds } from '../../platform/ids/claimed-ids.ts'
import { type Claim, claimRequest, keepAnswer, type Repeatable, releaseClaim, type StoredAnswer } from '../../platform/ids/idempotency.ts'
import { type Reservation, unrecorded } from '../../platform/ids/reservations.ts'
import type { Asker } from '../../platform/keys.ts'
import { loggable, logger } from '../../platform/logger.ts'
import { inProgress, ServiceError } from '../../platform/values/errors.ts'
import type { Reply } from '../reply.ts'
import type { Body } from './body.ts'
import { orRefusal } from './error-replies.ts'
import type { Incoming } from './incoming.ts'

export const MAX_KEY_LENGTH = 255

/** Client errors that do not depend on the request alone. They are not stored, so a repeat runs the request again. */
const NOT_KEPT = new Set([401, 409, 413, 415, 422, 429])

/** The `Idempotency-Key` of a POST, if it has one. @throws ServiceError `parse` when it is invalid */
export const repeatKeyOf = ({ method, headers }: Incoming): string | undefined => {
  const key = headers['idempotency-key']
  if (method !== 'POST' || key === undefined) return undefined
  if (key.length === 0 || key.length > MAX_KEY_LENGTH) {
    throw new ServiceError('parse', `Idempotency-Key must have between 1 and ${MAX_KEY_LENGTH} characters.`)
  }
  return key
}

/** A form is identified by its fields, because clients send a new boundary each time. */
const fingerprintOf = ({ bytes }: Incoming, body: Body | undefined): string =>
  createHash('sha256')
    .update(body?.form ? JSON.stringify(Object.entries(body.values)) : bytes)
    .digest('hex')

const answerOf = ({ status, body, headers = {} }: Reply): StoredAnswer => ({
  status,
  headers: { ...headers },
  body: body === undefined ? '' : JSON.stringify(body),
})

const replayed = ({ status, headers, body }: StoredAnswer): Reply => ({
  status,
  headers: { ...headers, 'Idempotent-Replayed': 'true' },
  ...(body !== '' && { body: JSON.parse(body) }),
})

/** The client gets its answer even if the record cannot be written. The record's lease then expires. */
const writeOrExpire = async (write: Promise<void>): Promise<void> => {
  try {
    await write
  } catch (error) {
    logger.warn('The record of an Idempotency-Key could not be written. Its lease expires on its own.', { error: loggable(error) })
  }
}

/** Given to each run of a request: ids to create with, and whether it is a repeat. */
export interface Leave extends Pick<Claim, 'isRepeat' | 'began'> {
  /** Ids of the objects that the request creates, by their index in the request. A repeat gets the same ones. */
  readonly reservation: (place: number) => Reservation
}

type Run = (leave: Leave) => Promise<Reply>

/** For a request without a key, which runs each time it arrives. */
export const leaveOnce = (): Leave => ({ reservation: () => unrecorded, isRepeat: false, began: now() })

const Numbered = v.object({ phone_number: v.string() })
const Answer = v.union([Numbered, v.object({ results: v.array(v.unknown()) })])

/** The phone numbers of the leads in an answer. */
const numbersIn = (body: unknown): Set<string> => {
  const read = v.safeParse(Answer, body)
  if (!read.success) return new Set()
  const leads = 'results' in read.output ? read.output.results : [read.output]
  return new Set(leads.flatMap((lead) => (v.is(Numbered, lead) ? [lead.phone_number] : [])))
}

const runOnce = async (claim: Claim, run: Run): Promise<Reply> => {
  try {
    const { isRepeat, began } = claim
    const reply = await orRefusal(() => run({ reservation: claimedIds(claim), isRepeat, began }))
    const isStored = reply.keep !== false && reply.status < 500 && !NOT_KEPT.has(reply.status)
    await writeOrExpire(
      isStored ? keepAnswer(claim, answerOf(reply), { phoneNumbers: numbersIn(reply.body), now: now() }) : releaseClaim(claim),
    )
    return reply
  } catch (error) {
    await writeOrExpire(releaseClaim(claim))
    throw error
  }
}

/**
 * Runs a request once in 24 hours; repeats get the first answer. A repeat of a crashed or unfinished run gets the ids that the first run
 * reserved.
 * @throws ServiceError `unprocessable` when the key came with another body, `conflict` while the request is in progress
 */
const answerOnce = async (request: Repeatable, run: Run): Promise<Reply> => {
  const claimed = await claimRequest(request, now())
  if (claimed.kind === 'claimed') return runOnce(claimed.claim, run)
  if (claimed.kind === 'answered') return replayed(claimed.answer)
  if (claimed.kind === 'in_flight') throw inProgress('A request with this Idempotency-Key is still in progress.')
  throw new ServiceError('unprocessable', 'This Idempotency-Key was used with another request body.')
}

/** The sender of a request, its `Idempotency-Key` if any, and its body. */
interface Keyed {
  readonly asker: Asker
  /** The staff member who acts for the asker. */
  readonly staff?: number | undefined
  readonly key: string | undefined
  readonly body: Body | undefined
}

/** As `answerOnce`. Without a key, the request runs each time it arrives. */
export const answerKeyed = async (incoming: Incoming, { asker, staff, key, body }: Keyed, run: Run): Promise<Reply> => {
  if (key === undefined) return run(leaveOnce())
  const { method, path } = incoming
  return answerOnce({ asker, staff, method, path, key, fingerprint: fingerprintOf(incoming, body) }, run)
}
