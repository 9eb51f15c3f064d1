import { stateOfAreaCode } from '../../location/rules/locate.ts'

const areaCode = (number: string): string => number.slice(0, '+1212'.length)

/** FNV-1a, 32 bits. */
const hash = (text: string): number =>
  [...text].reduce((sum, letter) => Math.imul(sum ^ letter.charCodeAt(0), 0x01000193) >>> 0, 0x811c9dc5)

/**
 * The weight of a number for a lead. A lead gets the number with the highest weight, so removing a number moves only the leads that had it.
 */
const weight = (number: string, lead: number): number => hash(`${lead} ${number}`)

/**
 * The number to call a lead from: of its phone's area code, else of the area code's state, else any. Leads are spread over the numbers that
 * fit equally well. A lead keeps its number until that number is removed, or until one that fits better is added.
 */
export const callerNumberFor = <N extends { readonly number: string }>(
  numbers: readonly N[],
  phone: string,
  lead: number,
): N | undefined => {
  const state = stateOfAreaCode(phone)
  const near = numbers.filter(({ number }) => areaCode(number) === areaCode(phone))
  const inState = state === undefined ? [] : numbers.filter(({ number }) => stateOfAreaCode(number) === state)
  const fitting = [near, inState, numbers].find((some) => some.length > 0) ?? []
  return fitting.toSorted((one, other) => weight(other.number, lead) - weight(one.number, lead)).at(0)
}
