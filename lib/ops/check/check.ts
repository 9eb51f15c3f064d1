import { type Checking, confirm, type Findings } from './confirm.ts'
import { joinRecords } from './scan/join-records.ts'
import { scanPart } from './scan/scan-part.ts'
import { withScratch } from './scan/scratch.ts'
import { readSegments } from './scan/segment-files.ts'

export interface TableCheck extends Checking {
  /** Folder for temporary files. Default: that of the system. */
  readonly scratch?: string | undefined
  /** Folder with the files of all segments. Default: the table is read now. */
  readonly join?: string | undefined
}

interface Checked extends Findings {
  readonly items: number
}

/**
 * Checks the whole table, and writes nothing to it. The service may be running meanwhile. Needs bounded memory: the rest is in temporary
 * files.
 * @param use gets what was found. The temporary files are removed afterwards.
 * @throws OpsMistake when a folder is missing; OpsRefusal when the segments are not those of the whole table
 */
export const checkTable = async <T>(check: TableCheck, use: (checked: Checked) => Promise<T>): Promise<T> =>
  withScratch(check.scratch, async (scratch) => {
    const suspects = scratch.lines()
    const records = scratch.lines()
    const scanned = async () => {
      const items = await scanPart({ part: 1, parts: 1 }, { records, note: check.note })
      return { items, sorted: await records.sorted() }
    }
    const { items, sorted } = await (check.join === undefined ? scanned() : readSegments(check.join))
    await joinRecords(sorted, suspects, check.note)
    records.remove()
    return use({ items, ...(await confirm(suspects, { ...check, scratch })) })
  })
