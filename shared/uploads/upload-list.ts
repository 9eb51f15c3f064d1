import * as v from 'valibot'
import { parseUploadPk, uploadKey, uploadListKey } from '../platform/keys.ts'
import { inLanes } from '../platform/lanes.ts'
import { batchGet } from '../platform/table/batches.ts'
import { countItems, query } from '../platform/table/table.ts'
import type { Instant } from '../platform/values/values.ts'
import { HELD_BY_LANES, Upload } from './upload.ts'
import { getWhole, UPLOAD_KEPT } from './upload-store.ts'

const IndexEntry = v.object({ pk: v.string() })

/** Uploads that are read in lanes, and whose counts are added up at the same time. */
const SUMS_AT_ONCE = 10

/** The entries of an owner's uploads that have not expired. Uploads that versions before 1.1.0 made have no entry. */
const entriesOf = (owner: number, at: Instant) => ({
  IndexName: 'by_owner',
  KeyConditionExpression: 'owner_block = :list AND #position > :expired',
  ExpressionAttributeNames: { '#position': 'position' },
  ExpressionAttributeValues: { ':list': uploadListKey(owner), ':expired': at - UPLOAD_KEPT },
})

/** Ids of an owner's newest uploads, at most `most`. */
const newestIds = async (owner: number, at: Instant, most: number): Promise<string[]> => {
  const ids: string[] = []
  let start: Record<string, unknown> | undefined
  do {
    const page = await query(IndexEntry, {
      ...entriesOf(owner, at),
      ScanIndexForward: false,
      Limit: most - ids.length,
      ...(start && { ExclusiveStartKey: start }),
    })
    ids.push(...page.items.map(({ pk }) => parseUploadPk(pk)))
    start = page.next
  } while (start && ids.length < most)
  return ids
}

/** The uploads with these ids, in this order, with the counts of their lanes. */
const uploadsWith = async (ids: readonly string[], at: Instant): Promise<Upload[]> => {
  const keys = ids.map((id) => uploadKey(id))
  const found = new Map((await batchGet(Upload, keys, { consistent: true })).map((upload) => [upload.upload_id, upload]))
  const whole = await inLanes(SUMS_AT_ONCE, ids, async (id) => {
    const upload = found.get(id)
    return upload?.lease_token === HELD_BY_LANES ? (await getWhole(id, at))?.upload : upload
  })
  return whole.filter((upload) => upload !== undefined)
}

/** An owner's uploads of the last 90 days, the newest first. */
interface UploadList {
  readonly count: number
  /** Up to `take` uploads after the first `skip`. */
  readonly page: (skip: number, take: number) => Promise<Upload[]>
}

/**
 * Counts and pages use the list index: half a read unit pays for about 35 entries. A page reads the entries from the newest one down to its
 * own, and only its own uploads from the table. The index lags behind the table, as a rule by less than a second.
 */
export const uploadList = async (owner: number, at: Instant): Promise<UploadList> => ({
  count: await countItems(entriesOf(owner, at)),
  page: async (skip, take) => uploadsWith((await newestIds(owner, at, skip + take)).slice(skip), at),
})
