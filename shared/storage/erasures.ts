import * as v from 'valibot'
import { erasureKey } from './keys.ts'
import { deleteItem, getItem, updateItem } from './table.ts'

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
