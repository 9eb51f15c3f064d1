import { getRange } from '#shared/adapters/bucket.ts'
import { type ObjectVersion, objectVersions } from '#shared/adapters/bucket-versions.ts'
import { now } from '#shared/adapters/clock.ts'
import { rowsFrom } from '#shared/domain/csv/rows.ts'
import { isMentioned, mentionOffsets } from '#shared/domain/person/mention.ts'
import type { Upload } from '#shared/schema/upload.ts'
import type { Sought } from '#shared/storage/person-items.ts'
import { getUpload } from '#shared/storage/uploads.ts'
import { pooled } from '../pooled.ts'

/** What the bucket holds of a person: rows of files that were uploaded, and of reports on them. */

/** A row of a file that mentions the number. */
interface Row {
  readonly line: number
  readonly text: string
}

/** An upload with files that mention the number. */
export interface UploadFound {
  readonly upload_id: string
  readonly owner: number
  /** Null: it is not known any more. */
  readonly upload: Upload | null
  /** Keys of uploaded files. */
  readonly files: ReadonlySet<string>
  /** Keys of reports, and of what they are put together from. */
  readonly reports: ReadonlySet<string>
  /** None where the file cannot be read as CSV. */
  readonly rows: readonly Row[]
}

const FOLDERS = ['uploads', 'rejected'] as const
const LANES = 8

/** `uploads/OWNER/SOURCE/ID/NAME`, `rejected/OWNER/ID/…` */
const placeOf = (key: string) => {
  const [folder = '', owner = '', ...rest] = key.split('/')
  return { folder, owner: Number(owner), upload_id: (folder === 'uploads' ? rest[1] : rest[0]) ?? '' }
}

const offsetsIn = async ({ key, version }: ObjectVersion, { mentions }: Sought): Promise<number[]> => {
  const stream = await getRange(key, { version, from: 0 })
  return stream ? mentionOffsets(mentions, stream) : []
}

/** The rows in which the offsets are. */
const rowsAt = async ({ key, version }: ObjectVersion, offsets: readonly number[], upload: Upload | null): Promise<Row[]> => {
  const dialect = upload?.dialect
  const stream = dialect && offsets.length > 0 ? await getRange(key, { version, from: dialect.start.offset }) : undefined
  if (!dialect || !stream) return []
  const rows: Row[] = []
  for await (const { at, next } of rowsFrom(stream, dialect)) {
    if (!offsets.some((offset) => offset >= at.offset && offset < next.offset)) continue
    const parts: Uint8Array[] = []
    for await (const part of (await getRange(key, { version, from: at.offset, until: next.offset })) ?? []) parts.push(part)
    rows.push({ line: at.line, text: Buffer.concat(parts).toString().trimEnd() })
  }
  return rows
}

interface Found {
  readonly object: ObjectVersion
  readonly offsets: readonly number[]
}

const uploadFound = async (upload_id: string, found: readonly Found[]): Promise<UploadFound> => {
  const upload = (await getUpload(upload_id, now())) ?? null
  const isFile = ({ object }: Found): boolean => placeOf(object.key).folder === 'uploads'
  const files = found.filter(isFile)
  const rows = await Promise.all(files.map(({ object, offsets }) => rowsAt(object, offsets, upload)))
  return {
    upload_id,
    owner: placeOf(found[0]?.object.key ?? '').owner,
    upload,
    files: new Set(files.map(({ object }) => object.key)),
    reports: new Set(found.filter((each) => !isFile(each)).map(({ object }) => object.key)),
    rows: rows.flat(),
  }
}

/** Looks through every byte of the bucket, earlier versions included. @param onObject is told of each object that was looked through */
export const searchBucket = async (sought: Sought, onObject: () => void): Promise<UploadFound[]> => {
  const found: Found[] = []
  for (const folder of FOLDERS) {
    const prefix = sought.owner === undefined ? `${folder}/` : `${folder}/${sought.owner}/`
    for await (const page of objectVersions(prefix)) {
      await pooled(page, LANES, async (object) => {
        const offsets = object.isMark ? [] : await offsetsIn(object, sought)
        onObject()
        if (offsets.length > 0 || isMentioned(sought.mentions, object.key)) found.push({ object, offsets })
      })
    }
  }
  const byUpload = Map.groupBy(found, ({ object }) => placeOf(object.key).upload_id)
  return pooled([...byUpload], LANES, ([upload, ofUpload]) => uploadFound(upload, ofUpload))
}
