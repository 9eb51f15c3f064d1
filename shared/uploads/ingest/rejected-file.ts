import { put } from '../../platform/bucket/bucket.ts'
import { beginMultipart, completeMultipart, getPiece, type Piece, piecesAfter, putPart } from '../../platform/bucket/bucket-pieces.ts'
import { now } from '../../platform/clock.ts'
import { inLanes } from '../../platform/lanes.ts'
import { REJECTED_HEADER, rejectedLine } from '../rules/rejected-csv.ts'
import type { ReportAssembly, Upload } from '../upload.ts'
import { lengthenLease, saveAssembly } from '../upload-work-store.ts'
import type { RejectedRow } from './read-row.ts'

/** The rejected rows of a file are kept in pieces, one a batch, and put together at the end. */

const CONTENT_TYPE = 'text/csv; charset=utf-8'
const ROW_DIGITS = 12

const folderOf = ({ owner, upload_id }: Upload): string => `rejected/${owner}/${upload_id}`
const piecesOf = (upload: Upload): string => `${folderOf(upload)}/parts/`
const rejectedKey = (upload: Upload): string => `${folderOf(upload)}/rejected.csv`

/** Keeps the rejected rows of a batch that begins with the row `from`. A repeat of the batch replaces them. */
export const keepRejected = (upload: Upload, from: number, rows: readonly RejectedRow[]): Promise<void> => {
  const text = rows.flatMap(({ cells }) => cells.map(rejectedLine)).join('')
  return put(`${piecesOf(upload)}${String(from).padStart(ROW_DIGITS, '0')}.csv`, text, CONTENT_TYPE)
}

/** Parts of a multipart upload, the last one aside, are to have 5 MiB at least. */
const PART_BYTES = 8 * 1024 * 1024
/** Pieces that are in memory together, if they are not larger than a part. */
const ROUND_PIECES = 128
const PIECES_AT_ONCE = 32

/** As many of the pieces as are not larger than a part together, and one at least. */
const firstOf = (pieces: readonly Piece[]): readonly Piece[] => {
  let bytes = 0
  const over = pieces.findIndex(({ size }, index) => {
    bytes += size
    return index > 0 && bytes > PART_BYTES
  })
  return over === -1 ? pieces : pieces.slice(0, over)
}

interface Round {
  readonly bodies: readonly Buffer[]
  /** Key of the last piece in it. */
  readonly after: string
  readonly isLast: boolean
}

const nextRound = async (upload: Upload, behind: string): Promise<Round> => {
  const { pieces, isLast } = await piecesAfter(piecesOf(upload), behind, ROUND_PIECES)
  const some = firstOf(pieces)
  const bodies: Buffer[] = []
  await inLanes(PIECES_AT_ONCE, [...some.entries()], async ([index, { key }]) => {
    bodies[index] = await getPiece(key)
  })
  return { bodies, after: some.at(-1)?.key ?? behind, isLast: isLast && some.length === pieces.length }
}

/** How the CSV of the rejected rows begins to be put together. @param sentence why not all rows were read */
export const beginning = (upload: Upload, sentence: string | null): ReportAssembly => ({
  ...{ sentence, multipart: null, etags: [], after: piecesOf(upload), tail: null },
})

/** What comes after the parts. */
const tailOf = async ({ tail, etags }: ReportAssembly): Promise<Buffer> => {
  if (tail !== null) return getPiece(tail)
  return Buffer.from(etags.length === 0 ? REJECTED_HEADER : '')
}

/** @returns undefined when the multipart upload is gone: it was completed, or given up by the bucket */
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

/** Keeps what comes after the parts for another run, under a key that no other tail has. */
const keepTail = async (upload: Upload, assembly: ReportAssembly, body: Buffer): Promise<ReportAssembly> => {
  const tail = `${folderOf(upload)}/tails/${assembly.after.slice(piecesOf(upload).length)}`
  await put(tail, body, CONTENT_TYPE)
  return { ...assembly, tail }
}

/**
 * Puts the CSV of the rejected rows together from where that stands, in constant memory and in rounds: after each of them the lease is
 * lengthened, and another run can go on.
 * @param isTimeUp looked at after each round
 * @returns its key; `later` when time is up, `lost` when somebody else has the lease
 */
export const putTogether = async (
  upload: Upload,
  from: ReportAssembly,
  isTimeUp: () => boolean,
): Promise<{ readonly key: string } | 'later' | 'lost'> => {
  const key = rejectedKey(upload)
  let assembly = from
  let bodies: readonly Buffer[] = [await tailOf(assembly)]
  for (;;) {
    const round = await nextRound(upload, assembly.after)
    bodies = [...bodies, ...round.bodies]
    assembly = { ...assembly, after: round.after }
    const isPart = bodies.reduce((sum, { length }) => sum + length, 0) >= PART_BYTES
    if (round.isLast && (await complete(key, assembly, Buffer.concat(bodies)))) return { key }
    if (round.isLast || isPart) {
      const next = round.isLast ? undefined : await withPart(key, assembly, Buffer.concat(bodies))
      assembly = next ?? beginning(upload, from.sentence)
      bodies = [await tailOf(assembly)]
    }
    const isLater = isTimeUp()
    if (isLater && assembly.after !== piecesOf(upload)) assembly = await keepTail(upload, assembly, Buffer.concat(bodies))
    const isHeld = await (isLater || round.isLast || isPart ? saveAssembly(upload, assembly, now()) : lengthenLease(upload, now()))
    if (!isHeld || isLater) return isHeld ? 'later' : 'lost'
  }
}
