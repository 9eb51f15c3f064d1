import { createHash } from 'node:crypto'
import { now } from '../../platform/clock.ts'
import { claimedIds } from '../../platform/ids/claimed-ids.ts'
import { type Claim, claimRequest, keepAnswer, type Repeatable, releaseClaim, type StoredAnswer } from '../../platform/ids/idempotency.ts'
import { type Reservation, unrecorded } from '../../platform/ids/reservations.ts'
import type { Asker } from '../../platform/keys.ts'
import { loggable, logger } from '../../platform/logger.ts'
import { ServiceError } from '../../platform/values/errors.ts'
import type { Reply } from '../reply.ts'
import type { Body } from './body.ts'
import { refusalReply } from './error-replies.ts'
import type { Incoming } from './incoming.ts'

export const MAX_KEY_LENGTH = 255

/** Client errors that tell nothing of the request itself, so that it is looked at anew when it is repeated. */
const NOT_KEPT = new Set([401, 409, 413, 415, 422, 429])

/** The request's `Idempotency-Key`, when it is a POST that has one. @throws ServiceError `parse` when it is no key. */
export const repeatKeyOf = ({ method, headers }: Incoming): string | undefined => {
  const key = headers['idempotency-key']
  if (method !== 'POST' || key === undefined) return undefined
  if (key.length === 0 || key.length > MAX_KEY_LENGTH) {
    throw new ServiceError('parse', `Idempotency-Key must have between 1 and ${MAX_KEY_LENGTH} characters.`)
  }
  return key
}

/** Of a form it is the fields: clients draw a new boundary each time they send it. */
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

const outcomeOf = async (run: () => Promise<Reply>): Promise<Reply> => {
  try {
    return await run()
  } catch (error) {
    if (error instanceof ServiceError) return refusalReply(error)
    throw error
  }
}

/** The client has its answer whatever becomes of the record: one that cannot be written is left until its lease is over. */
const settle = async (write: Promise<void>): Promise<void> => {
  try {
    await write
  } catch (error) {
    logger.warn('Left to its lease: the record of an Idempotency-Key could not be written.', { error: loggable(error) })
  }
}

/** What a run of a request needs to know. */
export interface Leave extends Pick<Claim, 'isRepeat' | 'began'> {
  /** Ids of what the request creates, by place: a repeat gets the same ones. */
  readonly reservation: (place: number) => Reservation
}

type Run = (leave: Leave) => Promise<Reply>

/** Of a request without a key, which is run whenever it comes. */
export const leaveOnce = (): Leave => ({ reservation: () => unrecorded, isRepeat: false, began: now() })

const runOnce = async (claim: Claim, run: Run): Promise<Reply> => {
  try {
    const { isRepeat, began } = claim
    const reply = await outcomeOf(() => run({ reservation: claimedIds(claim), isRepeat, began }))
    const kept = reply.keep !== false && reply.status < 500 && !NOT_KEPT.has(reply.status)
    await settle(kept ? keepAnswer(claim, answerOf(reply)) : releaseClaim(claim))
    return reply
  } catch (error) {
    await settle(releaseClaim(claim))
    throw error
  }
}

/**
 * Runs a request once in 24 hours, however often it is repeated: repetitions get the first answer. A repetition of what crashed, or was
 * not finished, has the ids that were reserved for what it creates.
 * @throws ServiceError `unprocessable` when the key came with another body, `conflict` while the request is under way
 */
const answerOnce = async (request: Repeatable, run: Run): Promise<Reply> => {
  const claimed = await claimRequest(request, now())
  if (claimed.kind === 'claimed') return runOnce(claimed.claim, run)
  if (claimed.kind === 'answered') return replayed(claimed.answer)
  if (claimed.kind === 'in_flight') throw new ServiceError('conflict', 'A request with this Idempotency-Key is still in progress.')
  throw new ServiceError('unprocessable', 'This Idempotency-Key was used with another request body.')
}

/** Who asks with which `Idempotency-Key`, if any, and what. */
interface Keyed {
  readonly asker: Asker
  readonly key: string | undefined
  readonly body: Body | undefined
}

/** As `answerOnce`; without a key the request is run whenever it comes. */
export const answerKeyed = async (incoming: Incoming, { asker, key, body }: Keyed, run: Run): Promise<Reply> => {
  if (key === undefined) return run(leaveOnce())
  const { method, path } = incoming
  return answerOnce({ asker, method, path, key, fingerprint: fingerprintOf(incoming, body) }, run)
}
