import { JURISDICTIONS } from '../../calling/rules/rules.ts'
import { AREA_CODES } from '../../data/area-codes.ts'

const STATES: ReadonlyMap<string, string> = new Map(
  Object.entries(AREA_CODES).flatMap(([state, codes]) => codes.map((code) => [String(code), state] as const)),
)

/** The state, district or territory that an area code of the numbering plan is assigned to. */
export const stateOfAreaCode = (phone: string): string | undefined => (phone.startsWith('+1') ? STATES.get(phone.slice(2, 5)) : undefined)

/** On the other side of the Pacific: what is daytime in all fifty states is night there. */
const FAR = new Set(['AS', 'GU', 'MP'])

/**
 * The territory that a number of it may be in when nothing tells where the lead is, and where the hours for such leads would be no daytime.
 */
export const farTerritory = (phone: string): string | undefined => {
  const state = stateOfAreaCode(phone)
  return state !== undefined && FAR.has(state) ? state : undefined
}

/** The jurisdiction whose law presumes that a phone is there, by its area code. */
export const presumedState = (phone: string): string | undefined => {
  const state = stateOfAreaCode(phone)
  return state !== undefined && JURISDICTIONS.get(state)?.presumesAreaCodes ? state : undefined
}
