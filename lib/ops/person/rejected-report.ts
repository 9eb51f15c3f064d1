import { Readable } from 'node:stream'
import { isMentioned } from '#shared/erasure/rules/mention.ts'
import { getRange, put } from '#shared/platform/bucket/bucket.ts'
import { type ObjectVersion, objectVersions, removeVersion } from '#shared/platform/bucket/bucket-versions.ts'
import type { CsvDialect } from '#shared/uploads/csv.ts'
import { rowsFrom } from '#shared/uploads/rules/csv/rows.ts'
import { REJECTED_HEADER } from '#shared/uploads/rules/rejected-csv.ts'

/** The CSV of an upload's rejected rows, without those of a person. */

const DIALECT: CsvDialect = {
  delimiter: ',',
  newline: '\n',
  header: REJECTED_HEADER.trim().split(','),
  start: { offset: REJECTED_HEADER.length, row: 1, line: 2 },
}

/** Bytes of a report that are held in memory; a larger one is removed as a whole. */
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

const linesOf = async (report: Buffer): Promise<Line[]> => {
  const lines: Line[] = []
  const { offset } = DIALECT.start
  for await (const row of rowsFrom(Readable.from([report.subarray(offset)]), DIALECT)) {
    if ('isEmpty' in row) continue
    lines.push({ line: 'read' in row ? (row.read('line') ?? '') : '', text: report.subarray(row.at.offset, row.next.offset) })
  }
  return lines
}

/** What is told of the rows of a file at some of its lines, and of those that mention the number. */
const without = async (report: Buffer, mentions: RegExp, lines: readonly number[]): Promise<Buffer> => {
  const told = await linesOf(report)
  const mentioning = told.filter(({ text }) => isMentioned(mentions, text.toString())).map(({ line }) => line)
  const theirs = new Set([...lines.map(String), ...mentioning])
  const kept = told.filter(({ line, text }) => !theirs.has(line) && !isMentioned(mentions, text.toString()))
  return Buffer.concat([report.subarray(0, DIALECT.start.offset), ...kept.map(({ text }) => text)])
}

const removeAll = async (prefix: string, isMeant: (object: ObjectVersion) => boolean): Promise<void> => {
  for await (const page of objectVersions(prefix)) {
    for (const object of page.filter(isMeant)) await removeVersion(object)
  }
}

/** Every version of an object, and the marks of its deletion. */
export const removeObject = (key: string): Promise<void> => removeAll(key, (object) => object.key === key)

/** What nobody can come to any more is not rewritten. @param folder as of `rewriteReport` */
export const removeReport = (folder: string): Promise<void> => removeAll(folder, () => true)

/**
 * Rewrites the report of an upload that is done; what it was put together from goes.
 * @param folder of what is kept of its rejected rows, with a slash at its end
 * @param lines of the file at which the person's rows begin
 */
export const rewriteReport = async (folder: string, mentions: RegExp, lines: readonly number[]): Promise<void> => {
  const key = `${folder}rejected.csv`
  await removeAll(folder, (object) => object.key !== key)
  const report = await whole(key)
  if (report === undefined) return removeObject(key)
  if (report.length === 0) return
  const rest = await without(report, mentions, lines)
  if (rest.length < report.length) await put(key, rest, 'text/csv; charset=utf-8')
  await removeAll(key, (object) => object.key === key && !object.isLatest)
}
