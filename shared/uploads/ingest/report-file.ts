import { put } from '../../platform/bucket/bucket.ts'
import { beginMultipart, completeMultipart, getPiece, type Piece, piecesAfter, putPart } from '../../platform/bucket/bucket-pieces.ts'
import { now } from '../../platform/clock.ts'
import { inLanes } from '../../platform/lanes.ts'
import { windowRows } from '../rules/lanes.ts'
import { DRY_RUN_HEADER, dryRunLine, inFileOrder, REJECTED_HEADER, rejectedLine } from '../rules/report-csv.ts'
import type { ReportAssembly, Upload } from '../upload.ts'
import { extendLease, saveAssembly } from '../upload-work-store.ts'
import type { RowResults } from './take-rows.ts'

/**
 * The report of an upload: its rejected rows, or all rows of a dry run. It is stored in pieces, one per batch, and assembled at the end.
 */

const CONTENT_TYPE = 'text/csv; charset=utf-8'
const ROW_DIGITS = 12

const folderOf = ({ owner, upload_id }: Upload): string => `rejected/${owner}/${upload_id}`
const piecesOf = (upload: Upload): string => `${folderOf(upload)}/parts/`
const reportKey = (upload: Upload): string => `${folderOf(upload)}/rejected.csv`

/** The part of the report about a batch. */
const reportOf = (isDryRun: boolean, { rejected, taken }: Pick<RowResults, 'rejected' | 'taken'>): string => {
  const cells = rejected.flatMap((row) => row.cells)
  if (!isDryRun) return cells.map(rejectedLine).join('')
  return [...cells, ...taken]
    .sort((a, b) => a.line - b.line)
    .map(dryRunLine)
    .join('')
}

/** Stores the report of a batch that begins at the row `from`. A repeat of the batch overwrites it. */
export const storePiece = (upload: Upload, from: number, results: Pick<RowResults, 'rejected' | 'taken'>): Promise<void> =>
  put(`${piecesOf(upload)}${String(from).padStart(ROW_DIGITS, '0')}.csv`, reportOf(upload.dry_run, results), CONTENT_TYPE)

/** Bytes. Each part of a multipart upload, except the last, must have at least 5 MiB. */
const PART_BYTES = 8 * 1024 * 1024
/** A round ends with a window, after so many pieces or the bytes of a part: all of it is in memory. */
const ROUND_PIECES = 128
const PIECES_AT_ONCE = 32

/** The rows that are reported together with those of a piece: its batch or, where lanes read the file, its window. */
const windowOf = ({ key }: Piece, { plan }: Upload): number => {
  const row = Number(key.slice(-ROW_DIGITS - '.csv'.length, -'.csv'.length))
  return plan ? Math.floor((row - 1) / windowRows(plan)) : row
}

const isEnough = (round: readonly Piece[]): boolean =>
  round.length >= ROUND_PIECES || round.reduce((sum, { size }) => sum + size, 0) >= PART_BYTES

/** The pieces after a key, in rounds of whole windows. */
async function* roundsAfter(upload: Upload, behind: string): AsyncGenerator<readonly Piece[]> {
  let round: Piece[] = []
  for await (const piece of piecesAfter(piecesOf(upload), behind)) {
    const last = round.at(-1)
    if (last && isEnough(round) && windowOf(piece, upload) !== windowOf(last, upload)) {
      yield round
      round = []
    }
    round.push(piece)
  }
  if (round.length > 0) yield round
}

/** The text of a round, in the order of the file. */
const read = async (round: readonly Piece[], { plan }: Upload): Promise<Buffer> => {
  const text = Buffer.concat(await inLanes(PIECES_AT_ONCE, round, ({ key }) => getPiece(key)))
  return plan ? Buffer.from(inFileOrder(text.toString())) : text
}

/** The initial state of the assembly. @param sentence why not all rows were read */
export const newAssembly = (upload: Upload, sentence: string | null): ReportAssembly => ({
  ...{ sentence, multipart: null, etags: [], after: piecesOf(upload), tail: null },
})

/** The data after the finished parts. Before the first part: the header. */
const tailOf = async ({ dry_run }: Upload, { tail, etags }: ReportAssembly): Promise<Buffer> => {
  if (tail !== null) return getPiece(tail)
  const header = dry_run ? DRY_RUN_HEADER : REJECTED_HEADER
  return Buffer.from(etags.length === 0 ? header : '')
}

/** @returns undefined when the multipart upload is gone: completed, or aborted by the bucket */
const withPart = async (key: string, assembly: ReportAssembly, body: Buffer): Promise<ReportAssembly | undefined> => {
  const multipart = assembly.multipart ?? (await beginMultipart(key, CONTENT_TYPE))
  const { etags } = assembly
  const etag = await putPart(key, multipart, etags.length + 1, body)
  return etag === undefined ? undefined : { ...assembly, multipart, etags: [...etags, etag], tail: null }
}

/** @returns false when the multipart upload is gone */
const complete = async (key: string, assembly: ReportAssembly, body: Buffer): Promise<boolean> => {
  if (assembly.multipart === null) {
    await put(key, body, CONTENT_TYPE)
    return true
  }
  const whole = body.length === 0 ? assembly : await withPart(key, assembly, body)
  return whole !== undefined && completeMultipart(key, assembly.multipart, whole.etags)
}

/** Stores the data after the parts for another run, under a unique key. */
const storeTail = async (upload: Upload, assembly: ReportAssembly, body: Buffer): Promise<ReportAssembly> => {
  const tail = `${folderOf(upload)}/tails/${assembly.after.slice(piecesOf(upload).length)}`
  await put(tail, body, CONTENT_TYPE)
  return { ...assembly, tail }
}

/**
 * Assembles the report from its saved state, in rounds and in constant memory. Each round extends the lease. Another run
 * can resume.
 * @param isTimeUp checked after each round
 * @returns its key; `later` when time is up; `lost` when another run has the lease
 */
export const assembleReport = async (
  upload: Upload,
  from: ReportAssembly,
  isTimeUp: () => boolean,
): Promise<{ readonly key: string } | 'later' | 'lost'> => {
  const key = reportKey(upload)
  let assembly: ReportAssembly | undefined = from
  let bodies = [await tailOf(upload, from)]
  for await (const round of roundsAfter(upload, from.after)) {
    bodies.push(await read(round, upload))
    assembly = { ...assembly, after: round.at(-1)?.key ?? assembly.after }
    const isPart = bodies.reduce((sum, { length }) => sum + length, 0) >= PART_BYTES
    if (isPart) {
      assembly = await withPart(key, assembly, Buffer.concat(bodies))
      bodies = []
    }
    if (!assembly) break
    const isLater = isTimeUp()
    if (isLater) assembly = await storeTail(upload, assembly, Buffer.concat(bodies))
    const isHeld = await (isLater || isPart ? saveAssembly(upload, assembly, now()) : extendLease(upload, now()))
    if (!isHeld || isLater) return isHeld ? 'later' : 'lost'
  }
  if (assembly && (await complete(key, assembly, Buffer.concat(bodies)))) return { key }
  const anew = newAssembly(upload, from.sentence)
  return (await saveAssembly(upload, anew, now())) ? assembleReport(upload, anew, isTimeUp) : 'lost'
}
