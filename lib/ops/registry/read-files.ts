import { DAY } from '#shared/platform/values/durations.ts'
import { areaCodeOf } from '#shared/registries/registry.ts'
import { HASH_BYTES, REGISTRY_PARTS } from '#shared/registries/rules/block.ts'
import { type RegistryLine, readRegistryLine } from '#shared/registries/rules/line.ts'
import { phoneHasher } from '#shared/stops/phone-hash.ts'
import type { Output } from '../output.ts'
import { readLines, wrongLine } from './read-lines.ts'
import { RecordFiles } from './record-files.ts'

/** A change after its hash: two bytes with its day, and a byte that is 1 for an added number. */
const DAY_AT = HASH_BYTES
const ADDED_AT = DAY_AT + 2
const CHANGE_BYTES = ADDED_AT + 1

/** Numbers between two progress messages. */
const PROGRESS_EACH = 5_000_000

/** Days since 1970. @param day as YYYY-MM-DD */
export const dayNumber = (day: string): number => Date.parse(day) / DAY

/** A change of one number. */
export interface HashedChange {
  readonly hash: Buffer
  /** Days since 1970. */
  readonly day: number
  readonly isAdded: boolean
}

export const changeIn = (record: Buffer): HashedChange => ({
  hash: record,
  day: record.readUInt16BE(DAY_AT),
  isAdded: record.readUInt8(ADDED_AT) === 1,
})

interface Reading {
  readonly files: readonly string[]
  /** The files are lists of changes. */
  readonly isChanges: boolean
  /** The day of the list, as YYYY-MM-DD. No change may be later. */
  readonly asOf: string
  readonly folder: string
  readonly note: Output['note']
}

const FULL = 'Each line of a full list must be one phone number with ten digits, such as 212,5550100 or 2125550100.'
const CHANGES =
  'Each line of a list of changes must be a phone number, a date, and A (added) or D (deleted), such as 212,5550100,2026-11-20,A.'

/** Records count the days from this one. It is long before the first registry. */
const EARLIEST = '1970-01-01'

const faultOf = ({ change }: RegistryLine, { isChanges, asOf }: Reading): string | undefined => {
  if (change && !isChanges) return 'This is a line of a list of changes. Import it with --changes.'
  if (!change && isChanges) return CHANGES
  if (change && change.day < EARLIEST) return `The change is of a day before ${EARLIEST}, which cannot be right.`
  return change && change.day > asOf ? `The change is later than the day of the list, ${asOf}. See --as-of.` : undefined
}

/**
 * Reads all files to their ends, and sorts the hashes of their numbers into temporary files, by the part of the list.
 * @returns the number of lines with numbers, in all and by area code, and the days of the changes
 * @throws OpsRefusal at the first line with a fault
 */
export const hashFiles = async (reading: Reading) => {
  const { files, isChanges, folder, note } = reading
  const records = new RecordFiles(folder, isChanges ? CHANGE_BYTES : HASH_BYTES)
  const hashOf = await phoneHasher()
  let count = 0
  const byAreaCode = new Map<string, number>()
  const days = new Set<number>()
  for (const path of files) {
    await readLines(path, (text, number) => {
      const line = readRegistryLine(text)
      if (!line) throw wrongLine(path, number, text, isChanges ? CHANGES : FULL)
      const fault = faultOf(line, reading)
      if (fault !== undefined) throw wrongLine(path, number, text, fault)
      const areaCode = areaCodeOf(line.phoneNumber)
      byAreaCode.set(areaCode, (byAreaCode.get(areaCode) ?? 0) + 1)
      const hash = hashOf(line.phoneNumber)
      records.add(hash.readUInt8(0), (record) => {
        hash.copy(record, 0, 0, HASH_BYTES)
        if (!line.change) return
        const day = dayNumber(line.change.day)
        days.add(day)
        record.writeUInt16BE(day, DAY_AT)
        record.writeUInt8(line.change.isAdded ? 1 : 0, ADDED_AT)
      })
      if (++count % PROGRESS_EACH === 0) note(`${count.toLocaleString('en-US')} numbers read`)
    })
  }
  records.close()
  const areaCodes = [...byAreaCode.keys()].toSorted()
  return { count, records, areaCodes, byAreaCode: Object.fromEntries(byAreaCode), days: [...days].toSorted((one, other) => one - other) }
}

export type Hashed = Awaited<ReturnType<typeof hashFiles>>

export const ALL_PARTS = Array.from({ length: REGISTRY_PARTS }, (_, part) => part)
