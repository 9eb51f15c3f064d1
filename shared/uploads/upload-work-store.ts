import * as v from 'valibot'
import { dueAt, uploadKey } from '../platform/keys.ts'
import { ifConditionHolds, onCondition, updateItem } from '../platform/table/table.ts'
import { transact } from '../platform/table/transactions.ts'
import { MINUTE, SECOND } from '../platform/values/durations.ts'
import type { Instant } from '../platform/values/values.ts'
import type { CsvDialect, CsvPosition } from './csv.ts'
import {
  COUNT_NAMES,
  HELD_BY_LANES,
  type LanePlan,
  type PinnedSource,
  RESULTS,
  type ReportAssembly,
  Upload,
  type UploadCounts,
  type UploadedObject,
  WARNED,
} from './upload.ts'
import { unfinishedPlacement } from './upload-store.ts'
import { alsoSaved, type BatchResults, withBatch } from './whole-results.ts'

/** One worker at a time works on an upload, or on one of its lanes: the holder of the lease. */

/** Milliseconds since the lease was taken or last extended. After a crash, another worker continues when the lease has ended. */
const LEASE = 30 * SECOND

/** Records the file of an upload, even when its URL has expired since. @returns whether it is the first file to arrive */
export const noteObject = (upload: Upload, object: UploadedObject, at: Instant): Promise<boolean> => {
  const { due_key, due_at } = unfinishedPlacement(upload, at + MINUTE)
  return ifConditionHolds(
    updateItem(uploadKey(upload.upload_id), {
      UpdateExpression:
        'SET #object = :object, #status = :processing, started_time = :at, due_key = :key, due_at = :due REMOVE #error, finished_time',
      ConditionExpression: 'attribute_exists(pk) AND attribute_not_exists(#object)',
      ExpressionAttributeNames: { '#object': 'object', '#status': 'status', '#error': 'error' },
      ExpressionAttributeValues: {
        ':object': object,
        ':processing': 'processing',
        ':at': at,
        ':key': due_key,
        ':due': due_at,
      },
    }),
  )
}

/** Adds a remark to an upload. Its status does not change. */
export const remark = async (id: string, sentence: string): Promise<void> => {
  await ifConditionHolds(
    updateItem(uploadKey(id), {
      UpdateExpression: 'SET remark = :sentence',
      ConditionExpression: 'attribute_exists(pk)',
      ExpressionAttributeValues: { ':sentence': sentence },
    }),
  )
}

export interface Leased {
  readonly upload: Upload
  /** The last holder kept its token, so rows after the last counted one may have been handled. */
  readonly isRepeat: boolean
}

/** @returns undefined when another worker has the lease, or there is nothing to do */
export const takeLease = async (found: Upload, token: string, at: Instant): Promise<Leased | undefined> => {
  const until = at + LEASE
  const { due_key, due_at } = unfinishedPlacement(found, until)
  const taken = await onCondition(
    updateItem(uploadKey(found.upload_id, found.lane), {
      UpdateExpression: 'SET lease_token = :token, lease_until = :until, due_key = :key, due_at = :due ADD tries :one',
      ConditionExpression: '#status = :processing AND (attribute_not_exists(lease_until) OR lease_until <= :at)',
      ExpressionAttributeNames: { '#status': 'status' },
      ExpressionAttributeValues: {
        ...{ ':processing': 'processing', ':token': token, ':until': until, ':at': at, ':one': 1 },
        ...{ ':key': due_key, ':due': due_at },
      },
      ReturnValues: 'ALL_OLD',
    }),
  )
  if (!taken.isMet) return undefined
  const { dialect, pinned, plan, object } = found
  const old = v.parse(Upload, taken.result)
  const before = found.lane > 0 ? { ...old, dialect, pinned, plan, object } : old
  const upload = { ...before, lease_token: token, lease_until: until, tries: before.tries + 1 }
  return { upload, isRepeat: before.lease_token !== null }
}

/** Values that extend the lease in a write. */
const extended = ({ owner }: Upload, at: Instant) => ({ ':until': at + LEASE, ':due': dueAt(at + LEASE, 0, owner) })
const EXTEND = 'lease_until = :until, due_at = :due'

