import { settingOf } from '../../../backlog/rules/holders.ts'
import { callingHours } from '../../../calling/rules/calling-hours.ts'
import { type NextCall, NO_NEXT_CALL, nextCall, releasedCall, wantedTime, withoutWaiting } from '../../../calling/rules/next-call.ts'
import type { CallingPolicy } from '../../../calling/rules/policy.ts'
import type { Instant } from '../../../platform/values/values.ts'
import type { Lead } from '../../lead.ts'

export interface Circumstances {
  readonly now: Instant
  readonly policy: CallingPolicy
  /** Stops on the phone that the lead has after the update. */
  readonly phone: { readonly call_dnc: boolean }
}

const hoursOf = (lead: Lead, { policy }: Circumstances): string => JSON.stringify(callingHours(lead, policy).hours)

const newCall = (lead: Lead, { now, policy }: Circumstances): NextCall => nextCall(lead, now, 'NEXT_AVAILABLE_SLOT', policy)

/** Whether the lead may be called, now or after a change of a setting. */
const mayBeCalled = (lead: Lead, circumstances: Circumstances): boolean => newCall(lead, circumstances).due_list !== null

/** Whether an update may end what a held lead waits for, or may change it. */
const mayRelease = (before: Lead, after: Lead, circumstances: Circumstances): boolean =>
  after.lead_type !== before.lead_type ||
  after.phone_number !== before.phone_number ||
  after.metadata !== before.metadata ||
  hoursOf(before, circumstances) !== hoursOf(after, circumstances)

/** Moves a scheduled call only when its calling hours change. A call that waits for something else is checked again anyway. */
const movedCall = (before: Lead, after: Lead, circumstances: Circumstances): NextCall => {
  const { next_call_time, next_call_time_reason: reason, due_list } = after
  if (settingOf(after) !== undefined)
    return mayRelease(before, after, circumstances) ? releasedCall(after, circumstances.now, circumstances.policy) : after
  if (due_list === 'HELD' && after.lead_type !== before.lead_type)
    return { ...after, next_call_time_reason: withoutWaiting(reason), due_list: 'CALL', held_by: null }
  const isListed = due_list !== 'CALL' && (next_call_time === null || next_call_time <= circumstances.now)
  const stays = isListed || hoursOf(before, circumstances) === hoursOf(after, circumstances)
  if (stays || next_call_time === null || reason === null) return after
  const { now, policy } = circumstances
  const moved = nextCall(after, wantedTime(after, now), reason, policy)
  return moved.next_call_time === null ? moved : { ...moved, promised_time: moved.promised_time ?? after.promised_time }
}

/**
 * The next call of a lead after an update. A lead that becomes callable is scheduled. Its status, its lead type or new metadata that may
 * prove consent can make it callable. A lifted stop or a new phone can do so too. A lead in a call waits for the outcome.
 */
export const callAfterUpdate = (before: Lead, after: Lead, circumstances: Circumstances): NextCall => {
  if (!mayBeCalled(after, circumstances)) return NO_NEXT_CALL
  if (after.next_call_time !== null) return movedCall(before, after, circumstances)
  const isMoved = after.phone_number !== before.phone_number || after.lead_type !== before.lead_type
  const isOther = isMoved || after.metadata !== before.metadata
  const isNews = isOther || after.status !== before.status || !mayBeCalled(before, circumstances)
  if (after.current_call !== null || circumstances.phone.call_dnc || !isNews) return NO_NEXT_CALL
  return newCall(after, circumstances)
}
