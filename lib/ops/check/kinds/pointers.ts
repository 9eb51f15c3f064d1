import { getLead, leadFromItem } from '#shared/leads/lead-store.ts'
import { pointersOf } from '#shared/leads/pointer-store.ts'
import { type Key, leadKey, parsePointerSk } from '#shared/platform/keys.ts'
import { readTogether, stillAsRead } from '#shared/platform/table/as-read.ts'
import { transact } from '#shared/platform/table/transactions.ts'
import { OpsMistake } from '../../refusal.ts'
import { type DamageKind, idIn } from '../kind.ts'

/** The value that a pointer finds a lead by, in words. */
const textOfValue = ({ pk }: Key): string => {
  const [, kind, value] = /^(EMAIL|EXT)#\d+#(.*)$/s.exec(pk) ?? []
  return `${kind === 'EMAIL' ? 'email' : 'external id'} ${value}`
}

const isAmong = (keys: readonly Key[], { pk, sk }: Key): boolean => keys.some((key) => key.pk === pk && key.sk === sk)

/** Reads a lead and its pointers in one consistent read, and returns the missing pointers. */
const readMissing = async (id: number) => {
  const before = await getLead(id)
  const keys = pointersOf(before)
  const [item, ...pointers] = await readTogether([leadKey(id), ...keys])
  if (!item) return undefined
  const wanted = pointersOf(leadFromItem(item))
  return { item, missing: keys.filter((key, index) => !pointers[index] && isAmong(wanted, key)) }
}

const missing: DamageKind = {
  kind: 'pointer-missing',
  at: 'LEAD',
  about: 'A lead cannot be found by its email or external id. Upserts and uploads of this lead create a second lead.',
  look: async (where) => {
    const id = idIn(where)
    const found = await readMissing(id)
    if (!found || found.missing.length === 0) return undefined
    const values = found.missing.map(textOfValue).join(' and ')
    return {
      message: `Lead ${id} cannot be found by its ${values}. An upsert or an upload by that value creates a second lead.`,
      remedy: `making it findable by its ${values}`,
      repair: async () => {
        const puts = found.missing.map((key) => ({ put: { ...key } }))
        return (await transact([...puts, stillAsRead(leadKey(id), found.item, ['version'])])).committed
      },
    }
  },
}

/** Parses `PK/SK`. The value in the partition key may hold any character, slashes too. */
const keyIn = (where: string): Key => {
  const at = where.lastIndexOf('/')
  const key = { pk: where.slice(0, at), sk: where.slice(at + 1) }
  if (/^(EMAIL|EXT)#\d+#/.test(key.pk) && /^LEAD#\d+$/.test(key.sk)) return key
  throw new OpsMistake(`${where} is not a valid value for this kind of damage. Write a value such as EXT#1#crm-7/LEAD#0000004711.`)
}

const stray: DamageKind = {
  kind: 'pointer-stray',
  at: 'POINTER',
  about: 'An email or external id finds a lead that is gone or does not have it. Lookups by that value are wrong, and cost more.',
  look: async (where) => {
    const key = keyIn(where)
    const id = parsePointerSk(key.sk)
    const [item, pointer] = await readTogether([leadKey(id), key])
    if (!pointer || (item && isAmong(pointersOf(leadFromItem(item)), key))) return undefined
    const why = item ? 'does not have it' : 'is gone'
    return {
      message: `The ${textOfValue(key)} finds lead ${id}, which ${why}. Lookups and upserts by that value go wrong.`,
      remedy: 'removing the pointer',
      repair: async () => (await transact([{ delete: key }, stillAsRead(leadKey(id), item, ['version'])])).committed,
    }
  },
}

export const pointers: readonly DamageKind[] = [missing, stray]