/** Progress resets the retry count. */
const RESET_TRIES = 'tries = :none'
const FORGET_FAILURES = 'REMOVE passing, failing_since'

/** Writes only while this worker holds the lease. @returns false when it does not */
const withLease = (
  upload: Upload,
  expression: string,
  values: Record<string, unknown> = {},
  names: Record<string, string> = {},
  condition = 'lease_token = :token',
): Promise<boolean> =>
  ifConditionHolds(
    updateItem(uploadKey(upload.upload_id, upload.lane), {
      UpdateExpression: expression,
      ConditionExpression: condition,
      ExpressionAttributeValues: { ...values, ':token': upload.lease_token },
      ...(Object.keys(names).length > 0 && { ExpressionAttributeNames: names }),
    }),
  )

/** Saves how to read the file, before any row is read. */
export const saveDialect = (upload: Upload, dialect: CsvDialect, pinned: PinnedSource | null): Promise<boolean> =>
  withLease(upload, `SET dialect = :dialect, pinned = :pinned, counted_to = :start, ${RESET_TRIES} ${FORGET_FAILURES}`, {
    ...{ ':dialect': dialect, ':pinned': pinned, ':start': dialect.start, ':none': 0 },
  })

/** Far beyond any clock. Versions that know no lanes cannot take the lease either, and leave the upload alone. */
const UNTIL_LANES_END = 8_640_000_000_000

/** Saves how to read the file, and leaves its rows to lanes. @returns false when another worker has the lease */
export const saveLanes = async (
  upload: Upload,
  dialect: CsvDialect,
  pinned: PinnedSource | null,
  plan: LanePlan,
  at: Instant,
): Promise<boolean> => {
  const { upload_id, owner, source, filename, dry_run, object_key, created_time, started_time, expires_at } = upload
  const { due_key, due_at } = unfinishedPlacement(upload, at + MINUTE)
  const lane = {
    ...{ upload_id, owner, source, filename, object_key, created_time, started_time, expires_at, due_key, due_at },
    ...{ status: 'processing', counted_to: dialect.start, ...(dry_run && { dry_run }) },
  }
  const { committed } = await transact([
    {
      update: uploadKey(upload_id),
      expression: `SET dialect = :dialect, pinned = :pinned, #plan = :plan, lease_token = :lanes, lease_until = :until, due_at = :due, ${RESET_TRIES} ${FORGET_FAILURES}`,
      condition: 'lease_token = :token',
      names: { '#plan': 'plan' },
      values: {
        ...{ ':dialect': dialect, ':pinned': pinned, ':plan': plan, ':lanes': HELD_BY_LANES, ':until': UNTIL_LANES_END, ':due': due_at },
        ...{ ':none': 0, ':token': upload.lease_token },
      },
    },
    ...Array.from({ length: plan.lanes }, (_, index) => ({ put: { ...uploadKey(upload_id, index + 1), ...lane, lane: index + 1 } })),
  ])
  return committed
}

/**
 * Takes an upload back when all its lanes have ended, with their counts, to assemble the report.
 * @returns undefined when another worker was first
 */
export const takeBack = async (upload: Upload, assembly: ReportAssembly, token: string, at: Instant): Promise<Upload | undefined> => {
  const counts = COUNT_NAMES.map((name) => `#${name} = :${name}`).join(', ')
  const also = alsoSaved(upload)
  const isTaken = await ifConditionHolds(
    updateItem(uploadKey(upload.upload_id), {
      UpdateExpression: `SET assembly = :assembly, lease_token = :token, ${EXTEND}, ${RESET_TRIES}, ${counts}${also.assignments}`,
      ConditionExpression: 'lease_token = :lanes',
      ExpressionAttributeNames: Object.fromEntries(COUNT_NAMES.map((name) => [`#${name}`, name])),
      ExpressionAttributeValues: {
        ...{ ':assembly': assembly, ':token': token, ':lanes': HELD_BY_LANES, ':none': 0, ...extended(upload, at) },
        ...Object.fromEntries(COUNT_NAMES.map((name) => [`:${name}`, upload[name]])),
        ...also.values,
      },
    }),
  )
  return isTaken ? { ...upload, assembly, lease_token: token, lease_until: at + LEASE, tries: 0 } : undefined
}

