import * as v from 'valibot'
import { absentAsNull, Id } from '../schema/values.ts'
import { inboundCallKey } from './keys.ts'
import { getItem, updateItem } from './table.ts'
import type { Write } from './transactions.ts'

/** What became of a call that an agent reported under its own id. */
const InboundCall = v.object({
  call_id: absentAsNull(v.string()),
  /** Id of the lead that is made for it when the phone has none: the same one however often the call is reported. */
  reserved_lead: absentAsNull(Id),
})

/** Id of the call, once it has been taken. */
export const takenCallId = async (agent: string, providerCallId: string): Promise<string | null> =>
  (await getItem(InboundCall, inboundCallKey(agent, providerCallId)))?.call_id ?? null

/** @returns the id that was reserved first */
export const reserveLead = async (agent: string, providerCallId: string, id: number): Promise<number> => {
  const reserved = await updateItem(inboundCallKey(agent, providerCallId), {
    UpdateExpression: 'SET reserved_lead = if_not_exists(reserved_lead, :id)',
    ExpressionAttributeValues: { ':id': id },
    ReturnValues: 'ALL_NEW',
  })
  return v.parse(InboundCall, reserved).reserved_lead ?? id
}

/** A write of the transaction that takes the call: once for each id of the agent's. */
export const claimCall = (agent: string, providerCallId: string, callId: string): Write => ({
  update: inboundCallKey(agent, providerCallId),
  expression: 'SET call_id = :call',
  condition: 'attribute_not_exists(call_id)',
  values: { ':call': callId },
})
