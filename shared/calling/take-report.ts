import { createHash } from 'node:crypto'
import * as v from 'valibot'
import { noteReport } from '../agents/agent-health.ts'
import { CallReport } from '../agents/api/call-report.ts'
import type { TransferReport } from '../agents/rules/transfer-legs.ts'
import type { Translation } from '../agents/voice-agent.ts'
import type { ErasedCall } from '../erasure/erased-call-store.ts'
import { insertSms } from '../events/sms-store.ts'
import { collect } from '../leads/collect.ts'
import { now } from '../platform/clock.ts'
import { logger } from '../platform/logger.ts'
import { cutText } from '../platform/values/cut-text.ts'
import type { Instant } from '../platform/values/values.ts'
import { CHANNELS } from '../stops/compliance.ts'
import type { PersonStatus } from '../stops/person-status.ts'
import { getPhone } from '../stops/phone-store.ts'
import { channelsEndedByName, channelsOptedOut } from '../stops/rules/revocation.ts'
import { type AskedStop, stopFromCall, stopFromErasedCall, stopFromOtherCall } from '../stops/stop-from-call.ts'
import type { Call, ReportedOutcome } from './call.ts'
import { getCall, type Milestones, recordMilestones } from './call-store.ts'
import { completeAtEnd, completeCall, endConsents, NOTHING_REPORTED, STOP_OF_OUTCOME } from './finish/complete-call.ts'
import { freeLineAndPhone, reopenCall, watchAgain } from './finish/finish-call.ts'
import { refuseCall } from './finish/refuse-call.ts'
import { isTalkingToOther } from './rules/finish/transferred.ts'
import { outcomeOf } from './rules/outcomes.ts'
import { heardAt, isReportedLate } from './rules/silence.ts'

/** The agent's clock may differ from ours: its times are limited to the span from the call's intent to now. */
const inOurTime = (call: Call, time: Instant): Instant => Math.min(Math.max(time, call.intent_time), now())

/** Most transfer reports that a call keeps: more than any real call has. */
const MOST_TRANSFERS_TOLD = 40

const STEPS = {
  'call.transfer_initiated': 'initiated',
  'call.transfer_connected': 'connected',
  'call.transfer_ended': 'ended',
} as const

const transfer = (
  call: Call,
  { type, time }: { readonly type: keyof typeof STEPS; readonly time: Instant },
  details: Partial<TransferReport>,
): Milestones => {
  if ((call.transfers_told?.length ?? 0) >= MOST_TRANSFERS_TOLD) return {}
  const transferReport: Partial<TransferReport> = { step: STEPS[type], told_time: time, time: inOurTime(call, time), ...details }
  return { transfers_told: [JSON.stringify(transferReport)] }
}

/** The changes that a report makes to the call, besides the time at which the agent was last heard. */
const milestones = (call: Call, report: CallReport, at: Instant): Milestones => {
  switch (report.type) {
    case 'call.answered':
      return { answered_time: at }
    case 'call.transfer_initiated':
      return transfer(call, report, { mode: report.data?.mode ?? 'warm', destination: report.data?.destination ?? null })
    case 'call.transfer_connected':
      return transfer(call, report, {})
    case 'call.transfer_ended':
      return transfer(call, report, { reason: report.data?.reason ?? null })
    case 'call.ended':
      return {
        ended_time: at,
        duration_seconds: report.data?.duration_seconds ?? null,
        presumed_outcome: report.data?.presumed_outcome ?? null,
      }
    case 'call.data_collected':
      return { talked_time: now() }
    default:
      return {}
  }
}

/** A report without an event id is recognised by its bytes. Event ids are only promised to be unique within a call. */
const smsId = ({ call_id, event_id }: CallReport, rawBody: string): string =>
  createHash('sha256')
    .update(`${call_id} ${event_id ? `id ${event_id}` : `body ${rawBody}`}`)
    .digest('base64url')

const storeSms = async (call: Call, report: Extract<CallReport, { type: 'sms.completed' }>, rawBody: string): Promise<void> => {
  const { lead, owner, call_id, phone_number } = call
  const time = inOurTime(call, report.time)
  const { direction = null, body = null, status = null } = report.data ?? {}
  await insertSms({ sms_id: smsId(report, rawBody), lead, owner, call_id, phone_number, direction, body, status, time })
}

