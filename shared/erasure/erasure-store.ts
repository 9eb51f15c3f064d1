import * as v from 'valibot'
import { erasedLeadsKey, erasureKey } from '../platform/keys.ts'
import { expiresAt } from '../platform/table/expiry.ts'
import { deleteItem, getItem, updateItem } from '../platform/table/table.ts'
import { DAY } from '../platform/values/durations.ts'
import type { Instant } from '../platform/values/values.ts'
import { changeListeners } from '../webhooks/subscription-store.ts'

/** `upload row` */
const RowText = v.pipe(
  v.string(),
  v.transform((text) => {
    const [upload = '', row] = text.split(' ')
    return { upload, row: Number(row) }
  }),
)

/** An erasure in progress: data that a retry after a crash could not find again. Phone numbers appear only as hashes. */
const Erasure = v.object({
  leads: v.optional(v.set(v.number()), new Set<number>()),
  rows: v.optional(v.set(RowText), new Set<string>()),
})

export interface ErasureBegun {
  /** Ids of the leads that are being erased, at most 100 per owner. */
  readonly leads: ReadonlySet<number>
  /** Rows of uploaded files that the leads came from, by upload. */
  readonly rows: Map<string, Set<number>>
}

/** @param owner the owner's erasure; undefined: the erasure for all owners */
export const erasureBegun = async (hash: string, owner: number | undefined): Promise<ErasureBegun> => {
  const { leads, rows } = (await getItem(Erasure, erasureKey(hash, owner))) ?? { leads: new Set<number>(), rows: new Set<never>() }
  const byUpload = Map.groupBy(rows, ({ upload }) => upload)
  return { leads, rows: new Map([...byUpload].map(([upload, all]) => [upload, new Set(all.map(({ row }) => row))])) }
}

export const noteErasure = async (hash: string, owner: number | undefined, { leads, rows }: ErasureBegun): Promise<void> => {
  const texts = [...rows].flatMap(([upload, all]) => [...all].map((row) => `${upload} ${row}`))
  const sets = { ...(leads.size > 0 && { leads: new Set(leads) }), ...(texts.length > 0 && { rows: new Set(texts) }) }
  const names = Object.keys(sets)
  if (names.length === 0) return
  await updateItem(erasureKey(hash, owner), {
    UpdateExpression: `ADD ${names.map((name) => `#${name} :${name}`).join(', ')}`,
    ExpressionAttributeNames: Object.fromEntries(names.map((name) => [`#${name}`, name])),
    ExpressionAttributeValues: Object.fromEntries(Object.entries(sets).map(([name, set]) => [`:${name}`, set])),
  })
}

export const endErasure = async (hash: string, owner: number | undefined): Promise<void> => {
  await deleteItem(erasureKey(hash, owner))
}

/** Milliseconds. An event is pending for less: a day in the stream, and 14 days in the queue and its dead letters. */
const ON_THE_WAY = 16 * DAY

/** Marks erased leads. Their pending events then show only data that still exists at delivery. */
export const noteErasedLeads = async (owner: number, leads: ReadonlySet<number>, at: Instant): Promise<void> => {
  const day = new Date(at).toISOString().slice(0, 10)
  await updateItem(erasedLeadsKey(owner, day), {
    UpdateExpression: 'ADD erased :leads SET expires_at = :expires',
    ExpressionAttributeValues: { ':leads': new Set(leads), ':expires': expiresAt(at, ON_THE_WAY) },
  })
  await changeListeners(owner)
}
