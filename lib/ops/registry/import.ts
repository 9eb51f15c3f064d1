import { stateOfAreaCode } from '#shared/location/rules/locate.ts'
import { now } from '#shared/platform/clock.ts'
import { dayOf } from '#shared/platform/values/day.ts'
import { isListTooOld, type Registry, stateOfList } from '#shared/registries/registry.ts'
import { readRegistry } from '#shared/registries/registry-store.ts'
import { counted, type Output } from '../output.ts'
import { OpsMistake, OpsRefusal } from '../refusal.ts'
import type { ExitCode } from '../runner.ts'
import { withTemporaryFolder } from '../temporary-folder.ts'
import { checkDeletions, checkListSize, checkListSizeByAreaCode } from './check-list-size.ts'
import { importChanges, numbersDeleted } from './import-changes.ts'
import { importFull } from './import-full.ts'
import { missingDaysText } from './missing-days.ts'
import { type Hashed, hashFiles } from './read-files.ts'

interface Asked {
  readonly files: readonly string[]
  readonly list: string
  /** As YYYY-MM-DD. */
  readonly asOf: string
  readonly changes: boolean
  /** The operator says that the files hold all numbers of the list, or all changes since its day. */
  readonly complete: boolean
  /** The operator says that the list has really lost many numbers. */
  readonly smaller: boolean
  readonly scratch: string | undefined
}

const checkDays = (asOf: string, list: string, before: Registry | undefined): void => {
  const today = dayOf(now())
  if (asOf > today) throw new OpsMistake(`--as-of ${asOf} is in the future. It is ${today} in UTC.`)
  if (before && asOf < before.as_of) {
    throw new OpsRefusal(`The list ${list} is already as of ${before.as_of}. These files are older. Nothing was imported.`)
  }
}

/** Area codes of the list without a change: probably, a file was forgotten. A state's list may have a few numbers of other states. */
const forgottenText = ({ areaCodes }: Hashed, { list, area_codes }: Registry): string | undefined => {
  const state = stateOfList(list)
  const isOfList = (code: string): boolean => state === undefined || stateOfAreaCode(`+1${code}`) === state
  const forgotten = area_codes?.filter((code) => isOfList(code) && !areaCodes.includes(code)) ?? []
  if (forgotten.length === 0) return undefined
  return `The files hold no change for the area code ${forgotten.join(', ')} of the list ${list}. If a file is missing, name the files of all area codes in one command. If no number changed there`
}

/**
 * Refuses changes that may leave out some since the day of the list, or before the new day. The list would become fresh, and calls to numbers
 * that it lacks would pass.
 */
const checkGap = (hashed: Hashed, asOf: string, before: Registry): void => {
  const gap = missingDaysText(hashed, asOf, before) ?? forgottenText(hashed, before)
  if (gap !== undefined) throw new OpsRefusal(`${gap}, add --complete. Nothing was imported.`)
}

const tooOldText = (list: string, asOf: string): string | undefined =>
  isListTooOld(asOf, now())
    ? `Warning: the list ${list} of ${asOf} is older than 31 days. Lead types that obey it call only exempted leads, until a newer list is imported.`
    : undefined

/** Area codes that the full list lacks, although its changes or the former list have them: probably, a file was forgotten. */
const lackedText = (list: string, before: Registry, inFiles: readonly string[], changes: boolean): string | undefined => {
  if (changes && before.is_complete) return undefined
  const { area_codes } = before
  const [full, other] = changes ? [area_codes, inFiles] : [inFiles, area_codes]
  const lacked = (full && other?.filter((code) => !full.includes(code))) ?? []
  if (lacked.length === 0) return undefined
  const others = changes ? 'these changes have' : 'the former list had'
  return `Warning: the full list ${list} has no number with the area code ${lacked.join(', ')}, but ${others}. If a file is missing, import the full list again, with all files.`
}

/** The fields of a list that operators see. */
const shown = ({ list, as_of, numbers }: Registry) => ({ list, as_of, numbers })

const hasText = ({ numbers, as_of, list }: Registry): string => `The list ${list} has ${counted(numbers, 'number')} as of ${as_of}.`

/** A sentence about numbers that stay on the list, although the changes delete them. */
const keptText = (kept: number, asOf: string, { as_of }: Registry): readonly string[] => {
  if (kept === 0) return []
  const [its, them] = kept === 1 ? ['its deletion is', 'it'] : ['their deletions are', 'them']
  const why =
    asOf === as_of
      ? `the list was as of ${as_of} already, so later changes may have added ${them} again`
      : `${its} of a day before ${as_of}, the former day of the list, or other changes of ${asOf} or later were imported meanwhile`
  return [`Kept ${counted(kept, 'number')} that the changes delete: ${why}.`]
}

/** Imports the full list or a list of changes of a do-not-call registry. */
export const importRegistry = async (asked: Asked, output: Output): Promise<ExitCode> => {
  const { files, list, asOf, changes, complete, smaller, scratch } = asked
  const before = await readRegistry(list)
  checkDays(asOf, list, before)
  if (changes && !before) throw new OpsRefusal(`There is no list ${list} to change. Import its full list first. Nothing was imported.`)
  return withTemporaryFolder(scratch, 'lead-outreach-registry-', async (folder): Promise<ExitCode> => {
    const note = (text: string): void => output.note(text)
    const tooOld = tooOldText(list, asOf)
    if (tooOld !== undefined) note(tooOld)
    const hashed = await hashFiles({ files, isChanges: changes, asOf, folder, note })
    if (hashed.count === 0 && !changes) throw new OpsRefusal('The files hold no phone number. Nothing was imported.')
    if (before && !changes && !smaller) {
      checkListSize(hashed.count, before)
      checkListSizeByAreaCode(hashed.byAreaCode, before, complete)
    }
    const lacked = before && lackedText(list, before, hashed.areaCodes, changes)
    if (lacked !== undefined) note(lacked)
    if (changes && before) {
      if (!complete) checkGap(hashed, asOf, before)
      if (!smaller) checkDeletions(numbersDeleted({ asOf, before, hashed }), before)
      const { registry, added, removed, kept } = await importChanges({ asOf, before, hashed })
      const done = `Added ${counted(added, 'number')} and removed ${counted(removed, 'number')}.`
      output.show({ ...shown(registry), added, removed, kept }, () => [done, ...keptText(kept, asOf, before), hasText(registry)].join(' '))
      return 0
    }
    const registry = await importFull({ list, asOf, before, complete, smaller, hashed, note })
    const replaced = before ? ` It replaces ${counted(before.numbers, 'number')} as of ${before.as_of}.` : ''
    output.show(shown(registry), () => `${hasText(registry)}${replaced}`)
    return 0
  })
}
