import { put } from '../../adapters/bucket.ts'
import { beginMultipart, completeMultipart, getPiece, keysAfter, putPart } from '../../adapters/bucket-pieces.ts'
import { now } from '../../adapters/clock.ts'
import { REJECTED_HEADER, rejectedLine } from '../../domain/uploads/rejected-csv.ts'
import type { Assembly, Upload } from '../../schema/upload.ts'
import { saveAssembly } from '../../storage/upload-work.ts'
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
const PIECES_AT_ONCE = 16

interface Gathered {
  readonly body: Buffer
  /** Key of the last piece in it. */
  readonly after: string
  readonly isLast: boolean
}

/** Pieces behind one of them, until there is enough for a part or there are no more. */
const gather = async (upload: Upload, behind: string, head: string): Promise<Gathered> => {
  const parts: Uint8Array[] = [Buffer.from(head)]
  let size = 0
  let after = behind
  for (;;) {
    const { keys, isLast } = await keysAfter(piecesOf(upload), after)
    for (let at = 0; at < keys.length; at += PIECES_AT_ONCE) {
      const some = keys.slice(at, at + PIECES_AT_ONCE)
      const bodies = await Promise.all(some.map(getPiece))
      parts.push(...bodies)
      size += bodies.reduce((sum, body) => sum + body.length, 0)
      after = some.at(-1) ?? after
      const isEnd = isLast && at + PIECES_AT_ONCE >= keys.length
      if (size >= PART_BYTES && !isEnd) return { body: Buffer.concat(parts), after, isLast: false }
    }
    if (isLast) return { body: Buffer.concat(parts), after, isLast: true }
  }
}

/** @returns undefined when the multipart upload is gone: it was completed, or given up by the bucket */
const nextPart = async (upload: Upload, assembly: Assembly | null): Promise<(Assembly & { readonly isLast: boolean }) | undefined> => {
  const key = rejectedKey(upload)
  const { body, after, isLast } = await gather(upload, assembly?.after ?? piecesOf(upload), assembly ? '' : REJECTED_HEADER)
  if (!assembly && isLast) {
    await put(key, body, CONTENT_TYPE)
    return { multipart: '', etags: [], after, isLast }
  }
  const multipart = assembly?.multipart ?? (await beginMultipart(key, CONTENT_TYPE))
  const etags = assembly?.etags ?? []
  const etag = await putPart(key, multipart, etags.length + 1, body)
  if (etag === undefined) return undefined
  const all = [...etags, etag]
  if (isLast) await completeMultipart(key, multipart, all)
  return { multipart, etags: all, after, isLast }
}

/**
 * Puts the CSV of the rejected rows together, in constant memory, and notes after each part how far that is.
 * @param isTimeUp looked at after each part
 * @returns its key; `later` when time is up, `lost` when somebody else has the lease
 */
export const putTogether = async (upload: Upload, isTimeUp: () => boolean): Promise<{ readonly key: string } | 'later' | 'lost'> => {
  let assembly = upload.assembly
  for (;;) {
    const part = await nextPart(upload, assembly)
    if (part?.isLast) return { key: rejectedKey(upload) }
    assembly = part ? { multipart: part.multipart, etags: part.etags, after: part.after } : null
    if (assembly && !(await saveAssembly(upload, assembly, now()))) return 'lost'
    if (isTimeUp()) return 'later'
  }
}
