import { createHash, randomUUID } from 'node:crypto'
import { gunzipSync, gzipSync } from 'node:zlib'
import * as v from 'valibot'
import { type Asker, answerMark, idempotencyKey, type Key, ownerInPk } from '../keys.ts'
import { inLanes } from '../lanes.ts'
import { expiresAt, inSeconds, isKept } from '../table/expiry.ts'
import { retryRaces } from '../table/retry-races.ts'
import { getItem, ifConditionHolds, onCondition, putItem, updateItem } from '../table/table.ts'
import { DAY, MINUTE, SECOND } from '../values/durations.ts'
import type { Instant } from '../values/values.ts'

/** Longer than any function of the API may run: when the lease ends, its holder is dead. */
const LEASE = MINUTE
export const ANSWER_KEPT = DAY
const MAX_TRIES = 10
/** Bytes. Bodies of at least this size are stored compressed. */
const COMPRESSED_FROM = 1024

const Answer = v.object({
  status: v.number(),
  headers: v.record(v.string(), v.string()),
  /** JSON. Empty: no body. */
  body: v.union([
    v.string(),
    v.pipe(
      v.instance(Uint8Array),
      v.transform((bytes) => gunzipSync(bytes).toString()),
    ),
  ]),
})
export type StoredAnswer = v.InferOutput<typeof Answer>

const Stored = v.object({
  fingerprint: v.string(),
  /** The run of a function that holds the claim. */
  claim: v.string(),
  lease_until: v.number(),
  /** Unique name of the request. Absent in records of version 1.0.2 or older, which reserved all ids at the start. */
  name: v.optional(v.string()),
  /** Ids of the things that the request creates, by place. Each is reserved just before something is written with it. */
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
  /** The staff member who acts for the asker. The keys of both are unrelated. */
  readonly staff?: number | undefined
  readonly method: string
  readonly path: string
  /** Chosen by the client, for this request and its repeats. */
  readonly key: string
  /** Fingerprint of the body: the same for the same request. */
  readonly fingerprint: string
}

/** Permission to run a request. */
export interface Claim {
  readonly at: Key
  readonly token: string
  /** Name of one thing that the request may create: the same in each run. */
  readonly nameOf: (place: number) => string | number
  /** Ids that earlier runs have reserved, by place. */
  readonly reserved: ReadonlyMap<number, number>
  /** Whether an earlier run may have written something already. */
  readonly isRepeat: boolean
  /** When the request ran first, to the second. */
  readonly began: Instant
}

type Claimed =
  | { readonly kind: 'claimed'; readonly claim: Claim }
  | { readonly kind: 'answered'; readonly answer: StoredAnswer }
  | { readonly kind: 'in_flight' | 'other_body' }

const keyOf = ({ asker, staff, method, path, key }: Repeatable): Key =>
  idempotencyKey(
    asker,
    createHash('sha256')
      .update(JSON.stringify([method, path.replace(/\/$/, ''), key, ...(staff === undefined ? [] : [staff])]))
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

/**
 * The token identifies the claim of one run. When an answer gets lost, the SDK sends the write twice: by the token, the run recognises its
 * own claim.
 */
interface Claimant {
  readonly at: Key
  readonly token: string
}

/** @returns undefined when another run came first */
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

/** Takes over a request that another run began and did not finish. @returns undefined when a third run came first */
const takeOver = async ({ at, token }: Claimant, stored: Stored, now: Instant): Promise<Claim | undefined> => {
  const taken = await onCondition(
    updateItem(at, {
      UpdateExpression: 'SET claim = :claim, lease_until = :until, is_repeat = :true',
      ConditionExpression: 'claim = :old AND attribute_not_exists(answer)',
      ExpressionAttributeValues: { ':claim': token, ':until': now + LEASE, ':old': stored.claim, ':true': true },
      // The earlier run may have reserved ids after the record was read.
      ReturnValues: 'ALL_NEW',
    }),
  )
  return taken.isMet ? claimOf(at, v.parse(Stored, taken.result)) : undefined
}

/**
 * Claims a request. A request that was answered in the last 24 hours is not run again. When a run dies, one other run may take over as soon
 * as the lease of 60 s is over.
 */
export const claimRequest = async (request: Repeatable, now: Instant): Promise<Claimed> => {
  const at = keyOf(request)
  const claimant = { at, token: randomUUID() }
  return retryRaces<Claimed>({ tries: MAX_TRIES, lost: 'Lost the race for one Idempotency-Key', pause: 0 }, async () => {
    const found = await getItem(Stored, at)
    const stored = found && isKept(found, now) ? found : undefined
    if (stored?.claim === claimant.token) return { kind: 'claimed', claim: claimOf(at, stored) }
    if (stored && stored.fingerprint !== request.fingerprint) return { kind: 'other_body' }
    if (stored?.answer) return { kind: 'answered', answer: stored.answer }
    if (stored && stored.lease_until > now) return { kind: 'in_flight' }
    const claim = await (stored ? takeOver(claimant, stored, now) : begin(claimant, request.fingerprint, now))
    return claim && { kind: 'claimed', claim }
  })
}

/** Writes of marks at the same time: the answer to a bulk request may hold a thousand numbers. */
const MARK_LANES = 32

/**
 * Stores the answer for repeats. Does nothing when another run has taken over the claim.
 * @param phoneNumbers numbers in the answer. Marks lead an erasure from each of them to the answer, and are written first.
 */
export const keepAnswer = async (
  { at, token }: Claim,
  { body, ...rest }: StoredAnswer,
  { phoneNumbers, now }: { readonly phoneNumbers: Iterable<string>; readonly now: Instant },
): Promise<void> => {
  const marks = { owner: ownerInPk(at.pk), expires_at: expiresAt(now, ANSWER_KEPT) }
  await inLanes(MARK_LANES, phoneNumbers, (phoneNumber) => putItem({ ...answerMark(phoneNumber, at.pk), ...marks }))
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

/** Lets the request run again at once, with the ids that it has reserved. Does nothing when another run has taken over the claim. */
export const releaseClaim = async ({ at, token }: Claim): Promise<void> => {
  await ifConditionHolds(
    updateItem(at, {
      UpdateExpression: 'SET lease_until = :over',
      ConditionExpression: 'claim = :claim',
      ExpressionAttributeValues: { ':over': 0, ':claim': token },
    }),
  )
}
