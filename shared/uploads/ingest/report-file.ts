import { put } from '../../platform/bucket/bucket.ts'
import { beginMultipart, completeMultipart, getPiece, type Piece, piecesAfter, putPart } from '../../platform/bucket/bucket-pieces.ts'
import { now } from '../../platform/clock.ts'
import { inLanes } from '../../platform/lanes.ts'
import { windowRows } from '../rules/lanes.ts'
import { DRY_RUN_HEADER, dryRunLine, inFileOrder, REJECTED_HEADER, rejectedLine } from '../rules/report-csv.ts'
import type { LanePlan, ReportAssembly, Upload } from '../upload.ts'
import { lengthenLease, saveAssembly } from '../upload-work-store.ts'
import type { RowResults } from './take-rows.ts'

/** The report of an upload: its rejected rows, or all rows of a dry run. It is stored in pieces, one per batch, and assembled at the end. */

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
export const keepReport = (upload: Upload, from: number, results: Pick<RowResults, 'rejected' | 'taken'>): Promise<void> =>
  put(`${piecesOf(upload)}${String(from).padStart(ROW_DIGITS, '0')}.csv`, reportOf(upload.dry_run, results), CONTENT_TYPE)

/** Bytes. Each part of a multipart upload, except the last, must have at least 5 MiB. */
const PART_BYTES = 8 * 1024 * 1024
/** The most pieces in memory together. They must also fit into one part. */
const ROUND_PIECES = 128
const PIECES_AT_ONCE = 32

/** The first pieces that fit into one part together; at least one. */
const firstOf = (pieces: readonly Piece[]): readonly Piece[] => {
  let bytes = 0
  const over = pieces.findIndex(({ size }, index) => {
    bytes += size
    return index > 0 && bytes > PART_BYTES
  })
  return over === -1 ? pieces : pieces.slice(0, over)
}

/** The first piece that was made from rows after the window of another one. -1: there is none. */
const firstAfterWindow = (pieces: readonly Piece[], of: Piece | undefined, plan: LanePlan): number => {
  const windowOf = ({ key }: Piece): number =>
    Math.floor((Number(key.slice(key.lastIndexOf('/') + 1, -'.csv'.length)) - 1) / windowRows(plan))
  return of ? pieces.findIndex((piece) => windowOf(piece) > windowOf(of)) : -1
}

/** Like `piecesAfter`. For lanes, at least the pieces of one window, because they must be sorted together. */
const somePieces = async (upload: Upload, behind: string): Promise<{ readonly pieces: Piece[]; readonly isLast: boolean }> => {
  const { pieces, isLast: isAll } = await piecesAfter(piecesOf(upload), behind, ROUND_PIECES)
  if (!upload.plan) return { pieces, isLast: isAll }
  let isLast = isAll
  while (!isLast && firstAfterWindow(pieces, pieces[0], upload.plan) === -1) {
    const more = await piecesAfter(piecesOf(upload), pieces.at(-1)?.key ?? behind, ROUND_PIECES)
    pieces.push(...more.pieces)
    isLast = more.isLast
  }
  return { pieces, isLast }
}

/** The first pieces that fit into one part together, in whole windows; at least one window. */
const firstWindows = (pieces: readonly Piece[], isLast: boolean, plan: LanePlan): readonly Piece[] => {
  const fitting = firstOf(pieces)
  if (isLast && fitting.length === pieces.length) return pieces
  // The next piece, or else the last one, may belong to a window whose other pieces are not here.
  const open = pieces[fitting.length] ?? pieces.at(-1)
  const end = pieces.findIndex((piece) => open !== undefined && firstAfterWindow([open], piece, plan) === -1)
  if (end > 0) return pieces.slice(0, end)
  const next = firstAfterWindow(pieces, pieces[0], plan)
  return next === -1 ? pieces : pieces.slice(0, next)
}

interface Round {
  readonly bodies: readonly Buffer[]
  /** Key of the last piece in it. */
  readonly after: string
  readonly isLast: boolean
}

const nextRound = async (upload: Upload, behind: string): Promise<Round> => {
  const { plan } = upload
  const { pieces, isLast } = await somePieces(upload, behind)
  const some = plan ? firstWindows(pieces, isLast, plan) : firstOf(pieces)
  const read = await inLanes(PIECES_AT_ONCE, some, ({ key }) => getPiece(key))
  const bodies = plan ? [Buffer.from(inFileOrder(Buffer.concat(read).toString()))] : read
  return { bodies, after: some.at(-1)?.key ?? behind, isLast: isLast && some.length === pieces.length }
}

/** The initial state of the assembly. @param sentence why not all rows were read */
export const beginning = (upload: Upload, sentence: string | null): ReportAssembly => ({
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
const keepTail = async (upload: Upload, assembly: ReportAssembly, body: Buffer): Promise<ReportAssembly> => {
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
export const putTogether = async (
  upload: Upload,
  from: ReportAssembly,
  isTimeUp: () => boolean,
): Promise<{ readonly key: string } | 'later' | 'lost'> => {
  const key = reportKey(upload)
  let assembly = from
  let bodies: readonly Buffer[] = [await tailOf(upload, assembly)]
  for (;;) {
    const round = await nextRound(upload, assembly.after)
    bodies = [...bodies, ...round.bodies]
    assembly = { ...assembly, after: round.after }
    const isPart = bodies.reduce((sum, { length }) => sum + length, 0) >= PART_BYTES
    if (round.isLast && (await complete(key, assembly, Buffer.concat(bodies)))) return { key }
    if (round.isLast || isPart) {
      const next = round.isLast ? undefined : await withPart(key, assembly, Buffer.concat(bodies))
      assembly = next ?? beginning(upload, from.sentence)
      bodies = [await tailOf(upload, assembly)]
    }
    const isLater = isTimeUp()
    if (isLater && assembly.after !== piecesOf(upload)) assembly = await keepTail(upload, assembly, Buffer.concat(bodies))
    const isHeld = await (isLater || round.isLast || isPart ? saveAssembly(upload, assembly, now()) : lengthenLease(upload, now()))
    if (!isHeld || isLater) return isHeld ? 'later' : 'lost'
  }
}
