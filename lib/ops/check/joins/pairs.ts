import { escaped, fingerprint, ordered, type RecordParts } from '../lines/record.ts'
import type { Join } from './join.ts'

/** A lead expects that another item names it with a value, and the other item was found. */
interface Pair {
  readonly lead: number
  readonly value: string
}

const EXPECTED = 'e'
const FOUND = 'f'

const start = ({ lead, value }: Pair): string => `${ordered(lead)}${fingerprint(value)}`

export const expectedRecord = (pair: Pair): string => `${start(pair)}${EXPECTED}`

/** @param where the location that is reported when no lead expects the value */
export const foundRecord = (pair: Pair, where: string): string => `${start(pair)}${FOUND}${escaped(where)}`

interface Unpaired {
  /** Gets a lead with an expected value that no item has. */
  readonly onMissing: (lead: number) => void
  /** Gets the location of a value that no lead expects. */
  readonly onStray: (where: string) => void
}

/** Finds values that were only expected, or only found. */
export class Pairs implements Join {
  readonly #unpaired: Unpaired
  /** The values of the current pair, as its records begin. */
  #start = ''
  #lead = 0
  #isExpected = false
  #where: string | undefined

  constructor(unpaired: Unpaired) {
    this.#unpaired = unpaired
  }

  take(record: RecordParts): void {
    const lead = record.number()
    const at = `${lead} ${record.fingerprint()}`
    if (at !== this.#start) this.end()
    this.#start = at
    this.#lead = lead
    if (record.text(1) === EXPECTED) this.#isExpected = true
    else this.#where = record.escapedRest()
  }

  end(): void {
    if (this.#isExpected && this.#where === undefined) this.#unpaired.onMissing(this.#lead)
    if (!this.#isExpected && this.#where !== undefined) this.#unpaired.onStray(this.#where)
    this.#isExpected = false
    this.#where = undefined
  }
}
