import { randomUUID } from 'node:crypto'
import * as v from 'valibot'
import type { Requester } from '../accounts/requester.ts'
import { REQUIRED } from '../http/fields/field.ts'
import { didYouMean, listedUpTo } from '../http/fields/nearest.ts'
import { knownSourceNames } from '../ingestion/known-source-names.ts'
import { getSource } from '../ingestion/source-store.ts'
import { presignGet, presignPut, URL_LIFETIME } from '../platform/bucket/bucket.ts'
import { now } from '../platform/clock.ts'
import { type FieldErrors, invalid } from '../platform/values/errors.ts'
import type { Instant } from '../platform/values/values.ts'
import { type CreateUpload, representUpload, sourceField } from './api/upload.ts'
import { fileKeyOf, type Upload } from './upload.ts'
import { uploadList } from './upload-list.ts'
import { getWhole, insertUpload } from './upload-store.ts'

/** Most sources in a message. */
const MOST_LISTED = 10

const ownSources = (names: readonly string[]): string =>
  names.length === 0 ? 'You have no sources. The operator of the service creates them.' : `Your sources: ${listedUpTo(MOST_LISTED, names)}.`

const unknownSource = async (owner: number, name: string): Promise<string[]> => {
  const names = await knownSourceNames(owner)
  return [`Object with name=${name} does not exist. ${didYouMean(name, names).trim() || ownSources(names)}`]
}

const noSource = async (owner: number): Promise<string[]> => [`${REQUIRED} ${ownSources(await knownSourceNames(owner))}`]

/** All errors of a body, including a source that does not exist or belongs to another user. */
export const withSourceErrors = async (
  owner: number,
  body: Readonly<Record<string, unknown>>,
  errors: FieldErrors,
): Promise<FieldErrors> => {
  if (body['source'] === undefined) return { ...errors, source: await noSource(owner) }
  const named = v.safeParse(sourceField, body['source'])
  if (!named.success || (await getSource(owner, named.output))) return errors
  return { source: await unknownSource(owner, named.output), ...errors }
}

/**
 * Characters. The name in the key helps people who look into the bucket; the upload has the whole name. A longer name might not fit into a
 * file system.
 */
const MOST_NAMED = 100

/** @throws ServiceError under `source` when the owner has no such source */
export const createUpload = async ({ id: owner, staff }: Requester, { source, filename, dry_run }: CreateUpload) => {
  if (!(await getSource(owner, source))) throw invalid({ source: await unknownSource(owner, source) })
  const upload_id = randomUUID()
  const object_key = `uploads/${owner}/${source}/${upload_id}/${filename.slice(-MOST_NAMED)}`
  const signed_url = await presignPut(fileKeyOf({ object_key, dry_run }))
  const at = now()
  const only = dry_run ? { dry_run } : {}
  const sent = { owner, source, filename, object_key, created_time: at, ...(staff !== undefined && { staff }) }
  await insertUpload({ upload_id, ...sent, ...only }, at + URL_LIFETIME)
  return { signed_url, upload_id, ...only }
}

/** The file name for a download of the CSV of the rejected rows, or of all rows of a dry run. */
const reportName = ({ filename, dry_run }: Upload): string =>
  `${filename.replace(/\.[a-z0-9]+$/i, '')}-${dry_run ? 'dry-run' : 'rejected'}.csv`

const shownAt = async (upload: Upload, at: Instant) => {
  const { rejected_key: key } = upload
  return representUpload(upload, { at, reportUrl: key === null ? null : await presignGet(key, reportName(upload)) })
}

/** An owner's upload as the API shows it. Undefined when there is none with this id, or it is another owner's. */
export const showUpload = async (owner: number, id: string) => {
  const at = now()
  const { upload } = (await getWhole(id, at)) ?? {}
  return upload?.owner === owner ? shownAt(upload, at) : undefined
}

/** As `uploadList`, with uploads as the API shows them. */
export const shownUploads = async (owner: number) => {
  const at = now()
  const { count, page } = await uploadList(owner, at)
  return {
    count,
    page: async (skip: number, take: number) => Promise.all((await page(skip, take)).map((upload) => shownAt(upload, at))),
  }
}
