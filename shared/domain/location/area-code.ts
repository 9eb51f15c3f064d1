import { AREA_CODES } from '../../data/area-codes.ts'
import { JURISDICTIONS } from '../calling/rules.ts'

const STATES: ReadonlyMap<string, string> = new Map(
  Object.entries(AREA_CODES).flatMap(([state, codes]) => codes.map((code) => [String(code), state] as const)),
)

/** The state, district or territory that an area code of the numbering plan is assigned to. */
export const stateOfAreaCode = (phone: string): string | undefined => (phone.startsWith('+1') ? STATES.get(phone.slice(2, 5)) : undefined)

/** The jurisdiction whose law presumes that a phone is there, by its area code. */
export const presumedState = (phone: string): string | undefined => {
  const state = stateOfAreaCode(phone)
  return state !== undefined && JURISDICTIONS.get(state)?.presumesAreaCodes ? state : undefined
}
