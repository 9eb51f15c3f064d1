import { STATE_ZONES } from '../../data/state-zones.ts'
import { type PlaceReading, plainText, quote } from './reading.ts'

/**
 * Code and names of each state, district, territory and region of military mail. These are the names in USPS Publication 28, and other
 * names in use. The first name is the one to show.
 */
export const STATE_NAMES: readonly (readonly [code: string, ...names: string[]])[] = [
  ['AL', 'Alabama'],
  ['AK', 'Alaska'],
  ['AS', 'American Samoa'],
  ['AZ', 'Arizona'],
  ['AR', 'Arkansas'],
  ['AA', 'Armed Forces Americas', 'Armed Forces the Americas'],
  ['AE', 'Armed Forces Europe', 'Armed Forces Africa', 'Armed Forces Canada', 'Armed Forces Middle East'],
  ['AP', 'Armed Forces Pacific'],
  ['CA', 'California'],
  ['CO', 'Colorado'],
  ['CT', 'Connecticut'],
  ['DE', 'Delaware'],
  ['DC', 'District of Columbia', 'D C', 'Washington DC', 'Washington D C'],
  ['FL', 'Florida'],
  ['GA', 'Georgia'],
  ['GU', 'Guam'],
  ['HI', 'Hawaii', 'Hawai i'],
  ['ID', 'Idaho'],
  ['IL', 'Illinois'],
  ['IN', 'Indiana'],
  ['IA', 'Iowa'],
  ['KS', 'Kansas'],
  ['KY', 'Kentucky'],
  ['LA', 'Louisiana'],
  ['ME', 'Maine'],
  ['MD', 'Maryland'],
  ['MA', 'Massachusetts'],
  ['MI', 'Michigan'],
  ['MN', 'Minnesota'],
  ['MS', 'Mississippi'],
  ['MO', 'Missouri'],
  ['MT', 'Montana'],
  ['NE', 'Nebraska'],
  ['NV', 'Nevada'],
  ['NH', 'New Hampshire', 'N H'],
  ['NJ', 'New Jersey', 'N J'],
  ['NM', 'New Mexico', 'N M'],
  ['NY', 'New York', 'N Y'],
  ['NC', 'North Carolina', 'N C'],
  ['ND', 'North Dakota', 'N D'],
  ['MP', 'Northern Mariana Islands', 'Northern Marianas'],
  ['OH', 'Ohio'],
  ['OK', 'Oklahoma'],
  ['OR', 'Oregon'],
  ['PA', 'Pennsylvania'],
  ['PR', 'Puerto Rico', 'P R'],
  ['RI', 'Rhode Island', 'R I', 'Rhode Island and Providence Plantations'],
  ['SC', 'South Carolina', 'S C'],
  ['SD', 'South Dakota', 'S D'],
  ['TN', 'Tennessee'],
  ['TX', 'Texas'],
  ['UT', 'Utah'],
  ['VT', 'Vermont'],
  [
    'VI',
    'US Virgin Islands',
    'Virgin Islands',
    'U S Virgin Islands',
    'United States Virgin Islands',
    'Virgin Islands of the United States',
  ],
  ['VA', 'Virginia'],
  ['WA', 'Washington', 'Washington State'],
  ['WV', 'West Virginia', 'W V'],
  ['WI', 'Wisconsin'],
  ['WY', 'Wyoming'],
]

const shownNames: ReadonlyMap<string, string> = new Map(STATE_NAMES.map(([code, name = code]) => [code, name]))

/** `Tennessee` for `TN`. */
export const nameOfState = (code: string): string => shownNames.get(code) ?? code

/** One zone for each clock in use in a state. None for a region of military mail, or when there is no such state. */
export const zonesOfState = (state: string): readonly string[] => STATE_ZONES[state] ?? []

/** Zones of states that show the same time as the zone of other states. */
const SAME_CLOCK: ReadonlyMap<string, string> = new Map([
  ['America/Detroit', 'America/New_York'],
  ['America/Indiana/Indianapolis', 'America/New_York'],
  ['America/Menominee', 'America/Chicago'],
  ['America/Boise', 'America/Denver'],
  ['Pacific/Saipan', 'Pacific/Guam'],
  ['America/St_Thomas', 'America/Puerto_Rico'],
])

const clockOf = (zone: string): string => SAME_CLOCK.get(zone) ?? zone

/** The states where at least one of some clocks is in use. */
export const statesWithClock = (zones: readonly string[]): string[] => {
  const clocks = new Set(zones.map(clockOf))
  return Object.keys(STATE_ZONES).filter((state) => zonesOfState(state).some((zone) => clocks.has(clockOf(zone))))
}

const STATES_ZONES: ReadonlySet<string> = new Set(Object.values(STATE_ZONES).flat())

/** Whether a zone is one of those that stand for the clocks of the states. */
export const isZoneOfState = (zone: string): boolean => STATES_ZONES.has(zone)

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
