import * as v from 'valibot'
import { itemTypeOf } from '#shared/platform/keys.ts'
import { getItem } from '#shared/platform/table/table.ts'
import { type DamageKind, splitAtLast } from '../kind.ts'
import { faultOf } from '../scan/items.ts'

const Anything = v.record(v.string(), v.unknown())

/** Malformed items. No other check can judge them. */
export const unreadable: DamageKind = {
  kind: 'unreadable',
  at: 'PK/SK',
  about: 'An item does not have the form that the service reads. Every operation that needs it fails. No command can repair it.',
  look: async (where) => {
    // Sort keys have no slash.
    const [pk, sk] = splitAtLast(where, 'LEAD#7/LEAD')
    const key = { pk, sk }
    const [item, type] = [await getItem(Anything, key), itemTypeOf(key)]
    const fault = item && type && faultOf(type, item)
    if (!fault) return undefined
    const message = `The ${type} ${where} cannot be read (${fault}). Every operation that needs it fails. Restore it from a backup of the table.`
    return { message, remedy: 'nothing', repair: undefined }
  },
}
