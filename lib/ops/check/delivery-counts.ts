import * as v from 'valibot'
import { now } from '#shared/platform/clock.ts'
import { idInPk, type Key, parseDeliveryKey } from '#shared/platform/keys.ts'
import type { Item } from '#shared/platform/table/as-read.ts'
import { DAY } from '#shared/platform/values/durations.ts'

export const DeliveryCount = v.object({ count: v.number() })

/** Milliseconds. The log keeps a month. Older deliveries expire one by one, and their counts no longer match. */
const CHECKED = 28 * DAY

/** Finds days whose number of deliveries differs from the stored final count. Memory: two numbers per subscription and day. */
export class DeliveryCounts {
  readonly #actual = new Map<string, number>()
  readonly #stored = new Map<string, number>()

  delivery(key: Key): void {
    const { subscription, time } = parseDeliveryKey(key)
    const day = `${subscription}/${new Date(time).toISOString().slice(0, 10)}`
    this.#actual.set(day, (this.#actual.get(day) ?? 0) + 1)
  }

  stored({ pk, sk }: Key, item: Item): void {
    if (Date.parse(sk) > now() - CHECKED) this.#stored.set(`${idInPk(pk)}/${sk}`, v.parse(DeliveryCount, item).count)
  }

  /** Suspects, as `SUBSCRIPTION/DAY`. */
  suspects(): string[] {
    return [...this.#stored].filter(([day, count]) => count !== (this.#actual.get(day) ?? 0)).map(([day]) => day)
  }
}
