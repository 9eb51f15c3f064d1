import { ifConditionHolds, updateItem } from '../table/table.ts'
import { inProgress, type ServiceError } from '../values/errors.ts'
import type { Claim } from './idempotency.ts'
import { giveBackId, nextId } from './ids.ts'
import type { Reservation } from './reservations.ts'

/** Most ids that one write records: an update expression may have at most 4 KB. */
const MOST_AT_ONCE = 100

interface Waiting extends PromiseWithResolvers<number> {
  readonly place: number
}

/** A later run has taken over the claim, and does not know what this run would create. */
const lost = (): ServiceError => inProgress('A later repeat took over this request.')

const attribute = (place: number): string => `reserved.#p${place}`
const names = (places: readonly number[]) => Object.fromEntries(places.map((place) => [`#p${place}`, `${place}`]))

/** @returns false when another run has taken over the claim */
const record = ({ at, token }: Claim, ids: ReadonlyMap<number, number>): Promise<boolean> => {
  const places = [...ids.keys()]
  return ifConditionHolds(
    updateItem(at, {
      UpdateExpression: `SET ${places.map((place) => `${attribute(place)} = :p${place}`).join(', ')}`,
      ConditionExpression: 'claim = :claim',
      ExpressionAttributeNames: names(places),
      ExpressionAttributeValues: { ':claim': token, ...Object.fromEntries([...ids].map(([place, id]) => [`:p${place}`, id])) },
    }),
  )
}

/** @returns false when another run has taken over the claim */
const forget = ({ at, token }: Claim, place: number): Promise<boolean> =>
  ifConditionHolds(
    updateItem(at, {
      UpdateExpression: `REMOVE ${attribute(place)}`,
      ConditionExpression: 'claim = :claim',
      ExpressionAttributeNames: names([place]),
      ExpressionAttributeValues: { ':claim': token },
    }),
  )

/**
 * Ids for the things that a request with an `Idempotency-Key` creates, by place in the request. An id is reserved just before something is
 * written with it: a request that creates nothing uses none. Ids that are asked for during one write share the next write.
 */
export const claimedIds = (claim: Claim): ((place: number) => Reservation) => {
  const known = new Map(claim.reserved)
  const waiting: Waiting[] = []
  let isServing = false

  const reserve = async (places: readonly number[]): Promise<void> => {
    const ids = new Map<number, number>()
    for (const place of places) ids.set(place, await nextId())
    if (await record(claim, ids)) {
      for (const [place, id] of ids) known.set(place, id)
      return
    }
    // Do not give the ids back: a write whose answer got lost may have recorded them for the later run.
    throw lost()
  }

  const serve = async (): Promise<void> => {
    isServing = true
    while (waiting.length > 0) {
      const served = waiting.splice(0, MOST_AT_ONCE)
      try {
        await reserve(served.map(({ place }) => place))
        for (const { place, resolve } of served) resolve(known.get(place) ?? 0)
      } catch (error) {
        for (const { reject } of served) reject(error)
      }
    }
    isServing = false
  }

  const take = async (place: number): Promise<number> => {
    const id = known.get(place)
    if (id !== undefined) return id
    const taker = { place, ...Promise.withResolvers<number>() }
    waiting.push(taker)
    if (!isServing) void serve()
    return taker.promise
  }

  /** A repeat gives nothing back: the earlier run may still be writing. */
  const giveBack = async (place: number, id: number): Promise<void> => {
    if (claim.isRepeat || !(await forget(claim, place))) return
    known.delete(place)
    giveBackId(id)
  }

  return (place) => ({
    name: claim.nameOf(place),
    known: () => known.get(place),
    take: () => take(place),
    giveBack: (id) => giveBack(place, id),
  })
}
