import { Readable } from 'node:stream'
import { isMentioned } from '#shared/erasure/rules/mention.ts'
import { getRange, put } from '#shared/platform/bucket/bucket.ts'
import { type ObjectVersion, objectVersions, removeVersion } from '#shared/platform/bucket/bucket-versions.ts'
import type { CsvDialect } from '#shared/uploads/csv.ts'
import { rowsFrom } from '#shared/uploads/rules/csv/rows.ts'
import { DRY_RUN_HEADER, REJECTED_HEADER } from '#shared/uploads/rules/report-csv.ts'

/** Removes a person's rows from the CSV report of an upload's rejected rows, or of all rows of a dry run. */

const dialectOf = (header: string): CsvDialect => ({
  ...{ delimiter: ',', newline: '\n', header: header.trim().split(',') },
  start: { offset: header.length, row: 1, line: 2 },
})

const REJECTED = dialectOf(REJECTED_HEADER)
const DRY_RUN = dialectOf(DRY_RUN_HEADER)

const dialectOfReport = (report: Buffer): CsvDialect => (report.indexOf(DRY_RUN_HEADER) === 0 ? DRY_RUN : REJECTED)

/** Bytes. A report up to this size is rewritten in memory; a larger one is deleted. */
const MOST = 256 * 1024 * 1024

const whole = async (key: string): Promise<Buffer | undefined> => {
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of (await getRange(key, { from: 0 })) ?? []) {
    parts.push(part)
    size += part.length
    if (size > MOST) return undefined
  }
  return Buffer.concat(parts)
}

interface Line {
  readonly line: string
  readonly text: Buffer
}

const linesOf = async (report: Buffer, dialect: CsvDialect): Promise<Line[]> => {
  const lines: Line[] = []
  const { offset } = dialect.start
  for await (const row of rowsFrom(Readable.from([report.subarray(offset)]), dialect)) {
    if ('isEmpty' in row) continue
    lines.push({ line: 'read' in row ? (row.read('line') ?? '') : '', text: report.subarray(row.at.offset, row.next.offset) })
  }
  return lines
}

/** The report without the rows at these lines of the file, and without rows that mention the number. */
const without = async (report: Buffer, mentions: RegExp, lines: readonly number[]): Promise<Buffer> => {
  const dialect = dialectOfReport(report)
  const rows = await linesOf(report, dialect)
  const mentioning = rows.filter(({ text }) => isMentioned(mentions, text.toString())).map(({ line }) => line)
  const theirs = new Set([...lines.map(String), ...mentioning])
  const kept = rows.filter(({ line, text }) => !theirs.has(line) && !isMentioned(mentions, text.toString()))
  return Buffer.concat([report.subarray(0, dialect.start.offset), ...kept.map(({ text }) => text)])
}

/** Removes every version of the objects whose keys have a prefix, and their delete markers. */
export const removeObjects = async (prefix: string, isMeant: (object: ObjectVersion) => boolean = () => true): Promise<void> => {
  for await (const page of objectVersions(prefix)) {
    for (const object of page.filter(isMeant)) await removeVersion(object)
  }
}

export const removeObject = (key: string): Promise<void> => removeObjects(key, (object) => object.key === key)

/**
 * Rewrites the report of a finished upload. Removes the parts that it was made from.
 * @param folder of the upload's rejected rows, with a trailing slash
 * @param lines of the file at which the person's rows begin
 */
export const rewriteReport = async (folder: string, mentions: RegExp, lines: readonly number[]): Promise<void> => {
  const key = `${folder}rejected.csv`
  await removeObjects(folder, (object) => object.key !== key)
  const report = await whole(key)
  if (report === undefined) return removeObject(key)
  if (report.length === 0) return
  const rest = await without(report, mentions, lines)
  if (rest.length < report.length) await put(key, rest, 'text/csv; charset=utf-8')
  await removeObjects(key, (object) => object.key === key && !object.isLatest)
}
