import { STATE_ZONES } from '../../data/state-zones.ts'
import { type PlaceReading, plainText, quote } from './reading.ts'
import { STATE_NAMES } from './state-names.ts'

/** One zone for each clock in use in a state. None for a region of military mail, or when there is no such state. */
export const zonesOfState = (state: string): readonly string[] => STATE_ZONES[state] ?? []

/** Removes the differences between spellings of a name or a code: `D.C.`, `d.c.` and `US-DC` become equal. */
const plainName = (text: string): string =>
  text
    .toUpperCase()
    .replace(/^(?:USA?|UNITED STATES)[-, ]+(?=[A-Z]{2}$)/, '')
    .replace(/\./g, '')
    .replace(/[^A-Z]+/g, ' ')
    .replace(/^(?:THE )?(?:STATE|COMMONWEALTH|TERRITORY) OF /, '')
    .replace(/^THE /, '')
    .trim()

const CODES: ReadonlyMap<string, string> = new Map(
  STATE_NAMES.flatMap(([code, ...names]) => [code, ...names].map((name) => [plainName(name), code] as const)),
)

/** Longer than any name of a state. */
const LONGEST = 60

/** The code of a state, district, territory or region of military mail, by its code or its name. */
export const readUsState = (said: unknown): PlaceReading<string> => {
  const text = plainText(said)
  if (text === '') return {}
  const code = text === undefined || text.length > LONGEST ? undefined : CODES.get(plainName(text))
  return code ? { value: code } : { remark: `${quote(said)} is not a state of the United States.` }
}
