import * as v from 'valibot'
import { inboundCallKey } from '../../platform/keys.ts'
import { expiresAt } from '../../platform/table/expiry.ts'
import { getItem, updateItem } from '../../platform/table/table.ts'
import type { Write } from '../../platform/table/transactions.ts'
import { DAY } from '../../platform/values/durations.ts'
import { absentAsNull, Id, type Instant } from '../../platform/values/values.ts'

/** How long we remember a provider's call id. No agent repeats a report after that time. */
export const INBOUND_CALL_KEPT = 30 * DAY

/** The record of an inbound call, under the provider's id of that call. */
const InboundCall = v.object({
  /** Partition key of the caller's phone. */
  phone_key: v.string(),
  call_id: absentAsNull(v.string()),
  /** Id for a new lead, when the phone has none. It stays the same however often the call is reported. */
  reserved_lead: absentAsNull(Id),
})
type InboundCall = v.InferOutput<typeof InboundCall>

/** An agent's report of a call to one of an owner's numbers. */
export interface Reported {
  readonly owner: number
  readonly agent: string
  readonly providerCallId: string
  /** Partition key of the caller's phone. */
  readonly phoneKey: string
}

const keyOf = ({ owner, agent, providerCallId }: Reported) => inboundCallKey(owner, agent, providerCallId)

/** The record under this provider's id. It may belong to another caller. */
export const notedCall = (reported: Reported): Promise<InboundCall | undefined> => getItem(InboundCall, keyOf(reported))

/** @returns the record afterwards, with the id that was reserved first; it may belong to another caller */
export const reserveLead = async (reported: Reported, id: number, now: Instant): Promise<InboundCall> =>
  v.parse(
    InboundCall,
    await updateItem(keyOf(reported), {
      UpdateExpression:
        'SET reserved_lead = if_not_exists(reserved_lead, :id), phone_key = if_not_exists(phone_key, :phone), expires_at = :expires',
      ExpressionAttributeValues: { ':id': id, ':phone': reported.phoneKey, ':expires': expiresAt(now, INBOUND_CALL_KEPT) },
      ReturnValues: 'ALL_NEW',
    }),
  )

/** A write of the transaction that takes the call: once per provider's id. A reserved id is only for the caller who reserved it. */
export const claimCall = (reported: Reported, callId: string, now: Instant): Write => ({
  update: keyOf(reported),
  expression: 'SET call_id = :call, phone_key = :phone, expires_at = :expires',
  condition: 'attribute_not_exists(call_id) AND (attribute_not_exists(phone_key) OR phone_key = :phone)',
  values: { ':call': callId, ':phone': reported.phoneKey, ':expires': expiresAt(now, INBOUND_CALL_KEPT) },
})
