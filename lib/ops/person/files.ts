import * as v from 'valibot'
import { isMentioned, isMentionedIn } from '#shared/erasure/rules/mention.ts'
import { getRange } from '#shared/platform/bucket/bucket.ts'
import { type ObjectVersion, objectVersions } from '#shared/platform/bucket/bucket-versions.ts'
import { now } from '#shared/platform/clock.ts'
import { inLanes } from '#shared/platform/lanes.ts'
import { rowsFrom } from '#shared/uploads/rules/csv/rows.ts'
import { Upload } from '#shared/uploads/upload.ts'
import { getUpload } from '#shared/uploads/upload-store.ts'
import { LOOKS_AT_ONCE, type SoughtPerson } from './sought.ts'

/** A person's data in the bucket: rows of uploaded files, and of reports on them. */

/** A row that mentions the number, or that made a lead of the person. */
interface Row {
  readonly line: number
  readonly object: ObjectVersion
  /** Its first byte in the object, and the byte after its last one. */
  readonly from: number
  readonly until: number
}

/** An upload that made a lead of the person, or whose files, reports or object keys mention the number. */
export interface UploadFound {
  readonly upload_id: string
  readonly owner: number
  /** Null when the upload's item is gone. */
  readonly upload: Upload | null
  /** Keys of uploaded files. */
  readonly files: ReadonlySet<string>
  /** Keys of reports, and of their parts. */
  readonly reports: ReadonlySet<string>
  /** Empty when the file is not readable as CSV. */
  readonly rows: readonly Row[]
}

/** Prefixes of all keys in the bucket, or of those of one user. */
export const allPrefixes = ({ owner }: SoughtPerson): string[] =>
  ['uploads', 'rejected'].map((folder) => (owner === undefined ? `${folder}/` : `${folder}/${owner}/`))

/** Folder of an upload's reports, with a trailing slash. */
export const reportFolder = (owner: number, upload_id: string): string => `rejected/${owner}/${upload_id}/`

const UploadFiles = v.pick(Upload, ['upload_id', 'owner', 'object_key'])

/** Prefixes of the keys of an upload's file and reports. None for other items, and for uploads of other users. */
export const prefixesOf = (item: unknown, { owner: sought }: SoughtPerson): string[] => {
  const read = v.safeParse(UploadFiles, item)
  if (!read.success || (sought !== undefined && read.output.owner !== sought)) return []
  const { upload_id, owner, object_key } = read.output
  return [object_key, reportFolder(owner, upload_id)]
}

/** `uploads/OWNER/SOURCE/ID/NAME`, `rejected/OWNER/ID/…` */
const partsOfKey = (key: string) => {
  const [folder = '', owner = '', ...rest] = key.split('/')
  return { folder, owner: Number(owner), upload_id: (folder === 'uploads' ? rest[1] : rest[0]) ?? '' }
}

const contentMentions = async ({ key, version }: ObjectVersion, { mentions }: SoughtPerson): Promise<boolean> => {
  const stream = await getRange(key, { version, from: 0 })
  return stream !== undefined && isMentionedIn(mentions, stream)
}

/** Bytes of rows that one upload gives to an export. A file may mention the number in every row. */
const MOST_BYTES = 16 * 1024 * 1024
/** Rows of one upload whose text an export shows. Each costs a request. */
const MOST_TEXTS = 1000

const textOf = async ({ object: { key, version }, from, until }: Row): Promise<string> => {
  const parts: Uint8Array[] = []
  for await (const part of (await getRange(key, { version, from, until })) ?? []) parts.push(part)
  return Buffer.concat(parts).toString().trimEnd()
}

/** The rows of an upload, with their text. Rows after the first 1,000, or after 16 MiB, have no text. */
export const rowsShown = (rows: readonly Row[]): Promise<{ readonly line: number; readonly text: string | null }[]> => {
  let bytes = 0
  const isShown = rows.map(({ from, until }, index) => {
    bytes += until - from
    return index < MOST_TEXTS && bytes <= MOST_BYTES
  })
  return inLanes(LOOKS_AT_ONCE, rows.entries(), async ([index, row]) => ({
    line: row.line,
    text: isShown[index] ? await textOf(row) : null,
  }))
}

/** The rows of the person, read as the service reads them. For a malformed row, only the quoted problem text is searched. */
const rowsIn = async (object: ObjectVersion, upload: Upload | null, { mentions, rows }: SoughtPerson): Promise<Row[]> => {
  const dialect = upload?.dialect
  const stream = dialect && (await getRange(object.key, { version: object.version, from: dialect.start.offset }))
  if (!dialect || !stream) return []
  const taken = rows.get(upload.upload_id)
  const theirs: Row[] = []
  for await (const row of rowsFrom(stream, dialect)) {
    if ('isEmpty' in row) continue
    const text = 'read' in row ? dialect.header.map((column) => row.read(column) ?? '').join(dialect.delimiter) : row.problem.value
    if (taken?.has(row.at.row) || isMentioned(mentions, text)) {
      // The row itself would keep a part of the file in memory.
      theirs.push({ line: row.at.line, object, from: row.at.offset, until: row.next.offset })
    }
  }
  return theirs
}

const uploadFound = async (upload_id: string, found: readonly ObjectVersion[], sought: SoughtPerson): Promise<UploadFound> => {
  const upload = (await getUpload(upload_id, now())) ?? null
  const isFile = ({ key }: ObjectVersion): boolean => partsOfKey(key).folder === 'uploads'
  const files = found.filter(isFile)
  const withBytes = files.filter(({ isMark }) => !isMark)
  const rows = await Promise.all(withBytes.map((object) => rowsIn(object, upload, sought)))
  return {
    upload_id,
    owner: partsOfKey(found[0]?.key ?? '').owner,
    upload,
    files: new Set(files.map(({ key }) => key)),
    reports: new Set(found.filter((each) => !isFile(each)).map(({ key }) => key)),
    rows: rows.flat(),
  }
}

/** Searches every byte of the objects with these prefixes, earlier versions included. @param onObject is called after each object */
export const searchBucket = async (prefixes: Iterable<string>, sought: SoughtPerson, onObject: () => void): Promise<UploadFound[]> => {
  const found: ObjectVersion[] = []
  for (const prefix of prefixes) {
    for await (const page of objectVersions(prefix)) {
      const theirs = await inLanes(LOOKS_AT_ONCE, page, async (object) => {
        const { folder, upload_id } = partsOfKey(object.key)
        const isTaken = folder === 'uploads' && sought.rows.has(upload_id)
        const isFound = isTaken || isMentioned(sought.mentions, object.key) || (!object.isMark && (await contentMentions(object, sought)))
        onObject()
        return isFound ? [object] : []
      })
      found.push(...theirs.flat())
    }
  }
  const byUpload = Map.groupBy(found, ({ key }) => partsOfKey(key).upload_id)
  return inLanes(LOOKS_AT_ONCE, byUpload, ([upload, ofUpload]) => uploadFound(upload, ofUpload, sought))
}
