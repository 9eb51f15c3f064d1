/** The fields of a lead in a file; an absent field is a blank cell. Phone numbers are in the service's format. */
export interface Fields {
  readonly first_name?: string
  readonly last_name?: string
  readonly phone_number?: string
  readonly email?: string
  readonly us_state?: string
  readonly zip?: string
  readonly lead_source?: string
}

const AREAS = [212, 617, 404, 305, 215]
/** Phone numbers start at 200-0000. Shares no divisor with `STEP`, so that no two leads get the same number. */
const NUMBERS = 8_000_000
const STEP = 7919

const STATES = ['NY', 'MA', 'GA', 'FL', 'PA', 'CA', 'TX']
const FIRST_NAMES = ['Ann', 'Zoë', 'Bob', 'José', 'Eve', 'Løne', 'Max']
const LAST_NAMES = ['Lee', 'O"Hara', 'Smith, Jr.', 'Of two\nlines', 'Müller', 'Ng', '"Q" of\n\nthree', "O'Neil"]

const pick = <T>(items: readonly T[], number: number): T => items[number % items.length]!

const phoneOf = (number: number): string => `+1${pick(AREAS, number)}${2_000_000 + ((Math.floor(number / AREAS.length) * STEP) % NUMBERS)}`

export const idOf = (number: number): string => `L-${number}`

/** Leads whose first row has few fields; a later row has the rest. */
export const isToldInParts = (number: number): boolean => number % 7 === 3

/** Leads that keep their phone and email, which identify only them. */
export const isSteady = (number: number): boolean => number % 10 === 0 && !isToldInParts(number)

/** All fields of a lead. Every tenth has no email. @param version of the fields, from 0 */
export const personOf = (number: number, version = 0): Fields => ({
  first_name: `${pick(FIRST_NAMES, number)}${version > 0 ? ` ${version}` : ''}`,
  last_name: pick(LAST_NAMES, number),
  phone_number: phoneOf(version > 0 && number % 10 === 5 ? number + 1_000_000 : number),
  ...(number % 10 !== 9 && { email: `person${number}@example.com` }),
  us_state: pick(STATES, number + version),
  zip: `${10_000 + (number % 80_000)}`,
  lead_source: pick(['web', 'fair', 'partner'], number),
})

/** The fields of the first row, for a lead that comes in parts. */
export const partOf = (number: number): Fields => {
  const { email, zip, lead_source, ...part } = personOf(number)
  return part
}
