import { isCallable } from '../../../leads/rules/status.ts'
import { isInternational } from '../../../location/rules/locate.ts'
import { callingHours } from '../calling-hours.ts'
import { type Gate, type GateInputs, type Verdict, verdict } from '../verdict.ts'

/** Gates that look at the lead and its type. */

export const status: Gate = ({ lead }) => {
  const passed = isCallable(lead.status)
  return verdict('status', passed, {
    code: lead.status,
    detail: passed ? 'The status of the lead allows calls.' : `Leads in status ${lead.status} are not called.`,
    inputs: { status: lead.status },
  })
}

type TypeInputs = Pick<GateInputs, 'lead' | 'leadType' | 'hasAgent' | 'policy'>

const leadTypeState = ({ lead, leadType: type, hasAgent, policy }: TypeInputs): { code: string; detail: string } => {
  if (!type) return { code: 'NONE', detail: 'The lead has no lead type, or its lead type no longer exists.' }
  if (!type.active) return { code: 'INACTIVE', detail: 'The lead type is not active.' }
  if (!hasAgent) return { code: 'NO_AGENT', detail: 'The voice agent of the lead type does not exist.' }
  if (!isInternational(lead)) return { code: 'ACTIVE', detail: 'The lead type is active.' }
  if (!type.international)
    return { code: 'INTERNATIONAL', detail: 'The lead type does not call numbers outside the North American Numbering Plan.' }
  if (callingHours(lead, policy).location.timezones.length === 0)
    return { code: 'NO_TIMEZONE', detail: 'A lead outside the North American Numbering Plan needs a timezone.' }
  return { code: 'ACTIVE', detail: 'The lead type is active and calls abroad.' }
}

export const leadType = (inputs: TypeInputs): Verdict => {
  const state = leadTypeState(inputs)
  const agent = state.code === 'NO_AGENT' ? { agent: inputs.leadType?.agent ?? '' } : {}
  return verdict('lead_type', state.code === 'ACTIVE', { ...state, inputs: { lead_type: inputs.lead.lead_type, ...agent } })
}
