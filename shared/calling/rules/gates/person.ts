import { formatInstant } from '../../../platform/values/time.ts'
import type { Instant } from '../../../platform/values/values.ts'
import { type AttemptCap, attemptCapAt, callingHours } from '../calling-hours.ts'
import { callsHolding } from '../calls-holding.ts'
import { heldPhoneText } from '../dial/awaited.ts'
import { recentAttempts, whenBelow } from '../dial/recent-attempts.ts'
import { versioned } from '../rules.ts'
import { type Gate, type GateInputs, type Verdict, verdict } from '../verdict.ts'

/** Gates that look at the person and the phone. */

const stoppedBy = ({ call_listed }: GateInputs['phone']): string =>
  call_listed ? "The phone is on the group's do-not-contact list. Only the operator can lift that." : 'The person must not be called.'

export const dnc: Gate = ({ lead, phone }) => {
  const stopped = lead.call_dnc || phone.call_dnc
  return verdict('dnc', !stopped, {
    code: stopped ? 'CALL_DNC' : 'NO_DNC',
    detail: stopped ? stoppedBy(phone) : 'No stop applies to the lead, its phone or its group.',
    inputs: { lead: lead.call_dnc, phone: phone.call_dnc, group: phone.call_listed },
    rule: 'company-specific do-not-call list',
    citation: '47 CFR 64.1200(d)',
  })
}

export const litigator = ({ isLitigator }: Pick<GateInputs, 'isLitigator'>): Verdict =>
  verdict('litigator', !isLitigator, {
    code: isLitigator ? 'LISTED' : 'NOT_LISTED',
    detail: isLitigator ? 'The phone is on the list of litigators.' : 'The phone is not on the list of litigators.',
    inputs: { listed: isLitigator },
  })

interface Counted extends GateInputs {
  readonly cap: AttemptCap | null
  /** The attempts of the last 24 hours. */
  readonly recent: readonly Instant[]
}

const counts = ({ lead, leadType, cap, recent }: Counted) => ({
  attempts_24h: recent.length,
  max_24h: cap?.max ?? null,
  attempts: lead.round_attempts,
  max_attempts: leadType?.cadence.max_attempts ?? null,
})

const source = (cap: AttemptCap | null) => cap && { rule: versioned([cap.rule]), citation: cap.citation }

/** The legal cap on attempts within 24 hours, across leads and lead types. */
const dayCap = (counted: Counted): Verdict | undefined => {
  const { cap, recent, now } = counted
  if (!cap || recent.length < cap.max) return undefined
  const next_time = whenBelow(recent, cap.max, now)
  const from = next_time === null ? '.' : `; the next one is lawful from ${formatInstant(next_time)}.`
  return verdict('attempt_cap', false, {
    code: 'DAY_CAP',
    detail: `${recent.length} of at most ${cap.max} attempts within 24 hours${from}`,
    inputs: counts(counted),
    ...source(cap),
    next_time,
  })
}

/** The cap of the cadence. A promised call is placed even beyond it. */
const roundCap = (counted: Counted): Verdict | undefined => {
  const { lead, leadType } = counted
  const max = leadType?.cadence.max_attempts
  if (max === undefined || lead.round_attempts < max || lead.promised_time !== null) return undefined
  return verdict('attempt_cap', false, {
    code: 'LEAD_CAP',
    detail: `${lead.round_attempts} of at most ${max} attempts since creation, the last reengagement or the last reopening.`,
    inputs: counts(counted),
  })
}

export const attemptCap: Gate = (inputs) => {
  const cap = attemptCapAt(callingHours(inputs.lead, inputs.policy).hours, inputs.now)
  const counted = { ...inputs, cap, recent: recentAttempts(inputs.phone.attempts, inputs.now) }
  return (
    // The cap that only a change can lift comes first: waiting for the other one would be useless.
    roundCap(counted) ??
    dayCap(counted) ??
    verdict('attempt_cap', true, {
      code: 'BELOW',
      detail: 'The caps on attempts allow another one.',
      inputs: counts(counted),
      ...source(cap),
    })
  )
}

/** Another user of the group may have a call with the phone. The verdict reveals only that there is one (P7). */
export const callInProgress: Gate = ({ phone, lines, lead, awaited = [] }) => {
  const calls = callsHolding(phone)
  const isFree = calls.length === 0
  const known = awaited.filter(({ call }) => calls.includes(call.call_id))
  const own = known[0]?.call.call_id ?? calls.find((call) => call === lead.current_call || lines.calls.has(call)) ?? null
  const held = known.length > 0 ? known.map(heldPhoneText).join(' ') : 'A call to this phone is in progress.'
  return verdict('call_in_progress', isFree, {
    code: isFree ? 'FREE' : 'BUSY',
    detail: isFree ? 'No call to this phone is in progress.' : held,
    inputs: { in_progress: !isFree, call: own },
    next_time: !isFree && known.length === calls.length ? Math.max(...known.map(({ until }) => until)) : null,
  })
}
