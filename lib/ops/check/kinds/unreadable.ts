import * as v from 'valibot'
import { getItem } from '#shared/platform/table/table.ts'
import { type DamageKind, splitAt } from '../kind.ts'
import { faultOf } from '../scan/items.ts'

const Anything = v.record(v.string(), v.unknown())

/** Malformed items. No other check can judge them. */
export const unreadable: DamageKind = {
  kind: 'unreadable',
  at: 'PK/SK',
  about:
    'An item of data or configuration does not have the form that the service reads. Every operation that needs it fails. No command can repair it.',
  look: async (where) => {
    // Partition keys of these items have no slash. A sort key may have one: the name of a lead source.
    const [pk, sk] = splitAt(where, 'LEAD#7/LEAD')
    const key = { pk, sk }
    const item = await getItem(Anything, key)
    const fault = item && faultOf(key, item)
    if (!fault) return undefined
    const message = `The ${fault.thing} ${where} cannot be read (${fault.text}). Every operation that needs it fails. Restore it from a backup of the table.`
    return { message, remedy: 'nothing', repair: undefined }
  },
}
