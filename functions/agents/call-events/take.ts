import { createHash } from 'node:crypto'
import type { TransferReport } from '#shared/agents/transfer-report.ts'
import type { Call } from '#shared/calling/call.ts'
import { type Milestones, tellCall } from '#shared/calling/call-store.ts'
import { completeCall } from '#shared/calling/finish/complete-call.ts'
import { freeLineAndPhone } from '#shared/calling/finish/finish-call.ts'
import { heardAt } from '#shared/calling/rules/silence.ts'
import { insertSms } from '#shared/events/sms-store.ts'
import { collect } from '#shared/leads/collect.ts'
import { isOptOut } from '#shared/leads/rules/opt-out.ts'
import { now } from '#shared/platform/clock.ts'
import type { Instant } from '#shared/platform/values/values.ts'
import type { Channel } from '#shared/stops/compliance.ts'
import { stopFromCall } from '#shared/stops/stop-from-call.ts'
import type { CallReport } from './schema.ts'

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
  said: Partial<TransferReport>,
): Milestones => {
  if ((call.transfers_told?.length ?? 0) >= MOST_TRANSFERS_TOLD) return {}
  const told: Partial<TransferReport> = { step: STEPS[type], told_time: time, time: inOurTime(call, time), ...said }
  return { transfers_told: [JSON.stringify(told)] }
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
      return { ended_time: at, duration_seconds: report.data?.duration_seconds ?? null }
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

const keepSms = async (call: Call, report: Extract<CallReport, { type: 'sms.completed' }>, rawBody: string): Promise<void> => {
  const { lead, owner, call_id, phone_number } = call
  const time = inOurTime(call, report.time)
  const { direction = null, body = null, status = null } = report.data ?? {}
  await insertSms({ sms_id: smsId(report, rawBody), lead, owner, call_id, phone_number, direction, body, status, time })
}

/** The channel on which the person must no longer be contacted: reported by the agent, or requested by the person in a text message. */
export const channelStopped = (report: CallReport): Channel | undefined => {
  if (report.type === 'dnc.requested') return report.data.channel
  return report.type === 'sms.completed' && report.data?.direction === 'inbound' && isOptOut(report.data.body ?? '') ? 'sms' : undefined
}

/** An ended call frees phone and line without waiting for its completion, which may never be reported. */
const freeEnded = async (call: Call): Promise<void> => {
  if (call.completed_time === null && call.settled_time === null) await freeLineAndPhone(call)
}

/**
 * Applies an agent's report. Reports may repeat and come in any order: the result is the same.
 * @returns the call after the report; undefined when it no longer exists
 */
export const takeReport = async (call: Call, report: CallReport, rawBody: string): Promise<Call | undefined> => {
  const at = inOurTime(call, report.time)
  if (report.type === 'call.completed') {
    const { outcome, summary, collected, appointment, is_contact, message_left, callback_time } = report.data
    return completeCall(call, {
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
  const stopped = channelStopped(report)
  if (stopped) await stopFromCall(call, stopped)
  if (report.type === 'sms.completed') await keepSms(call, report, rawBody)
  const told = await tellCall(call, {
    ...heardAt(now()),
    provider_call_id: report.provider_call_id,
    ...milestones(call, report, at),
  })
  if (report.type === 'call.ended' && told) await freeEnded(told)
  if (report.type === 'call.data_collected') await collect(call, report.data.collected, at)
  return told
}
