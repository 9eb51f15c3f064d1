import { realNow } from '../../platform/clock.ts'
import { GUARD_SK } from '../../platform/keys.ts'
import type { Write } from '../../platform/table/transactions.ts'
import { HOUR } from '../../platform/values/durations.ts'
import type { Pointed } from '../pointer-store.ts'

/** Milliseconds. No upsert lasts this long. */
const KEPT = HOUR

/**
 * Transaction write for a value that a lead gets. Upserts that looked the value up before detect the change. @param pk of the value's
 * pointers
 */
export const guardChanged = (pk: string, upserted: string) => ({
  put: { pk, sk: GUARD_SK, upserted, expires_at: Math.floor((realNow() + KEPT) / 1000) },
})

/** Like `guardChanged`, but fails when another upsert has written this guard since the lookup. */
export const guardUnchanged = (pk: string, { guard }: Pick<Pointed, 'guard'>, upserted: string): Write => ({
  ...guardChanged(pk, upserted),
  ...(guard === null
    ? { condition: 'attribute_not_exists(pk)' }
    : { condition: 'attribute_not_exists(pk) OR upserted = :seen', values: { ':seen': guard } }),
})
