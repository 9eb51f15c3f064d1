import * as v from 'valibot'
import { ordered, type RecordParts } from '../lines/record.ts'
import type { Join, SuspectReport } from './join.ts'

/** Deliveries of one subscription on one day. `day`: as `2026-11-20`. */
export interface DayCount {
  readonly subscription: number
  readonly day: string
  readonly count: number
}

const DAY = '2026-11-20'.length
const SOME = 'a'
const STORED = 's'

const start = ({ subscription, day }: DayCount): string => `${ordered(subscription)}${day}`

/** Some deliveries of a day. Several records may count different ones. */
export const someDeliveriesRecord = (some: DayCount): string => `${start(some)}${SOME}${some.count}`

export const storedCountRecord = (stored: DayCount): string => `${start(stored)}${STORED}${stored.count}`

const Count = v.pipe(v.string(), v.transform(Number), v.number())

/** Finds days whose number of deliveries differs from the stored final count. */
export class DayCounts implements Join {
  readonly #report: SuspectReport
  #day = ''
  #actual = 0
  #stored: number | undefined

  constructor(report: SuspectReport) {
    this.#report = report
  }

  take(record: RecordParts): void {
    const day = `${record.number()}/${record.text(DAY)}`
    if (day !== this.#day) this.end()
    this.#day = day
    const isStored = record.text(1) === STORED
    const count = v.parse(Count, record.rest())
    if (isStored) this.#stored = count
    else this.#actual += count
  }

  end(): void {
    if (this.#stored !== undefined && this.#stored !== this.#actual) this.#report('delivery-count', this.#day)
    this.#stored = undefined
    this.#actual = 0
  }
}
