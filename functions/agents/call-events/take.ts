import { collect, completeCall } from '#shared/operations/complete-call.ts'
import { stopContacting } from '#shared/operations/stop.ts'
import type { Call } from '#shared/schema/call.ts'
import { type Milestones, tellCall } from '#shared/storage/calls.ts'
import type { CallReport } from './schema.ts'

/** The milestone that a report tells, if that is all it does. */
const milestones = (report: CallReport): Milestones | undefined => {
  switch (report.type) {
    case 'call.answered':
      return { answered_time: report.time }
    case 'call.transfer_initiated':
      return { transfer_initiated_time: report.time, transfer: { mode: report.data.mode, destination: report.data.destination ?? null } }
    case 'call.transfer_connected':
      return { transfer_connected_time: report.time }
    case 'call.ended':
      return { ended_time: report.time, duration_seconds: report.data.duration_seconds ?? null }
    default:
      return undefined
  }
}

/** Takes up what an agent reports. Reports may repeat and come in any order: the result is the same. */
export const takeReport = async (call: Call, report: CallReport): Promise<void> => {
  const told = milestones(report)
  if (told) {
    await tellCall(call.call_id, { ...told, provider_call_id: report.provider_call_id ?? null })
  } else if (report.type === 'call.data_collected') {
    await collect(call, report.data.collected)
  } else if (report.type === 'dnc.requested') {
    await stopContacting(call.owner, call.phone_number, call.phone_key, report.data.channel)
  } else if (report.type === 'call.completed') {
    await completeCall(call, {
      at: report.time,
      outcome: report.data.outcome,
      messageLeft: report.data.message_left ?? false,
      summary: report.data.summary ?? null,
      isContact: report.data.is_contact ?? null,
      callbackTime: report.data.callback_time ?? null,
      collected: report.data.collected ?? null,
      appointment: report.data.appointment ?? null,
    })
  }
}
