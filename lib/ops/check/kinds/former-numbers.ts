import * as v from 'valibot'
import { leadFromItem } from '#shared/leads/lead-store.ts'
import { numberMarks } from '#shared/leads/update-plan.ts'
import { itemTypeOf, leadKey } from '#shared/platform/keys.ts'
import { type Item, stillAsRead } from '#shared/platform/table/as-read.ts'
import { batchGet } from '#shared/platform/table/batches.ts'
import { partitionItems } from '#shared/platform/table/table.ts'
import { transact } from '#shared/platform/table/transactions.ts'
import { type DamageKind, idIn } from '../kind.ts'
import { KeyOfItem, ReadItem } from '../scan/items.ts'

const Called = v.object({ phone_number: v.string() })

/** Calls keep the number that they were made to. The items of a lead have no other record of its former numbers. */
const numbersCalled = (items: readonly v.InferOutput<typeof ReadItem>[]): string[] =>
  items.flatMap((item) => {
    const read = v.safeParse(Called, item)
    return itemTypeOf(item) === 'call' && read.success ? [read.output.phone_number] : []
  })

const readLead = async (id: number) => {
  const items = await partitionItems(ReadItem, leadKey(id).pk)
  const item: Item | undefined = items.find((each) => itemTypeOf(each) === 'lead')
  return item && { item, lead: leadFromItem(item), numbers: new Set(numbersCalled(items)) }
}

export const formerNumbers: DamageKind = {
  kind: 'number-not-marked',
  at: 'LEAD',
  about:
    'A lead had another number before version 1.1, and that number does not point to the lead. An erasure of that number misses the calls to it.',
  look: async (where) => {
    const id = idIn(where)
    const { item, lead, numbers } = (await readLead(id)) ?? {}
    if (!lead || !numbers) return undefined
    const former = [...numbers].filter((number) => number !== lead.phone_number)
    const marks = former.flatMap((phone_number) => numberMarks({ ...lead, phone_number }))
    const keys = marks.map(({ pk, sk }) => ({ pk, sk }))
    const there = await batchGet(KeyOfItem, keys, { consistent: true })
    const missing = marks.filter(({ pk, sk }) => !there.some((mark) => mark.pk === pk && mark.sk === sk))
    if (missing.length === 0) return undefined
    return {
      message: `Lead ${id} has calls to a number that it had before, and that number does not lead to the lead. An export or an erasure of the number misses these calls, except with --everywhere.`,
      remedy: 'marking the lead as one that had that number',
      repair: async () => (await transact([...missing.map((put) => ({ put })), stillAsRead(leadKey(id), item, ['version'])])).committed,
    }
  },
}
