import { getLeadType } from '../../accounts/lead-type-store.ts'
import { getUser } from '../../accounts/user-store.ts'
import { representSource } from '../../ingestion/api/source.ts'
import type { Source } from '../../ingestion/ingestion.ts'
import { getSource } from '../../ingestion/source-store.ts'
import { getRange } from '../../platform/bucket/bucket.ts'
import type { CsvDialect } from '../csv.ts'
import { HEAD_BYTES, openCsv } from '../rules/csv/open.ts'
import { expectedOf } from '../rules/expected.ts'
import { fileKeyOf, type PinnedSource, type Upload } from '../upload.ts'

/** Why an upload cannot be read any further: a sentence for its sender. */
export class Unreadable extends Error {}

export const MOST_FILE_BYTES = 5 * 1024 ** 3

/** The source of an upload. Its mode, lookup column and mapping stay as they were when the header was read. Other changes apply at once. */
export const sourceOf = async ({ owner, source: name, pinned }: Upload): Promise<Source> => {
  const source = (await getUser(owner)) && (await getSource(owner, name))
  if (!source) throw new Unreadable(`The source "${name}" does not exist any more. The operator sets up the sources.`)
  if (source.lead_type !== null && !(await getLeadType(owner, source.lead_type))) {
    throw new Unreadable(`The lead type of the source "${name}" does not exist. No file is read until the operator names another one.`)
  }
  return { ...source, ...pinned }
}

/** Bytes of a pinned source, at most. The upload holds the header of its file too, and no item may be larger than 400 KB. */
const MOST_PINNED = 200 * 1024

/** The parts of the source to keep with the upload. Null if they are too large: then each run uses the present source. */
export const pinnedOf = ({ mode, lookup_column, mapping }: Source): PinnedSource | null => {
  const pinned = { mode, lookup_column, mapping }
  return Buffer.byteLength(JSON.stringify(pinned)) > MOST_PINNED ? null : pinned
}

const GONE = 'The file was deleted before all of it was read. Send it again.'

export const fileBytes = async (upload: Upload, range: { readonly from: number; readonly until?: number }) => {
  const bytes = await getRange(fileKeyOf(upload), { version: upload.object?.version ?? undefined, ...range })
  if (!bytes) throw new Unreadable(GONE)
  return bytes
}

export const dialectOf = async (upload: Upload, source: Source): Promise<CsvDialect> => {
  const size = upload.object?.size ?? 0
  if (size > MOST_FILE_BYTES) throw new Unreadable('The file is larger than 5 GiB. Split it, with the header in each part.')
  const parts: Uint8Array[] = []
  for await (const part of await fileBytes(upload, { from: 0, until: HEAD_BYTES })) parts.push(part)
  const head = Buffer.concat(parts)
  const opened = openCsv(head, head.length < HEAD_BYTES, expectedOf(representSource(source), upload.filename))
  if ('refusal' in opened) throw new Unreadable(opened.refusal)
  return opened.dialect
}