const NO_STOP: AskedStop = { channels: [], means: 'call', words: null }

/** The outcome that a report names, or presumes. */
const outcomeIn = (report: CallReport): ReportedOutcome | null => {
  if (report.type === 'call.completed') return report.data.outcome
  return report.type === 'call.ended' ? (report.data?.presumed_outcome ?? null) : null
}

/** The stop that the person asked for: reported by the agent, meant by an outcome, or written by the person in a text message. */
const stopAsked = (report: CallReport): AskedStop => {
  if (report.type === 'dnc.requested') {
    const { channel, words } = report.data
    // The words may ask for more than the agent made of them.
    const channels =
      channel === null ? CHANNELS : CHANNELS.filter((each) => each === channel || channelsEndedByName(words ?? '').includes(each))
    return { channels, means: 'call', words, time: report.time }
  }
  const outcome = outcomeIn(report)
  if (outcome !== null && outcomeOf(outcome).dnc) return { ...STOP_OF_OUTCOME, time: report.time }
  // A text without a known direction may be the person's.
  if (report.type !== 'sms.completed' || report.data?.direction === 'outbound') return NO_STOP
  const body = report.data?.body ?? null
  return { channels: channelsOptedOut(body ?? ''), means: 'text', words: body, time: report.time }
}

/**
 * An ended call frees phone and line without waiting for its completion, which may never be reported. A completion that waited for the end
 * takes effect now, even if it was reported at the same moment.
 * @param before the call before its end was recorded
 * @param presumed the outcome that this report presumes
 */
const finishEnded = async (before: Call, call: Call, presumed: ReportedOutcome | null): Promise<Call | undefined> => {
  if (call.completed_time !== null || call.settled_time !== null) return call
  const isNew = isTalkingToOther(before) && call.presumed_outcome !== presumed
  const awaited = isNew ? call.presumed_outcome : before.presumed_outcome
  const outcome = before.ended_time === null ? awaited : null
  if (outcome !== null) return completeCall(call, { ...NOTHING_REPORTED, at: call.ended_time ?? now(), outcome })
  await freeLineAndPhone(call)
  return call
}

/**
 * Applies an agent's report. Reports may repeat and come in any order: the result is the same.
 * @returns the call after the report; undefined when it no longer exists
 */
export const applyReport = async (call: Call, report: CallReport, rawBody: string): Promise<Call | undefined> => {
  const at = inOurTime(call, report.time)
  if (report.type === 'call.completed') {
    const { outcome, summary, collected, appointment, is_contact, message_left, callback_time } = report.data
    const complete = isTalkingToOther(call) ? completeAtEnd : completeCall
    return complete(call, {
      at,
      providerCallId: report.provider_call_id,
      outcome,
      messageLeft: message_left ?? false,
      summary,
      isContact: is_contact,
      callbackTime: callback_time,
      collected,
      appointment,
    })
  }
  // The stop first: it is the most urgent.
  await stopFromCall(call, stopAsked(report))
  // The end frees the phone. So a wrong number must not wait for the completion.
  await endConsents(call, at, outcomeIn(report))
  if (report.type === 'sms.completed') await storeSms(call, report, rawBody)
  const updated = await recordMilestones(call, {
    ...heardAt(now()),
    provider_call_id: report.provider_call_id,
    ...milestones(call, report, at),
  })
  if (updated && updated.ended_time !== null && isReportedLate(updated)) await watchAgain(updated)
  if (report.type === 'call.ended' && updated) return finishEnded(call, updated, report.data?.presumed_outcome ?? null)
  if (report.type === 'call.data_collected') await collect(call, report.data.collected, at)
  return updated
}

/** Applies a report only as far as it stops further contact. @returns whether it does */
export const applyStop = async (call: Call | ErasedCall, report: CallReport, stop = stopFromCall): Promise<boolean> => {
  const stopped = stopAsked(report)
  if (stopped.channels.length === 0) return false
  await ('erased_time' in call ? stopFromErasedCall(call, stopped) : stop(call, stopped))
  return true
}

