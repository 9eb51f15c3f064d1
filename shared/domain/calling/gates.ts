import { isCallable } from '../leads/status.ts'
import { formatInstant } from '../time.ts'
import { callingHours } from './calling-hours.ts'
import { mayStart, nextStart } from './hours.ts'
import { hasKnownHours, isInternational } from './international.ts'
import type { Facts, Gate, GateName, Verdict } from './verdict.ts'

type Said = Pick<Verdict, 'code' | 'detail' | 'inputs'> & Partial<Pick<Verdict, 'rule' | 'citation' | 'next_time'>>

const verdict = (gate: GateName, passed: boolean, said: Said): Verdict => ({
  gate,
  passed,
  rule: null,
  citation: null,
  next_time: null,
  ...said,
})

const status: Gate = ({ lead }) => {
  const passed = isCallable(lead.status)
  return verdict('status', passed, {
    code: lead.status,
    detail: passed ? 'The lead is callable.' : `Leads in status ${lead.status} are not called.`,
    inputs: { status: lead.status },
  })
}

const paused: Gate = ({ lines }) =>
  verdict('paused', !lines.paused, {
    code: lines.paused ? 'PAUSED' : 'RUNNING',
    detail: lines.paused ? 'The user has paused outbound calls.' : 'The user has not paused outbound calls.',
    inputs: { paused: lines.paused },
  })

const dnc: Gate = ({ lead, phone }) => {
  const stopped = lead.call_dnc || phone.call_dnc
  return verdict('dnc', !stopped, {
    code: stopped ? 'CALL_DNC' : 'NO_DNC',
    detail: stopped ? 'The person must not be called.' : 'No request not to call stands against the lead or its phone.',
    inputs: { lead: lead.call_dnc, phone: phone.call_dnc },
    rule: 'company-specific do-not-call list',
    citation: '47 CFR 64.1200(d)',
  })
}

const leadTypeState = ({ lead, leadType: type }: Facts): { code: string; detail: string } => {
  if (!type) return { code: 'NONE', detail: 'The lead has no lead type, or it is gone.' }
  if (!type.active) return { code: 'INACTIVE', detail: 'The lead type is not active.' }
  if (!isInternational(lead)) return { code: 'ACTIVE', detail: 'The lead type is active.' }
  if (!type.international)
    return { code: 'INTERNATIONAL', detail: 'The lead type does not call numbers outside the North American Numbering Plan.' }
  if (!hasKnownHours(lead)) return { code: 'NO_TIMEZONE', detail: 'Outside the North American Numbering Plan the lead needs a timezone.' }
  return { code: 'ACTIVE', detail: 'The lead type is active, and calls abroad.' }
}

const leadType: Gate = (facts) => {
  const state = leadTypeState(facts)
  return verdict('lead_type', state.code === 'ACTIVE', { ...state, inputs: { lead_type: facts.lead.lead_type } })
}

const startTime: Gate = ({ lead, now }) => {
  const start = lead.call_schedule_start_time
  const passed = start === null || start <= now
  return verdict('start_time', passed, {
    code: passed ? 'STARTED' : 'TOO_EARLY',
    detail: passed ? 'Calling may start.' : `Calling does not start before ${formatInstant(start)}.`,
    inputs: { call_schedule_start_time: start },
    next_time: passed ? null : start,
  })
}

const due: Gate = ({ lead, now }) => {
  const at = lead.next_call_time
  const passed = at !== null && at <= now
  return verdict('due', passed, {
    code: passed ? 'DUE' : at === null ? 'NO_CALL' : 'NOT_YET',
    detail: passed ? 'The next call is due.' : at === null ? 'No call is scheduled.' : `The next call is due at ${formatInstant(at)}.`,
    inputs: { next_call_time: at },
    next_time: passed ? null : at,
  })
}

const window: Gate = ({ lead, now, defaultTimezone }) => {
  const { timezones, source, hours } = callingHours(lead, defaultTimezone)
  const passed = mayStart(hours, now)
  return verdict('window', passed, {
    code: passed ? 'INSIDE' : 'OUTSIDE',
    detail: passed ? 'The local time is inside the calling window.' : 'The local time is outside the calling window.',
    inputs: { timezones, timezone_source: source },
    rule: hours.map(({ rule }) => rule).join(' and '),
    citation: hours.flatMap(({ citation }) => citation ?? []).join('; ') || null,
    next_time: passed ? null : nextStart(hours, now),
  })
}

const callInProgress: Gate = ({ phone }) =>
  verdict('call_in_progress', phone.current_call === null, {
    code: phone.current_call === null ? 'FREE' : 'BUSY',
    detail: phone.current_call === null ? 'No call to this phone is in progress.' : 'A call to this phone is in progress.',
    inputs: { call: phone.current_call },
  })

const capacity: Gate = ({ lines, owner }) => {
  const passed = lines.calls.size < owner.lines
  return verdict('capacity', passed, {
    code: passed ? 'LINE_FREE' : 'LINES_BUSY',
    detail: `${lines.calls.size} of ${owner.lines} lines are in use.`,
    inputs: { calls: lines.calls.size, lines: owner.lines },
  })
}

/** In the order in which they are asked and told. */
const GATES: readonly Gate[] = [status, paused, dnc, leadType, startTime, due, window, callInProgress, capacity]

/** Every gate's verdict on a call that would start now, also of those behind the first refusal. */
export const judge = (facts: Facts): Verdict[] => GATES.map((gate) => gate(facts))

/** The first gate that refuses; undefined when the call may start. */
export const firstRefusal = (verdicts: readonly Verdict[]): Verdict | undefined => verdicts.find(({ passed }) => !passed)

/** The codes to keep with an attempt. */
export const codes = (verdicts: readonly Verdict[]): Record<string, string> =>
  Object.fromEntries(verdicts.map(({ gate, code }) => [gate, code]))
