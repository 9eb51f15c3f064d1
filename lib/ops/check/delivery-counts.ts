import * as v from 'valibot'
import { now } from '#shared/platform/clock.ts'
import { idInPk, type Key, parseDeliveryKey } from '#shared/platform/keys.ts'
import type { Item } from '#shared/platform/table/as-read.ts'
import { DAY } from '#shared/platform/values/durations.ts'

export const DeliveryCount = v.object({ count: v.number() })

/** Milliseconds. The log keeps a month. Older deliveries expire one by one, so their counts no longer match. */
const LOOKED_AT = 28 * DAY

/** Finds days whose number of deliveries differs from the stored final count. Memory: two numbers per subscription and day. */
export class DeliveryCounts {
  readonly #there = new Map<string, number>()
  readonly #counted = new Map<string, number>()

  delivery(key: Key): void {
    const { subscription, time } = parseDeliveryKey(key)
    const place = `${subscription}/${new Date(time).toISOString().slice(0, 10)}`
    this.#there.set(place, (this.#there.get(place) ?? 0) + 1)
  }

  counted({ pk, sk }: Key, item: Item): void {
    if (Date.parse(sk) > now() - LOOKED_AT) this.#counted.set(`${idInPk(pk)}/${sk}`, v.parse(DeliveryCount, item).count)
  }

  /** Suspects, as `SUBSCRIPTION/DAY`. */
  suspects(): string[] {
    return [...this.#counted].filter(([place, count]) => count !== (this.#there.get(place) ?? 0)).map(([place]) => place)
  }
}
