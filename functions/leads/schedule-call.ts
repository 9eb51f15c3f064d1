import { shownCall } from '#shared/backlog/rules/holders.ts'
import { ScheduleCall } from '#shared/calling/api/schedule-call.ts'
import { type Scheduled, scheduleCall } from '#shared/calling/schedule-call.ts'
import { api } from '#shared/http/api.ts'
import { IdParams } from '#shared/http/path-id.ts'
import { ok } from '#shared/http/reply.ts'
import { getOwnLead } from '#shared/leads/lead-store.ts'
import { formatOptional } from '#shared/platform/values/time.ts'

const represent = ({ lead, isScheduled, detail }: Scheduled) => {
  const { next_call_time, next_call_time_reason } = shownCall(lead)
  return { id: lead.id, scheduled: isScheduled, next_call_time: formatOptional(next_call_time), next_call_time_reason, detail }
}

export const handler = api(
  { auth: 'token', params: IdParams, find: getOwnLead, body: ScheduleCall, forms: true },
  async ({ user, params, body }) => ok(represent(await scheduleCall(user.id, params.id, body.call_time))),
)
