import * as v from 'valibot'
import type { LeadType } from '../accounts/configuration.ts'
import { inboundNumberKey } from '../platform/keys.ts'
import { getItem } from '../platform/table/table.ts'
import type { Write } from '../platform/table/transactions.ts'
import { Id } from '../platform/values/values.ts'

/** The lead type that a number belongs to. */
const InboundNumber = v.object({ owner: Id, lead_type: Id })
type InboundNumber = v.InferOutput<typeof InboundNumber>

/** `number`: E.164. @returns undefined when the number belongs to no lead type */
export const getInboundNumber = (number: string): Promise<InboundNumber | undefined> => getItem(InboundNumber, inboundNumberKey(number))

/**
 * Writes that update which numbers lead to a lead type, for the transaction that changes the lead type.
 * The transaction fails when a number, added or removed, belongs to another lead type.
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
