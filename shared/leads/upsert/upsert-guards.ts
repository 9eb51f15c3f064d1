import { realNow } from '../../platform/clock.ts'
import { GUARD_SK } from '../../platform/keys.ts'
import type { Write } from '../../platform/table/transactions.ts'
import { HOUR } from '../../platform/values/durations.ts'
import type { Pointed } from '../pointer-store.ts'

/** No upsert lasts so long. */
const KEPT = HOUR

/** A write of a transaction that gives a lead a value: whoever looked it up before finds that out. @param pk of the value's pointers */
export const guardChanged = (pk: string, upserted: string) => ({
  put: { pk, sk: GUARD_SK, upserted, expires_at: Math.floor((realNow() + KEPT) / 1000) },
})

/** As `guardChanged`, if nobody has upserted a lead with the value since it was looked up. */
export const guardUnchanged = (pk: string, { guard }: Pick<Pointed, 'guard'>, upserted: string): Write => ({
  ...guardChanged(pk, upserted),
  ...(guard === null
    ? { condition: 'attribute_not_exists(pk)' }
    : { condition: 'attribute_not_exists(pk) OR upserted = :seen', values: { ':seen': guard } }),
})
