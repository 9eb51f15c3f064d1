import { closeSync, fstatSync, openSync, readdirSync, readSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import * as v from 'valibot'
import { idOfTable } from '#shared/platform/table/scan.ts'
import { OpsRefusal } from '../../refusal.ts'
import { existingFolder } from '../../temporary-folder.ts'
import { mergedLines } from '../lines/merge.ts'
import { eachLine, LineWriter } from '../lines/sorted-lines.ts'
import { scanPart, type TablePart } from './scan-part.ts'
import { withScratch } from './scratch.ts'

/** Changes when the records change: segments of different versions do not fit together. */
const FORMAT = 1

/** Begins the last line of a file, and sorts after all records. */
const END = '~'

/** The last line tells what the file is. A file that is still being written or copied lacks it. */
const Summary = v.pipe(
  v.string(),
  v.startsWith(END),
  v.transform((line) => line.slice(1)),
  v.parseJson(),
  v.object({ format: v.number(), table: v.string(), part: v.number(), parts: v.number(), items: v.number(), records: v.number() }),
)
type Summary = v.InferOutput<typeof Summary>

/** Bytes at the end of a file that hold the last line. */
const TAIL = 2000

const readSummary = (path: string): Summary | undefined => {
  const file = openSync(path, 'r')
  try {
    const { size } = fstatSync(file)
    const tail = Buffer.alloc(Math.min(TAIL, size))
    readSync(file, tail, 0, tail.length, size - tail.length)
    const read = v.safeParse(Summary, tail.toString('utf8').trimEnd().split('\n').at(-1))
    return read.success ? read.output : undefined
  } finally {
    closeSync(file)
  }
}

interface SegmentScan {
  /** Folder of the file. */
  readonly into: string
  readonly scratch?: string | undefined
  readonly note: (text: string) => void
}

export interface ScannedSegment extends TablePart {
  readonly items: number
  readonly records: number
  readonly file: string
}

/**
 * Reads a part of the table, and writes its sorted records to one file. Replaces an earlier file of this part.
 * @throws OpsMistake when a folder is missing
 */
export const scanSegmentInto = async (part: TablePart, { into, scratch: parent, note }: SegmentScan): Promise<ScannedSegment> =>
  withScratch(parent, async (scratch) => {
    const name = `segment-${part.part}-of-${part.parts}`
    const file = join(existingFolder(into, '--into'), name)
    const table = await idOfTable()
    const scanned = scratch.lines()
    const items = await scanPart(part, { records: scanned, note })
    const unfinished = join(into, `.${name}`)
    const writer = new LineWriter(unfinished)
    let records = 0
    await eachLine(await scanned.sorted(), (line) => {
      writer.write(line)
      records++
    })
    writer.write(`${END}${JSON.stringify({ format: FORMAT, table, ...part, items, records } satisfies Summary)}`)
    writer.close()
    renameSync(unfinished, file)
    return { ...part, items, records, file }
  })

interface SegmentFile {
  readonly name: string
  readonly summary: Summary
}

const readFiles = (folder: string): SegmentFile[] => {
  const names = readdirSync(folder).filter((name) => !name.startsWith('.'))
  return names.toSorted().map((name) => {
    const summary = readSummary(join(folder, name))
    if (summary) return { name, summary }
    throw new OpsRefusal(`${join(folder, name)} is not the complete file of a segment. Copy it again, or remove it from the folder.`)
  })
}

/** @throws OpsRefusal when the files are not those of each segment once */
const checkFiles = (folder: string, files: readonly SegmentFile[], table: string): void => {
  const [first] = files
  if (!first) throw new OpsRefusal(`${folder} has no segments. Write them with: npm run ops -- check --segment 1/4 --into ${folder}`)
  const { parts } = first.summary
  const seen = new Map<number, string>()
  for (const { name, summary } of files) {
    const path = join(folder, name)
    if (summary.format !== FORMAT) throw new OpsRefusal(`${path} was written by another version of this tool. Scan that segment again.`)
    if (summary.table !== table) throw new OpsRefusal(`${path} is a segment of another table. Remove it from the folder.`)
    if (summary.parts !== parts) {
      throw new OpsRefusal(
        `${join(folder, first.name)} is one of ${parts} segments, but ${path} is one of ${summary.parts}. Keep the files of one division.`,
      )
    }
    const other = seen.get(summary.part)
    if (other !== undefined) throw new OpsRefusal(`${join(folder, other)} and ${path} are the same segment. Remove one of them.`)
    seen.set(summary.part, name)
  }
  const missing = Array.from({ length: parts }, (_, index) => index + 1).filter((part) => !seen.has(part))
  if (missing.length === 0) return
  const commands = missing.map((part) => `  npm run ops -- check --segment ${part}/${parts} --into ${folder}`)
  throw new OpsRefusal(`${folder} lacks segments. Scan them, or copy their files there:\n${commands.join('\n')}`)
}

/** The lines without the summaries. @throws OpsRefusal when the files have other lines than they say */
function* recordsOf(folder: string, files: readonly SegmentFile[]): Generator<string> {
  let records = files.reduce((sum, { summary }) => sum + summary.records, 0)
  for (const line of mergedLines(files.map(({ name }) => join(folder, name)))) {
    if (line.startsWith(END)) continue
    records--
    yield line
  }
  if (records !== 0) throw new OpsRefusal(`The files in ${folder} do not have as many records as they say. Copy or scan them again.`)
}

/**
 * The records of the whole table from the files of its segments.
 * @throws OpsMistake when there is no such folder; OpsRefusal when the files are not those of each segment of the table once
 */
export const readSegments = async (folder: string) => {
  const files = readFiles(existingFolder(folder, '--join'))
  checkFiles(folder, files, await idOfTable())
  return { items: files.reduce((sum, { summary }) => sum + summary.items, 0), sorted: recordsOf(folder, files) }
}
