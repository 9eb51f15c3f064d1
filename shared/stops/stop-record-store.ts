import { createHash } from 'node:crypto'
import * as v from 'valibot'
import { type Key, phoneKeyAt, STOP_RECORD_PREFIX, stopRecordKey } from '../platform/keys.ts'
import { deleteItem, ifConditionHolds, query, queryAll, updateItem } from '../platform/table/table.ts'
import { StopRecordText } from './stop-record.ts'

/**
 * Most bytes of the records in a phone's item. Nearly all phones have one or two records, so a stop is still one write. But a phone that
 * was stopped often, or in long words, must not become larger than a write unit: each call to it writes its item.
 */
const MOST_BYTES = 400

/** A record in an item of its own. */
export const StopItem = v.object({ pk: v.string(), sk: v.string(), record: v.string() })

const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 16)

/** An update, because every function that raises stops may update items. */
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

/**
 * Moves the records of a phone's item to items of their own when they take too much room. First they are written there: after a crash, a
 * record may be in both places. Safe to repeat, and to do at the same time.
 */
export const moveStopRecords = async (pk: string, texts: ReadonlySet<string>): Promise<void> => {
  const bytes = [...texts].reduce((sum, text) => sum + Buffer.byteLength(text), 0)
  if (bytes <= MOST_BYTES) return
  for (const text of texts) {
    await replaceRecord(stopRecordKey(pk, v.parse(StopRecordText, text).accepted, digestOf(text)), text)
  }
  await takeFromPhone(pk, texts)
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

/** Removes the records of a phone that has no other data. */
export const removeStopRecords = async (pk: string): Promise<void> => {
  for (const { sk } of await stopItems(pk)) await deleteItem({ pk, sk })
}
