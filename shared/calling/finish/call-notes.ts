import { callId, callKey } from '../../platform/keys.ts'
import { onCondition, updateItem } from '../../platform/table/table.ts'
import type { Call } from '../call.ts'
import { callFromItem, getCall, storedCall } from '../call-store.ts'

/** Attributes of a call that may change, unlike its milestones. */

/** @returns false when another contradiction was added since the call was read */
export const noteContradiction = async (
  { lead, attempt, contradictions }: Call,
  contradiction: NonNullable<Call['contradictions']>[number],
): Promise<boolean> => {
  const updated = await onCondition(
    updateItem(callKey(lead, attempt), {
      UpdateExpression: 'SET contradictions = list_append(if_not_exists(contradictions, :none), :one)',
      ConditionExpression: contradictions === null ? 'attribute_not_exists(contradictions)' : 'size(contradictions) = :noted',
      ExpressionAttributeValues: {
        ':none': [],
        ':one': [contradiction],
        ...(contradictions !== null && { ':noted': contradictions.length }),
      },
    }),
  )
  return updated.isMet
}

/**
 * Writes the representative and the external ids of a call.
 * @returns the call as it is now; undefined when its external ids have changed since it was read
 */
export const identifyCall = async (
  { lead, attempt, external_ids: read }: Call,
  identity: Pick<Call, 'representative' | 'external_ids'>,
): Promise<Call | undefined> => {
  const stored = storedCall(identity)
  const names = Object.keys(stored)
  if (names.length === 0) return getCall(callId(lead, attempt))
  const identified = await onCondition(
    updateItem(callKey(lead, attempt), {
      UpdateExpression: `SET ${names.map((name) => `${name} = :${name}`).join(', ')}`,
      ConditionExpression: read === null ? 'attribute_exists(pk) AND attribute_not_exists(external_ids)' : 'external_ids = :read',
      ExpressionAttributeValues: {
        ...Object.fromEntries(Object.entries(stored).map(([name, text]) => [`:${name}`, text])),
        ...(read !== null && { ':read': JSON.stringify(read) }),
      },
      ReturnValues: 'ALL_NEW',
    }),
  )
  return identified.isMet ? callFromItem(identified.result) : undefined
}
