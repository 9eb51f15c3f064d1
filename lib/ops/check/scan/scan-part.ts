import { readUser } from '#shared/accounts/user-store.ts'
import { scanTable } from '#shared/platform/table/scan.ts'
import type { SortedLines } from '../lines/sorted-lines.ts'
import { TAGS } from '../tags.ts'
import { type GroupOf, ItemReader, type ItemReaderOptions } from './item-reader.ts'
import { unlessMalformed } from './items.ts'

/** One of several parts of the table, which count from 1. */
export interface TablePart {
  readonly part: number
  readonly parts: number
}

/** Segments of a part that are read concurrently. Each holds two pages in memory. */
const SEGMENTS = 2
/** Items between two progress messages. */
const PROGRESS = 50_000
/** Most owners whose groups are remembered. */
const OWNERS = 10_000

const rememberingGroups = (): GroupOf => {
  const groups = new Map<number, string | undefined>()
  return async (owner) => {
    if (!groups.has(owner)) {
      if (groups.size === OWNERS) groups.clear()
      groups.set(owner, (await unlessMalformed(() => readUser(owner)))?.dnc_group)
    }
    return groups.get(owner)
  }
}

interface PartScan {
  readonly records: SortedLines
  readonly note: (text: string) => void
}

/** Reads a part of the table, and adds the records of its items. @returns the number of items */
export const scanPart = async ({ part, parts }: TablePart, { records, note }: PartScan): Promise<number> => {
  const groupOf = rememberingGroups()
  const add: ItemReaderOptions['add'] = (tag, record) => records.add(`${TAGS[tag]}${record}`)
  const readers = Array.from({ length: SEGMENTS }, () => new ItemReader({ add, groupOf }))
  let count = 0
  for await (const { segment, items } of scanTable({ segments: SEGMENTS, part, parts })) {
    for (const item of items) {
      await readers[segment]?.take(item)
      if (++count % PROGRESS === 0) note(`${count.toLocaleString('en-US')} items`)
    }
  }
  return count
}
