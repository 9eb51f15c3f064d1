import * as v from 'valibot'
import type { LeadType } from '../accounts/configuration.ts'
import { inboundNumberKey } from '../platform/keys.ts'
import { getItem } from '../platform/table/table.ts'
import type { Write } from '../platform/table/transactions.ts'
import { Id } from '../platform/values/values.ts'

/** Whose number it is. */
const InboundNumber = v.object({ owner: Id, lead_type: Id })
type InboundNumber = v.InferOutput<typeof InboundNumber>

/** Undefined when nobody is called there. `number`: E.164. */
export const getInboundNumber = (number: string): Promise<InboundNumber | undefined> => getItem(InboundNumber, inboundNumberKey(number))

/**
 * The writes that make a lead type found by its numbers after a change of them. For the transaction of that change, which a number
 * that is another lead type's stops, wanted or given back.
 */
export const numberWrites = (before: readonly string[], { owner, id, inbound_numbers: after }: LeadType): Write[] => [
  ...after
    .filter((number) => !before.includes(number))
    .map(
      (number): Write => ({
        put: { ...inboundNumberKey(number), owner, lead_type: id },
        condition: 'attribute_not_exists(pk)',
      }),
    ),
  ...before
    .filter((number) => !after.includes(number))
    .map(
      (number): Write => ({
        delete: inboundNumberKey(number),
        condition: 'attribute_not_exists(pk) OR (#owner = :owner AND lead_type = :id)',
        names: { '#owner': 'owner' },
        values: { ':owner': owner, ':id': id },
      }),
    ),
]