/** The counts that a batch changes. Those of warnings are mostly 0, and are left out then. */
const countedIn = (counts: UploadCounts): (keyof UploadCounts)[] => [...RESULTS, ...WARNED.filter((name) => counts[name] > 0)]

/**
 * Counts the rows up to a position, exactly once: a repeat finds another saved position.
 * @returns the upload afterwards; undefined when another worker has the lease
 */
export const countRows = async (upload: Upload, next: CsvPosition, batch: BatchResults, at: Instant): Promise<Upload | undefined> => {
  const { counts } = batch
  const { created, updated, unchanged, rejected, unhandled } = counts
  const names = countedIn(counts)
  // Only the holder of the lease changes these, so they are exact, as the counts are.
  const whole = withBatch(upload, batch)
  const also = alsoSaved(whole)
  const isCounted = await withLease(
    upload,
    `SET counted_to = :next, ${RESET_TRIES}, ${EXTEND}${also.assignments} ${FORGET_FAILURES} ADD #rows :rows, ${names.map((count) => `${count} :${count}`).join(', ')}`,
    {
      ...{ ':next': next, ':none': 0, ':rows': created + updated + unchanged + rejected, ':offset': upload.counted_to?.offset },
      ...Object.fromEntries(names.map((count) => [`:${count}`, counts[count]])),
      ...extended(upload, at),
      ...also.values,
    },
    { '#offset': 'offset', '#rows': 'rows' },
    'lease_token = :token AND counted_to.#offset = :offset',
  )
  if (!isCounted) return undefined
  return {
    ...{ ...upload, ...whole, lease_until: at + LEASE, counted_to: next },
    ...{ rejected: upload.rejected + rejected, unhandled: upload.unhandled + unhandled },
  }
}

/** Records that no more rows are read, and how far the report is assembled. */
export const saveAssembly = (upload: Upload, assembly: ReportAssembly, at: Instant): Promise<boolean> =>
  withLease(upload, `SET assembly = :assembly, ${RESET_TRIES}, ${EXTEND} ${FORGET_FAILURES}`, {
    ...{ ':assembly': assembly, ':none': 0 },
    ...extended(upload, at),
  })

export const extendLease = (upload: Upload, at: Instant): Promise<boolean> => withLease(upload, `SET ${EXTEND}`, extended(upload, at))

const ADD_FAILURE = ', failing_since = if_not_exists(failing_since, :at), passing = if_not_exists(passing, :none) + :one'

/** Lets another worker continue: by a message or, when that is lost, a minute later. @param isTransient after a transient error */
export const giveBackLease = ({ upload, isRepeat }: Leased, at: Instant, isTransient = false): Promise<boolean> =>
  withLease(upload, `SET due_at = :due${isTransient ? ADD_FAILURE : ''} REMOVE ${isRepeat ? '' : 'lease_token, '}lease_until`, {
    ':due': dueAt(at + MINUTE, 0, upload.owner),
    ...(isTransient && { ':at': at, ':none': 0, ':one': 1 }),
  })

export interface End {
  /** `failed`: the file cannot be read, or not to its end. */
  readonly status: 'done' | 'failed'
  /** A message for the sender. */
  readonly error: string | null
  /** Key of the CSV of the rejected rows, or of all rows of a dry run. */
  readonly reportKey: string | null
}

export const endUpload = (upload: Upload, { status, error, reportKey }: End, at: Instant): Promise<boolean> => {
  const setError = error === null ? '' : ', #error = :error'
  const setReport = reportKey === null ? '' : ', rejected_key = :report'
  return withLease(
    upload,
    `SET #status = :status, finished_time = :at${setError}${setReport} REMOVE lease_token, lease_until, due_key, due_at, assembly, pinned`,
    { ':status': status, ':at': at, ...(setError && { ':error': error }), ...(setReport && { ':report': reportKey }) },
    { '#status': 'status', ...(setError && { '#error': 'error' }) },
  )
}
