import { createHash, randomUUID } from 'node:crypto'
import { gunzipSync, gzipSync } from 'node:zlib'
import * as v from 'valibot'
import { DAY, MINUTE, SECOND } from '../domain/durations.ts'
import type { Instant } from '../schema/values.ts'
import { expiresAt, inSeconds, isKept } from './expiry.ts'
import { reserveIds } from './ids.ts'
import { type Asker, idempotencyKey, type Key } from './keys.ts'
import { getItem, ifConditionHolds, putItem, updateItem } from './table.ts'

/** Longer than any function may run: whoever still holds the record by then is dead. */
const LEASE = MINUTE
export const KEPT = DAY
const MAX_TRIES = 10
/** Bytes of a body from which on it is kept compressed. */
const COMPRESSED_FROM = 1024

const Answer = v.object({
  status: v.number(),
  headers: v.record(v.string(), v.string()),
  /** JSON; empty: no body. */
  body: v.union([
    v.string(),
    v.pipe(
      v.instance(Uint8Array),
      v.transform((bytes) => gunzipSync(bytes).toString()),
    ),
  ]),
})
/** What a request was answered with. */
export type Answer = v.InferOutput<typeof Answer>

const Stored = v.object({
  fingerprint: v.string(),
  /** Who is at it: one run of a function. */
  claim: v.string(),
  lease_until: v.number(),
  first_id: v.number(),
  ids: v.number(),
  /** Whether an earlier run may have written something already. */
  is_repeat: v.optional(v.boolean(), false),
  answer: v.optional(Answer),
  expires_at: v.number(),
})
type Stored = v.InferOutput<typeof Stored>

export interface Repeatable {
  readonly asker: Asker
  readonly method: string
  readonly path: string
  /** The client's, for this request and its repetitions. */
  readonly key: string
  /** Of the body: the same for the same request. */
  readonly fingerprint: string
}

/** Leave to run a request, with the ids of what it creates: the same ones when it is run again. */
export interface Claim {
  readonly at: Key
  readonly token: string
  readonly ids: readonly number[]
  /** Whether an earlier run may have written with these ids already. */
  readonly isRepeat: boolean
  /** When the request was first run, to the second. */
  readonly began: Instant
}

type Claimed =
  | { readonly kind: 'claimed'; readonly claim: Claim }
  | { readonly kind: 'answered'; readonly answer: Answer }
  | { readonly kind: 'in_flight' | 'other_body' }

const keyOf = ({ asker, method, path, key }: Repeatable): Key =>
  idempotencyKey(
    asker,
    createHash('sha256')
      .update(JSON.stringify([method, path.replace(/\/$/, ''), key]))
      .digest('hex'),
  )

const claimOf = (at: Key, { claim, first_id, ids, is_repeat, expires_at }: Stored): Claim => ({
  at,
  token: claim,
  ids: Array.from({ length: ids }, (_, index) => first_id + index),
  isRepeat: is_repeat,
  began: expires_at * SECOND - KEPT,
})

/** Whose the claim is when its write is sent twice, for its answer got lost, and the second one finds the first. */
interface Claimant {
  readonly at: Key
  readonly token: string
}

/** @returns the claim, or undefined when another one came first */
const begin = async ({ at, token }: Claimant, fingerprint: string, reserve: number, now: Instant): Promise<Claim | undefined> => {
  const stored: Stored = {
    fingerprint,
    claim: token,
    lease_until: now + LEASE,
    first_id: reserve > 0 ? await reserveIds(reserve) : 0,
    ids: reserve,
    is_repeat: false,
    expires_at: expiresAt(now, KEPT),
  }
  const began = await ifConditionHolds(
    putItem(
      { ...at, ...stored },
      {
        ConditionExpression: 'attribute_not_exists(pk) OR expires_at <= :now',
        ExpressionAttributeValues: { ':now': inSeconds(now) },
      },
    ),
  )
  return began ? claimOf(at, stored) : undefined
}

/** Takes up what was begun and not ended. @returns undefined when another one came first */
const takeOver = async ({ at, token }: Claimant, stored: Stored, now: Instant): Promise<Claim | undefined> => {
  const taken = await ifConditionHolds(
    updateItem(at, {
      UpdateExpression: 'SET claim = :claim, lease_until = :until, is_repeat = :true',
      ConditionExpression: 'claim = :old AND attribute_not_exists(answer)',
      ExpressionAttributeValues: { ':claim': token, ':until': now + LEASE, ':old': stored.claim, ':true': true },
    }),
  )
  return taken ? claimOf(at, { ...stored, claim: token, is_repeat: true }) : undefined
}

/**
 * Asks for leave to run a request. One that was answered in the last 24 hours is not run again; one that was begun and never
 * ended, for its function died, is run by one other when its lease of 60 s is over. `reserve`: ids that it needs.
 */
export const claimRequest = async (request: Repeatable, reserve: number, now: Instant): Promise<Claimed> => {
  const at = keyOf(request)
  const claimant = { at, token: randomUUID() }
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const found = await getItem(Stored, at)
    const stored = found && isKept(found, now) ? found : undefined
    if (stored?.claim === claimant.token) return { kind: 'claimed', claim: claimOf(at, stored) }
    if (stored && stored.fingerprint !== request.fingerprint) return { kind: 'other_body' }
    if (stored?.answer) return { kind: 'answered', answer: stored.answer }
    if (stored && stored.lease_until > now) return { kind: 'in_flight' }
    const claim = await (stored ? takeOver(claimant, stored, now) : begin(claimant, request.fingerprint, reserve, now))
    if (claim) return { kind: 'claimed', claim }
  }
  throw new Error(`Lost the race for one Idempotency-Key ${MAX_TRIES} times.`)
}

/** Keeps the answer for who asks again. Nothing happens when the claim was taken over. */
export const keepAnswer = async ({ at, token }: Claim, { body, ...rest }: Answer): Promise<void> => {
  const bytes = Buffer.from(body)
  const answer = { ...rest, body: bytes.length < COMPRESSED_FROM ? body : gzipSync(bytes) }
  await ifConditionHolds(
    updateItem(at, {
      UpdateExpression: 'SET answer = :answer',
      ConditionExpression: 'claim = :claim',
      ExpressionAttributeValues: { ':answer': answer, ':claim': token },
    }),
  )
}

/** Lets the request be run again at once, with the same ids. Nothing happens when the claim was taken over. */
export const releaseClaim = async ({ at, token }: Claim): Promise<void> => {
  await ifConditionHolds(
    updateItem(at, {
      UpdateExpression: 'SET lease_until = :over',
      ConditionExpression: 'claim = :claim',
      ExpressionAttributeValues: { ':over': 0, ':claim': token },
    }),
  )
}
