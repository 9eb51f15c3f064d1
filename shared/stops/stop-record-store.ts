import { createHash } from 'node:crypto'
import * as v from 'valibot'
import { type Key, phoneKeyAt, STOP_RECORD_PREFIX, stopRecordKey } from '../platform/keys.ts'
import { retryRaces } from '../platform/table/retry-races.ts'
import { deleteItem, getItem, ifConditionHolds, query, queryAll, updateItem } from '../platform/table/table.ts'
import { transact, type Write } from '../platform/table/transactions.ts'
import { StopRecordText } from './stop-record.ts'

/**
 * Most bytes of the records in a phone's item. Nearly all phones have one or two records, so a stop is still one write. But a phone that
 * was stopped often, or in long words, must not become larger than a write unit: each call to it writes its item.
 */
const MOST_BYTES = 600

/** A record in an item of its own. */
export const StopItem = v.object({ pk: v.string(), sk: v.string(), record: v.string() })

const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 16)

const replaceRecord = (key: Key, text: string): Promise<unknown> =>
  updateItem(key, {
    UpdateExpression: 'SET #record = :text',
    ExpressionAttributeNames: { '#record': 'record' },
    ExpressionAttributeValues: { ':text': text },
  })

const takeFromPhone = (pk: string, texts: ReadonlySet<string>): Promise<boolean> =>
  ifConditionHolds(
    updateItem(phoneKeyAt(pk), {
      UpdateExpression: 'DELETE stop_records :texts',
      ConditionExpression: 'attribute_exists(pk)',
      ExpressionAttributeValues: { ':texts': texts },
    }),
  )

/** An update, because every function that raises stops may update items. A record that is there may be anonymous by now, so it stays. */
const ownItem = (pk: string, text: string): Write => ({
  update: stopRecordKey(pk, v.parse(StopRecordText, text).accepted, digestOf(text)),
  expression: 'SET #record = if_not_exists(#record, :text)',
  names: { '#record': 'record' },
  values: { ':text': text },
})

/** The write that takes records from a phone's item, unless one of them is gone. */
const taking = (pk: string, texts: readonly string[]): Write => ({
  update: phoneKeyAt(pk),
  expression: 'DELETE stop_records :texts',
  condition: texts.map((_, at) => `contains(stop_records, :text${at})`).join(' AND '),
  values: { ':texts': new Set(texts), ...Object.fromEntries(texts.map((text, at) => [`:text${at}`, text])) },
})

const InPhone = v.object({ stop_records: v.optional(v.set(v.string()), new Set<string>()) })

const MAX_TRIES = 20
/** Most records that one transaction moves. The next stop moves the rest. */
const MOST_MOVED = 50

/**
 * Moves the records of a phone's item to items of their own when they take too much room. All in one transaction: an erasure that changes a
 * record meanwhile must not find its words back. Safe to repeat, and to do at the same time.
 */
export const moveStopRecords = async (pk: string, texts: ReadonlySet<string>): Promise<void> => {
  const bytes = [...texts].reduce((sum, text) => sum + Buffer.byteLength(text), 0)
  if (bytes <= MOST_BYTES) return
  let left = [...texts].slice(0, MOST_MOVED)
  await retryRaces({ tries: MAX_TRIES, lost: 'The records of a phone changed while they were being moved' }, async () => {
    if (left.length === 0) return true
    const { committed } = await transact([taking(pk, left), ...left.map((text) => ownItem(pk, text))])
    if (committed) return true
    const inPhone = (await getItem(InPhone, phoneKeyAt(pk)))?.stop_records
    left = left.filter((text) => inPhone?.has(text))
    return undefined
  })
}

/** The items of a phone's records, the latest first. @param most how many, at most */
export const stopItems = async (pk: string, most?: number): Promise<v.InferOutput<typeof StopItem>[]> => {
  const asked = {
    KeyConditionExpression: 'pk = :pk AND begins_with(sk, :prefix)',
    ExpressionAttributeValues: { ':pk': pk, ':prefix': STOP_RECORD_PREFIX },
    ConsistentRead: true,
    ScanIndexForward: false,
  }
  return most === undefined ? queryAll(StopItem, asked) : (await query(StopItem, { ...asked, Limit: most })).items
}

/** Replaces the texts of a phone's records, wherever they are. Safe to repeat. */
export const rewriteStopRecords = async (pk: string, inPhone: ReadonlySet<string>, rewrite: (text: string) => string): Promise<void> => {
  const changed = [...inPhone].filter((text) => rewrite(text) !== text)
  if (changed.length > 0) {
    await ifConditionHolds(
      updateItem(phoneKeyAt(pk), {
        UpdateExpression: 'ADD stop_records :texts',
        ConditionExpression: 'attribute_exists(pk)',
        ExpressionAttributeValues: { ':texts': new Set(changed.map(rewrite)) },
      }),
    )
    await takeFromPhone(pk, new Set(changed))
  }
  for (const { sk, record } of await stopItems(pk)) {
    if (rewrite(record) !== record) await replaceRecord({ pk, sk }, rewrite(record))
  }
}

/** Removes records of a phone that has no other data. */
export const removeStopRecords = async (records: readonly v.InferOutput<typeof StopItem>[]): Promise<void> => {
  for (const { pk, sk } of records) await deleteItem({ pk, sk })
}
