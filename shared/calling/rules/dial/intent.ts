import type { Assistant } from '../../../accounts/configuration.ts'
import { callerNumberFor } from '../../../agents/rules/caller-number.ts'
import type { Lead } from '../../../leads/lead.ts'
import { SECOND } from '../../../platform/values/durations.ts'
import type { Instant } from '../../../platform/values/values.ts'
import { sourceName } from '../../../statistics/rules/source-name.ts'
import type { Call } from '../../call.ts'
import { callingHours } from '../calling-hours.ts'
import { EMPTY_CALL } from '../empty-call.ts'
import { codes } from '../gates/judge.ts'
import { lastStart } from '../hours/hours.ts'
import { NO_NEXT_CALL } from '../next-call.ts'
import type { GateInputs, Verdict } from '../verdict.ts'

/** The agent may be asked until this long after the intent, or until the calling window ends. */
export const ASKING_TIME = 30 * SECOND

/** How long one request to the agent may take. */
export const AGENT_TIMEOUT = 5 * SECOND
/** The intent is also the claim to the first request, if that request starts within this time. No other run asks before that request ends. */
export const CLAIMED_FOR = SECOND

/**
 * The lead while its call is under way: it has no next call until the outcome is known. Like any change of only the next call, a dial keeps
 * the `modified_time`, so that it writes no new entry into the change index.
 */
export const whileDialling = (lead: Lead, callId: string, now: Instant): Lead => ({
  ...lead,
  ...NO_NEXT_CALL,
  version: lead.version + 1,
  cause: 'dial',
  dialled_time: now,
  attempts: lead.attempts + 1,
  round_attempts: lead.round_attempts + 1,
  current_call: callId,
})

const placedWith = ({ name, assistant, from }: Assistant, { phone_number, id }: Lead): Call['placed_with'] => ({
  platform: name,
  assistant,
  number: callerNumberFor(from, phone_number, id)?.number ?? null,
})

/** The call before the agent is asked to place it. */
export const intendedCall = (
  inputs: GateInputs,
  verdicts: readonly Verdict[],
  names: { readonly callId: string; readonly phonePk: string; readonly agent: string; readonly platform?: Assistant | undefined },
): Call => ({
  call_id: names.callId,
  lead: inputs.lead.id,
  owner: inputs.lead.owner,
  attempt: inputs.lead.attempts + 1,
  call_direction: 'outbound',
  phone_number: inputs.lead.phone_number,
  phone_key: names.phonePk,
  lead_type: inputs.lead.lead_type,
  lead_source: sourceName(inputs.lead.lead_source),
  agent: names.agent,
  verdicts: codes(verdicts),
  intent_time: inputs.now,
  due_time: inputs.lead.next_call_time,
  promised_time: inputs.lead.promised_time,
  not_after: Math.min(inputs.now + ASKING_TIME, lastStart(callingHours(inputs.lead, inputs.policy).hours, inputs.now)),
  ...EMPTY_CALL,
  placed_with: names.platform ? placedWith(names.platform, inputs.lead) : null,
  agent_address: inputs.agentAddress,
  asked_time: inputs.now,
  line_group: inputs.seenLines.group || null,
  line_fence: inputs.lines.fence,
})
