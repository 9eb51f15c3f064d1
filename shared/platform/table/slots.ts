import * as v from 'valibot'
import type { Key } from '../keys.ts'
import { loggable, logger } from '../logger.ts'
import type { Instant } from '../values/values.ts'
import { retryRaces } from './retry-races.ts'
import { getItem, ifConditionHolds, updateItem } from './table.ts'

/** How much of one thing may run at the same time, in all functions together. */
export interface Slots {
  readonly key: Key
  readonly most: number
  /** Milliseconds. Longer than a run takes, so a slot held for longer was left by a crash. */
  readonly held: number
  readonly now: () => Instant
}

const MAX_TRIES = 30

/** When the lease of each slot ends. Absent: the slot is free. */
const Leases = v.record(v.string(), v.unknown())

const endOf = (leases: v.InferOutput<typeof Leases>, slot: string): Instant => v.parse(v.optional(v.number(), 0), leases[slot])

/** @returns false when another run has taken the slot since it was read */
const hold = (key: Key, slot: string, seen: Instant, end: Instant): Promise<boolean> =>
  ifConditionHolds(
    updateItem(key, {
      UpdateExpression: 'SET #slot = :end',
      ConditionExpression: seen === 0 ? 'attribute_not_exists(#slot)' : '#slot = :seen',
      ExpressionAttributeNames: { '#slot': slot },
      ExpressionAttributeValues: { ':end': end, ...(seen > 0 && { ':seen': seen }) },
    }),
  )

const release = async (key: Key, slot: string, end: Instant): Promise<void> => {
  try {
    await ifConditionHolds(
      updateItem(key, {
        UpdateExpression: 'REMOVE #slot',
        ConditionExpression: '#slot = :end',
        ExpressionAttributeNames: { '#slot': slot },
        ExpressionAttributeValues: { ':end': end },
      }),
    )
  } catch (error) {
    logger.warn('A slot could not be freed. It expires on its own.', { error: loggable(error) })
  }
}

type Taken = { readonly release: () => Promise<void> } | { readonly freeAt: Instant }

/** The slots are read first, so a refused run costs no write. */
const take = ({ key, most, held, now }: Slots): Promise<Taken> =>
  retryRaces<Taken>({ tries: MAX_TRIES, lost: 'Lost the race for the slots of one user', pause: 0 }, async () => {
    const leases = (await getItem(Leases, key)) ?? {}
    const names = Array.from({ length: most }, (_, index) => `slot_${index}`)
    const at = now()
    const slot = names.find((one) => endOf(leases, one) <= at)
    if (slot === undefined) return { freeAt: Math.min(...names.map((one) => endOf(leases, one))) }
    const end = at + held
    return (await hold(key, slot, endOf(leases, slot), end)) ? { release: () => release(key, slot, end) } : undefined
  })

/**
 * Runs something in one of the slots.
 * @param whenFull runs instead when none is free: the first one will be by `freeAt` at the latest
 */
export const inSlot = async <T>(slots: Slots, run: () => Promise<T>, whenFull: (freeAt: Instant) => T): Promise<T> => {
  const taken = await take(slots)
  if ('freeAt' in taken) return whenFull(taken.freeAt)
  try {
    return await run()
  } finally {
    await taken.release()
  }
}
