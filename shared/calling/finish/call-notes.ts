import { callId, callKey } from '../../platform/keys.ts'
import { onCondition, updateItem } from '../../platform/table/table.ts'
import type { Call } from '../call.ts'
import { callFromItem, getCall, storedCall } from '../call-store.ts'

/** What is noted on a call beside its milestones, and may change. */

/** @returns false when something was noted since the call was read. */
export const noteContradiction = async (
  { lead, attempt, contradictions }: Call,
  contradiction: NonNullable<Call['contradictions']>[number],
): Promise<boolean> => {
  const noted = await onCondition(
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
  return noted.held
}

/**
 * Writes who has picked up a call and what other systems call it.
 * @returns the call as it is now; undefined when it has other ids than when it was read
 */
export const identifyCall = async (
  { lead, attempt, external_ids: read }: Call,
  identity: Pick<Call, 'representative' | 'external_ids'>,
): Promise<Call | undefined> => {
  const told = storedCall(identity)
  const names = Object.keys(told)
  if (names.length === 0) return getCall(callId(lead, attempt))
  const identified = await onCondition(
    updateItem(callKey(lead, attempt), {
      UpdateExpression: `SET ${names.map((name) => `${name} = :${name}`).join(', ')}`,
      ConditionExpression: read === null ? 'attribute_exists(pk) AND attribute_not_exists(external_ids)' : 'external_ids = :read',
      ExpressionAttributeValues: {
        ...Object.fromEntries(Object.entries(told).map(([name, text]) => [`:${name}`, text])),
        ...(read !== null && { ':read': JSON.stringify(read) }),
      },
      ReturnValues: 'ALL_NEW',
    }),
  )
  return identified.held ? callFromItem(identified.result) : undefined
}
