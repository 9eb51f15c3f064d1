import { ordered, type RecordParts } from '../lines/record.ts'
import type { Join, SuspectReport } from './join.ts'

/** Characters of a phone's hash that are compared. A rare collision only makes a suspect that the check then clears. */
const HASH = 8

const STOPPED = '0'
const LEAD = '1'

const hashIn = (phonePk: string): string => phonePk.slice(phonePk.lastIndexOf('#') + 1).slice(0, HASH)

export const stopRecord = (phonePk: string): string => `${hashIn(phonePk)}${STOPPED}`

export const mayCallRecord = (phonePk: string, lead: number): string => `${hashIn(phonePk)}${LEAD}${ordered(lead)}`

/** Finds leads that may not show a stop of their phone: a phone item does not name its leads. */
export class Stops implements Join {
  readonly #report: SuspectReport
  /** The last stopped phone. */
  #stopped = ''

  constructor(report: SuspectReport) {
    this.#report = report
  }

  take(record: RecordParts): void {
    const phone = record.text(HASH)
    if (record.text(1) === STOPPED) this.#stopped = phone
    else if (phone === this.#stopped) this.#report('stop-not-shown', record.number())
  }

  end(): void {}
}
