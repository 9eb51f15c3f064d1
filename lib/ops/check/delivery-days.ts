import * as v from 'valibot'
import { now } from '#shared/platform/clock.ts'
import { idInPk, type Key, parseDeliveryKey } from '#shared/platform/keys.ts'
import type { Item } from '#shared/platform/table/as-read.ts'
import { DAY } from '#shared/platform/values/durations.ts'
import { type DayCount, someDeliveriesRecord, storedCountRecord } from './joins/day-counts.ts'

export const DeliveryCount = v.object({ count: v.number() })

/** Milliseconds. The log keeps a month. Older deliveries expire one by one, and their counts no longer match. */
const CHECKED = 28 * DAY

/** Counts deliveries that come in a row: those of one subscription, day and shard share a partition. */
export class DeliveryDays {
  readonly #add: (record: string) => void
  #current: DayCount | undefined

  constructor(add: (record: string) => void) {
    this.#add = add
  }

  delivery(key: Key): void {
    const { subscription, time } = parseDeliveryKey(key)
    const day = new Date(time).toISOString().slice(0, 10)
    if (subscription !== this.#current?.subscription || day !== this.#current.day) this.end()
    this.#current = { subscription, day, count: (this.#current?.count ?? 0) + 1 }
  }

  end(): void {
    if (this.#current) this.#add(someDeliveriesRecord(this.#current))
    this.#current = undefined
  }
}

/** The record of a stored final count; none when the day is too long ago. */
export const storedCount = ({ pk, sk }: Key, item: Item): string[] => {
  const { count } = v.parse(DeliveryCount, item)
  return Date.parse(sk) > now() - CHECKED ? [storedCountRecord({ subscription: Number(idInPk(pk)), day: sk, count })] : []
}
