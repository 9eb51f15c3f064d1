import { randomUUID } from 'node:crypto'
import * as v from 'valibot'
import { type Agent, LeadType } from '#shared/accounts/configuration.ts'
import { dialOf } from '#shared/agents/rules/call-request.ts'
import type { Dial } from '#shared/agents/voice-agent.ts'
import type { Call } from '#shared/calling/call.ts'
import { disclosuresOf } from '#shared/calling/calling-policy.ts'
import { EMPTY_CALL } from '#shared/calling/rules/empty-call.ts'
import { Lead } from '#shared/leads/lead.ts'
import { SECOND } from '#shared/platform/values/durations.ts'
import type { Instant } from '#shared/platform/values/values.ts'

/** A call to an operator's own phone, without a lead. */
export interface Trial {
  readonly agent: Agent
  /** In E.164. */
  readonly phone: string
  readonly name: string
  readonly script: string
  readonly timezone: string | undefined
}

/** Where reports of the call arrive. */
interface Addresses {
  /** For our own protocol. Without a trailing slash. */
  readonly baseUrl: string
  /** For platforms. Empty: they are polled only. */
  readonly platformBaseUrl: string
}

/** As long as the service waits for the answer to a request. */
const CONFIRMED_WITHIN = 30 * SECOND

/** Not like the id of a call to a lead: the service ignores reports about it. At most 40 characters, as some platforms require. */
export const newTrialId = (): string => `try-${randomUUID()}`

/** A person with the name and the number of the trial, who is stored nowhere. */
const sampleLead = ({ phone, name, timezone }: Trial, at: Instant): Lead =>
  v.parse(Lead, {
    ...{ id: 1, owner: 1, version: 1, position: 1, cause: 'create', lead_type: 1 },
    ...{ phone_number: phone, status: 'OPEN', lead_source: 'trial' },
    metadata: { first_name: name, ...(timezone !== undefined && { timezone }) },
    ...{ created_time: at, modified_time: at, received_time: at },
  })

/** The request to the agent is the one that the service would make for a lead. */
export const trialDial = (trial: Trial, call_id: string, addresses: Addresses, at: Instant): Dial => {
  const { agent, phone, script } = trial
  const call: Call = {
    ...EMPTY_CALL,
    ...{ call_id, lead: 1, owner: 1, attempt: 1, call_direction: 'outbound', lead_type: 1, lead_source: '', agent: agent.id },
    ...{ phone_number: phone, phone_key: '', verdicts: {}, due_time: at, promised_time: null },
    ...{ intent_time: at, not_after: at + CONFIRMED_WITHIN },
  }
  const leadType = v.parse(LeadType, { id: 1, owner: 1, name: 'Trial', agent: agent.id, script })
  const lead = sampleLead(trial, at)
  return dialOf(agent, { call, lead, leadType, disclosures: disclosuresOf(call, lead), ...addresses })
}
