import { realNow } from '../adapters/clock.ts'
import { HOUR } from '../domain/durations.ts'
import { GUARD_SK } from './keys.ts'
import type { Pointed } from './pointers.ts'
import type { Write } from './transactions.ts'

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
