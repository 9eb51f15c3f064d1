import {
  accountHolder,
  emergencyHolder,
  isPause,
  isSetting,
  leadHolder,
  leadTypeHolder,
  litigatorHolder,
  pauseHolder,
  reassignedHolder,
  registryHolder,
} from '../../backlog/rules/holders.ts'
import type { Lead } from '../../leads/lead.ts'
import { callingHours } from './calling-hours.ts'
import { consent } from './gates/consent.ts'
import { leadType } from './gates/lead.ts'
import { litigator } from './gates/person.ts'
import { reassigned } from './gates/reassigned.ts'
import { registry } from './gates/registry.ts'
import { type NextCall, releasedCall, withoutWaiting } from './next-call.ts'
import type { GateInputs, Verdict } from './verdict.ts'

type HolderInputs = Pick<GateInputs, 'lead' | 'now' | 'policy' | 'phoneHash'>

/** The jurisdictions whose declared emergency bars calls to a lead. */
const emergenciesAt = ({ lead, policy }: HolderInputs): string[] => [
  ...new Set(callingHours(lead, policy).hours.flatMap(({ isEmergency, rule }) => (isEmergency ? rule : []))),
]

const windowHolder = (inputs: HolderInputs): string => {
  const [emergency] = emergenciesAt(inputs)
  if (emergency !== undefined) return emergencyHolder(emergency)
  const { id, owner } = inputs.lead
  return callingHours(inputs.lead, inputs.policy).hours.length === 0 ? leadHolder(id) : accountHolder(owner)
}

const leadTypeOrAgent = ({ id, lead_type }: Lead, { code, inputs }: Verdict): string | null => {
  if (code === 'NO_AGENT') return `${inputs['agent']}`
  if (code === 'NO_TIMEZONE') return leadHolder(id)
  return lead_type === null ? null : leadTypeHolder(lead_type)
}

/**
 * The setting or agent that must change before a refused lead is called. Null when waiting is enough, or when the lead must not be
 * called.
 */
export const holderOf = (inputs: HolderInputs, refusal: Verdict): string | null => {
  if (refusal.next_time !== null) return null
  switch (refusal.gate) {
    case 'litigator':
      return litigatorHolder(inputs.phoneHash)
    case 'registry':
      return registryHolder(`${refusal.inputs['list']}`)
    case 'reassigned':
      return reassignedHolder(inputs.lead.owner)
    case 'lead_type':
    case 'consent':
      return leadTypeOrAgent(inputs.lead, refusal)
    case 'window':
      return windowHolder(inputs)
    default:
      return null
  }
}

/** The inputs that decide whether a lead stays held. */
export type HoldInputs = HolderInputs &
  Pick<GateInputs, 'leadType' | 'isLitigator' | 'phone' | 'consent' | 'registries' | 'reassigned' | 'hasAgent'> & {
    readonly isPaused?: boolean
    /** Whether the agent that holds the lead is still its agent, and down. */
    readonly isAgentDown?: boolean
  }

/** Everything that now keeps a lead from being called at any time: settings, a pause, or a missing agent. */
const presentHolders = (inputs: HoldInputs): string[] => {
  const { lead, now, policy } = inputs
  const refusals = [litigator, registry, leadType, consent, reassigned].map((gate) => gate(inputs)).filter(({ passed }) => !passed)
  const emergencies = emergenciesAt(inputs).map(emergencyHolder)
  const { held_by } = releasedCall(lead, now, policy)
  const pause = inputs.isPaused ? [pauseHolder(lead.owner)] : []
  const agent = inputs.isAgentDown ? lead.held_by : null
  return [...refusals.map((refusal) => holderOf(inputs, refusal)), ...emergencies, ...pause, agent, held_by].filter(
    (holder) => holder !== null,
  )
}

/**
 * The next call of a held lead. It stays held by the same holder while that still refuses it, else by another one that refuses it.
 * When none refuses it, it is called at its time.
 */
export const callAfterHold = (inputs: HoldInputs): NextCall => {
  const { lead, now, policy } = inputs
  const holders = presentHolders(inputs)
  const held_by = holders.find((holder) => holder === lead.held_by) ?? holders[0]
  const { promised_time, next_call_time } = lead
  const next_call_time_reason = withoutWaiting(lead.next_call_time_reason) ?? 'NEXT_AVAILABLE_SLOT'
  if (held_by === undefined) {
    const isOfAgent = lead.held_by !== null && !isSetting(lead.held_by)
    // A lead that waited for its agent keeps its turn. Its dial looks at the hours.
    if (isOfAgent && next_call_time !== null && next_call_time <= now)
      return { next_call_time, next_call_time_reason, due_list: 'CALL', held_by: null, promised_time }
    return releasedCall(lead, now, policy, isPause(lead.held_by ?? '') ? 'RESUMED' : undefined)
  }
  return { next_call_time: lead.next_call_time ?? now, next_call_time_reason, due_list: 'HELD', held_by, promised_time }
}
