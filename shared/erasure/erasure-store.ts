import * as v from 'valibot'
import { erasedLeadsKey, erasureKey } from '../platform/keys.ts'
import { expiresAt } from '../platform/table/expiry.ts'
import { deleteItem, getItem, updateItem } from '../platform/table/table.ts'
import { DAY } from '../platform/values/durations.ts'
import type { Instant } from '../platform/values/values.ts'

/** `upload row` */
const RowText = v.pipe(
  v.string(),
  v.transform((text) => {
    const [upload = '', row] = text.split(' ')
    return { upload, row: Number(row) }
  }),
)

/** An erasure under way: what of it would not be found again when it is cut short. Numbers are in it as hashes alone. */
const Erasure = v.object({
  leads: v.optional(v.set(v.number()), new Set<number>()),
  rows: v.optional(v.set(RowText), new Set<string>()),
})

export interface ErasureBegun {
  /** Ids of the leads that are being erased, at most 100 of each owner. */
  readonly leads: ReadonlySet<number>
  /** Of uploaded files, the rows that they were taken from, by upload. */
  readonly rows: Map<string, Set<number>>
}

/** @param owner whose; undefined: everybody's */
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

/** Milliseconds for which an event may be on its way at most: a day in the stream, and 14 in the queue and among the dead letters. */
const ON_THE_WAY = 16 * DAY

/** Has events of these leads that are on their way tell only what is there when they are told. */
export const noteErasedLeads = async (owner: number, leads: ReadonlySet<number>, at: Instant): Promise<void> => {
  const day = new Date(at).toISOString().slice(0, 10)
  await updateItem(erasedLeadsKey(owner, day), {
    UpdateExpression: 'ADD erased :leads SET expires_at = :expires',
    ExpressionAttributeValues: { ':leads': new Set(leads), ':expires': expiresAt(at, ON_THE_WAY) },
  })
}
