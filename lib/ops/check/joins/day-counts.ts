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
const ONE = 'a'
const STORED = 's'

const start = ({ subscription, day }: Omit<DayCount, 'count'>): string => `${ordered(subscription)}${day}`

/** Each delivery of a day has a record. */
export const deliveryRecord = (day: Omit<DayCount, 'count'>): string => `${start(day)}${ONE}`

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
    if (record.text(1) === ONE) this.#actual++
    else this.#stored = v.parse(Count, record.rest())
  }

  end(): void {
    if (this.#stored !== undefined && this.#stored !== this.#actual) this.#report('delivery-count', this.#day)
    this.#stored = undefined
    this.#actual = 0
  }
}
