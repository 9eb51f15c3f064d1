import { stateOfAreaCode } from '#shared/location/rules/locate.ts'
import { type Registry, stateOfList } from '#shared/registries/registry.ts'
import { counted } from '../output.ts'
import { OpsRefusal } from '../refusal.ts'

/** The least share of the present numbers that a new full list must have. Real lists hardly shrink, so most of a smaller one is missing. */
const LEAST_SHARE = 0.9

/** Area codes with fewer numbers may lose a tenth of them by chance: a state's list has a few numbers of other states. */
const CHECKED_FROM = 1000

const ADVICE =
  'Probably, a file is missing or cut off, or the files are a list of changes. Name all files of one download in one command. If the list has really become that small, add --smaller. Nothing was imported.'

const isTooFew = (numbers: number, before: number): boolean => numbers < before * LEAST_SHARE

/** Refuses a full list that lost more than a tenth of the numbers: calls to the lost ones would pass. */
export const checkListSize = (numbers: number, before: Registry): void => {
  if (!isTooFew(numbers, before.numbers)) return
  const had = `the list ${before.list} has ${counted(before.numbers, 'number')} as of ${before.as_of}`
  throw new OpsRefusal(`The files hold ${counted(numbers, 'number')}, but ${had}. ${ADVICE}`)
}

/**
 * Refuses changes that delete more than a tenth of the numbers, whatever they add: calls to the deleted ones would pass. It does not
 * read the list, so it also counts numbers that are not on it.
 * @param deleted different numbers
 */
export const checkDeletions = (deleted: number, before: Registry): void => {
  if (!isTooFew(Math.max(0, before.numbers - deleted), before.numbers)) return
  const had = `the list ${before.list} has ${counted(before.numbers, 'number')} as of ${before.as_of}`
  throw new OpsRefusal(
    `The changes delete ${counted(deleted, 'number')}, but ${had}. Probably, the files are of another list, or they mark too many numbers as deleted. If the list has really lost that many, add --smaller. Nothing was imported.`,
  )
}

/** Whether phones of an area code are not called while the list has no number with it. */
const isRefusedWithout = (list: string, areaCode: string): boolean => {
  const state = stateOfList(list)
  return state === undefined || state === stateOfAreaCode(`+1${areaCode}`)
}

/**
 * Refuses a full list in which one area code lost more than a tenth of its numbers since the last full list.
 * @param complete phones with any area code may be called. If not, those whose area code has no number are not called.
 */
export const checkListSizeByAreaCode = (numbers: Readonly<Record<string, number>>, before: Registry, complete: boolean): void => {
  const few = Object.entries(before.numbers_by_area_code).flatMap(([code, had]) => {
    const has = numbers[code] ?? 0
    const isChecked = had >= CHECKED_FROM && (has > 0 || complete || !isRefusedWithout(before.list, code))
    return isChecked && isTooFew(has, had) ? [`${code} (${has.toLocaleString('en-US')} instead of ${had.toLocaleString('en-US')})`] : []
  })
  if (few.length === 0) return
  throw new OpsRefusal(`The files hold fewer numbers of an area code than the last full list ${before.list}: ${few.join(', ')}. ${ADVICE}`)
}
