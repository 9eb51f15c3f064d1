import { createHash, randomUUID } from 'node:crypto'
import { gunzipSync, gzipSync } from 'node:zlib'
import * as v from 'valibot'
import { type Asker, idempotencyKey, type Key } from '../keys.ts'
import { expiresAt, inSeconds, isKept } from '../table/expiry.ts'
import { getItem, ifConditionHolds, onCondition, putItem, updateItem } from '../table/table.ts'
import { DAY, MINUTE, SECOND } from '../values/durations.ts'
import type { Instant } from '../values/values.ts'

/** Longer than any function may run: whoever still holds the record by then is dead. */
const LEASE = MINUTE
export const ANSWER_KEPT = DAY
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
export type StoredAnswer = v.InferOutput<typeof Answer>

const Stored = v.object({
  fingerprint: v.string(),
  /** Who is at it: one run of a function. */
  claim: v.string(),
  lease_until: v.number(),
  /** Names the request among all; absent in a record of version 1.0.2 or before, which reserved all ids when it was begun. */
  name: v.optional(v.string()),
  /** Ids of what it creates, by place: each is reserved just before something is written with it. */
  reserved: v.optional(v.record(v.string(), v.number()), {}),
  first_id: v.optional(v.number(), 0),
  ids: v.optional(v.number(), 0),
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

/** Leave to run a request. */
export interface Claim {
  readonly at: Key
  readonly token: string
  /** Names one of the things that the request may create: the same in each run. */
  readonly nameOf: (place: number) => string | number
  /** Ids that earlier runs have reserved for what they create, by place. */
  readonly reserved: ReadonlyMap<number, number>
  /** Whether an earlier run may have written something already. */
  readonly isRepeat: boolean
  /** When the request was first run, to the second. */
  readonly began: Instant
}

type Claimed =
  | { readonly kind: 'claimed'; readonly claim: Claim }
  | { readonly kind: 'answered'; readonly answer: StoredAnswer }
  | { readonly kind: 'in_flight' | 'other_body' }

const keyOf = ({ asker, method, path, key }: Repeatable): Key =>
  idempotencyKey(
    asker,
    createHash('sha256')
      .update(JSON.stringify([method, path.replace(/\/$/, ''), key]))
      .digest('hex'),
  )

const reservedBy = ({ reserved, first_id, ids }: Stored): Map<number, number> =>
  new Map([
    ...Array.from({ length: ids }, (_, place): [number, number] => [place, first_id + place]),
    ...Object.entries(reserved).map(([place, id]): [number, number] => [Number(place), id]),
  ])

const claimOf = (at: Key, stored: Stored): Claim => ({
  at,
  token: stored.claim,
  nameOf: (place) => (stored.name === undefined ? stored.first_id + place : `${stored.name}-${place}`),
  reserved: reservedBy(stored),
  isRepeat: stored.is_repeat,
  began: stored.expires_at * SECOND - ANSWER_KEPT,
})

/** Whose the claim is when its write is sent twice, for its answer got lost, and the second one finds the first. */
interface Claimant {
  readonly at: Key
  readonly token: string
}

/** @returns the claim, or undefined when another one came first */
const begin = async ({ at, token }: Claimant, fingerprint: string, now: Instant): Promise<Claim | undefined> => {
  const stored: Stored = {
    fingerprint,
    claim: token,
    lease_until: now + LEASE,
    name: token,
    reserved: {},
    first_id: 0,
    ids: 0,
    is_repeat: false,
    expires_at: expiresAt(now, ANSWER_KEPT),
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

/** Resumes what was begun and not ended. @returns undefined when another run came first */
const takeOver = async ({ at, token }: Claimant, stored: Stored, now: Instant): Promise<Claim | undefined> => {
  const taken = await onCondition(
    updateItem(at, {
      UpdateExpression: 'SET claim = :claim, lease_until = :until, is_repeat = :true',
      ConditionExpression: 'claim = :old AND attribute_not_exists(answer)',
      ExpressionAttributeValues: { ':claim': token, ':until': now + LEASE, ':old': stored.claim, ':true': true },
      // The run before may have reserved ids since the record was read.
      ReturnValues: 'ALL_NEW',
    }),
  )
  return taken.held ? claimOf(at, v.parse(Stored, taken.result)) : undefined
}

/**
 * Asks for leave to run a request. One that was answered in the last 24 hours is not run again; one that was begun and never
 * ended, for its function died, is run by one other when its lease of 60 s is over.
 */
export const claimRequest = async (request: Repeatable, now: Instant): Promise<Claimed> => {
  const at = keyOf(request)
  const claimant = { at, token: randomUUID() }
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const found = await getItem(Stored, at)
    const stored = found && isKept(found, now) ? found : undefined
    if (stored?.claim === claimant.token) return { kind: 'claimed', claim: claimOf(at, stored) }
    if (stored && stored.fingerprint !== request.fingerprint) return { kind: 'other_body' }
    if (stored?.answer) return { kind: 'answered', answer: stored.answer }
    if (stored && stored.lease_until > now) return { kind: 'in_flight' }
    const claim = await (stored ? takeOver(claimant, stored, now) : begin(claimant, request.fingerprint, now))
    if (claim) return { kind: 'claimed', claim }
  }
  throw new Error(`Lost the race for one Idempotency-Key ${MAX_TRIES} times.`)
}

/** Keeps the answer for who asks again. Nothing happens when the claim was taken over. */
export const keepAnswer = async ({ at, token }: Claim, { body, ...rest }: StoredAnswer): Promise<void> => {
  const bytes = Buffer.from(body)
  const answer = { ...rest, body: bytes.length < COMPRESSED_FROM ? body : gzipSync(bytes) }
  await ifConditionHolds(
    updateItem(at, {
      UpdateExpression: 'SET answer = :answer REMOVE reserved',
      ConditionExpression: 'claim = :claim',
      ExpressionAttributeValues: { ':answer': answer, ':claim': token },
    }),
  )
}

/** Lets the request be run again at once, with the ids that it has reserved. Nothing happens when the claim was taken over. */
export const releaseClaim = async ({ at, token }: Claim): Promise<void> => {
  await ifConditionHolds(
    updateItem(at, {
      UpdateExpression: 'SET lease_until = :over',
      ConditionExpression: 'claim = :claim',
      ExpressionAttributeValues: { ':over': 0, ':claim': token },
    }),
  )
}
