import { JURISDICTIONS } from '../../calling/rules/rules.ts'
import { AREA_CODES } from '../../data/area-codes.ts'

const STATES: ReadonlyMap<string, string> = new Map(
  Object.entries(AREA_CODES).flatMap(([state, codes]) => codes.map((code) => [String(code), state] as const)),
)

/** The state, district or territory that an area code of the numbering plan is assigned to. */
export const stateOfAreaCode = (phone: string): string | undefined => (phone.startsWith('+1') ? STATES.get(phone.slice(2, 5)) : undefined)

/** Territories across the Pacific: hours that are daytime in all fifty states are night there. */
const FAR = new Set(['AS', 'GU', 'MP'])

/**
 * The far territory of a number's area code. A lead without any known location may be there, and the default hours would be night for it.
 */
export const farTerritory = (phone: string): string | undefined => {
  const state = stateOfAreaCode(phone)
  return state !== undefined && FAR.has(state) ? state : undefined
}

/** The jurisdiction whose law presumes, by the area code, that a phone is there. */
export const presumedState = (phone: string): string | undefined => {
  const state = stateOfAreaCode(phone)
  return state !== undefined && JURISDICTIONS.get(state)?.presumesAreaCodes ? state : undefined
}
