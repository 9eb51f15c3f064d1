import { isHalfOpen } from '../../../agents/rules/breaker.ts'
import { isPaused } from '../../../backlog/rules/holders.ts'
import { formatInstant } from '../../../platform/values/time.ts'
import { type Gate, type GateInputs, verdict } from '../verdict.ts'

/** Gates that look at the owner's pause, the owner's lines and the agent. */

export const paused: Gate = (inputs) => {
  const { paused: all, paused_upto } = inputs.lines
  const stopped = isPaused(inputs)
  const whose = all ? 'outbound calls' : 'outbound calls to the leads that existed then'
  return verdict('paused', !stopped, {
    code: stopped ? 'PAUSED' : 'RUNNING',
    detail: stopped ? `The user has paused ${whose}.` : 'The user has not paused outbound calls to this lead.',
    inputs: { paused: all, only_existing_leads: paused_upto > 0 },
  })
}

const agentDown = ({ breaker, leadType }: GateInputs) =>
  verdict('capacity', false, {
    code: 'AGENT_DOWN',
    detail: `The voice agent gets no calls before ${formatInstant(breaker.open_until)}: ${breaker.reason}`,
    inputs: { agent: leadType?.agent ?? '', failures: breaker.failures },
    next_time: breaker.open_until,
  })

/** Mention even one failure: the first answer of a new agent may be malformed. */
const agentTrouble = ({ failures, failure }: GateInputs['breaker']): string =>
  failures > 0 && failure !== '' ? ` The latest request to the voice agent failed: ${failure}` : ''

export const capacity: Gate = (inputs) => {
  const {
    seenLines: { inUse, limit },
    breaker,
    now,
  } = inputs
  if (breaker.open_until > now) return agentDown(inputs)
  const passed = inUse < limit
  return verdict('capacity', passed, {
    code: passed ? (isHalfOpen(breaker, now) ? 'PROBE' : 'LINE_FREE') : 'LINES_BUSY',
    detail: `${inUse} of ${limit} lines are in use.${agentTrouble(breaker)}`,
    inputs: { calls: inUse, lines: limit },
  })
}