/**
 * After the erasure of a call's person, only a stop is accepted. If the call is still going on, the answer tells the agent to cancel it.
 */
export const applyLateReport = async (call: ErasedCall, report: CallReport): Promise<PersonStatus> => {
  await applyStop(call, report)
  const { call_dnc, sms_dnc } = await getPhone(call.phone_key)
  return { call_dnc, sms_dnc, lead_status: 'UNKNOWN', cancel: true }
}

/** The reports of a translation about a call. A report that does not fit our own protocol is logged and left out. */
const reportsOf = (callId: string, { platformCallId, reports }: Translation): CallReport[] =>
  reports.flatMap((report) => {
    const read = v.safeParse(CallReport, { ...report, call_id: callId, provider_call_id: platformCallId })
    if (read.success) return read.output
    logger.error('A report of a platform could not be read.', { call: callId, type: report.type, issues: v.flatten(read.issues) })
    return []
  })

/** Most characters of a platform's text that are logged. */
const LONGEST_LOGGED = 200

/** Logs the first thing in a call that the adapter does not know. A platform repeats its events, and a log must stay short. */
const logUnknown = async (call: Call, { unknown }: Translation): Promise<void> => {
  if (unknown === undefined || call.undocumented_time !== null) return
  await recordMilestones(call, { undocumented_time: now() })
  logger.warn('A platform sent something that is not documented.', { call: call.call_id, unknown: cutText(unknown, LONGEST_LOGGED) })
}

const applyStops = async (call: Call | ErasedCall, reports: readonly CallReport[], stop = stopFromCall): Promise<boolean> => {
  let isStopped = false
  for (const report of reports) isStopped = (await applyStop(call, report, stop)) || isStopped
  return isStopped
}

/** Milestones after which a platform cannot take back that it accepted the call. */
const BEYOND_REFUSAL = ['answered_time', 'talked_time', 'completed_time', 'refused_time', 'unknown_time'] as const

/** A refusal after a sign of a conversation is no refusal, but the call is over all the same. */
const endRefused = async (call: Call, seen: Milestones): Promise<Call | undefined> => {
  if (call.ended_time !== null || call.completed_time !== null || call.refused_time !== null) return call
  const ended = await recordMilestones(call, { ...seen, ended_time: now(), presumed_outcome: 'unknown' })
  return ended && finishEnded(call, ended, 'unknown')
}

/**
 * Applies what a platform reported about a call, by a callback or when it was polled. Safe to repeat.
 * @param text what the platform sent; it recognises a repeat
 * @returns the call afterwards; undefined when it no longer exists
 */
export const applyTranslation = async (call: Call, translation: Translation, text: string): Promise<Call | undefined> => {
  await logUnknown(call, translation)
  const reports = reportsOf(call.call_id, translation)
  const seen = { ...heardAt(now()), provider_call_id: translation.platformCallId, on_platform: true }
  if (translation.refusal !== undefined) {
    await applyStops(call, reports)
    if (BEYOND_REFUSAL.some((milestone) => call[milestone] !== null)) return endRefused(call, seen)
    const refusal = { kind: 'refused', fault: 'account', health: 'failing', ...translation.refusal } as const
    await refuseCall(call, refusal, BEYOND_REFUSAL)
    return getCall(call.call_id)
  }
  if (reports.length > 0 || translation.asks) await noteReport(call)
  // Any event shows that the call is alive, and an event may be the first that names the platform's call.
  let current = reports.length === 0 || call.on_platform === null ? await recordMilestones(call, seen) : call
  for (const report of reports) current = current && (await applyReport(current, report, text))
  return current && isReportedLate(current) && current.ended_time === null ? reopenCall(current) : current
}

/**
 * As `applyTranslation`, but accepts only stops: after the erasure of the call's person, or from another call to the person.
 * @returns whether there was one
 */
export const applyOnlyStops = (call: Call | ErasedCall, translation: Translation): Promise<boolean> =>
  applyStops(call, reportsOf(call.call_id, translation), stopFromOtherCall)
