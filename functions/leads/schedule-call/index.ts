import { shownCall } from '#shared/domain/calling/holders.ts'
import { formatOptional } from '#shared/domain/time.ts'
import { api } from '#shared/http/api.ts'
import { IdParams } from '#shared/http/path-id.ts'
import { ok } from '#shared/http/reply.ts'
import { type Scheduled, scheduleCall } from '#shared/operations/schedule-call.ts'
import { ScheduleCall } from '#shared/schema/requests/schedule-call.ts'
import { getOwnLead } from '#shared/storage/leads.ts'

const represent = ({ lead, isScheduled, detail }: Scheduled) => {
  const { next_call_time, next_call_time_reason } = shownCall(lead)
  return { id: lead.id, scheduled: isScheduled, next_call_time: formatOptional(next_call_time), next_call_time_reason, detail }
}

export const handler = api(
  { auth: 'token', params: IdParams, find: getOwnLead, body: ScheduleCall, forms: true },
  async ({ user, params, body }) => ok(represent(await scheduleCall(user.id, params.id, body.call_time))),
)
