import { FindSlots } from '#shared/agents/api/calendar.ts'
import { findAppointments } from '#shared/agents/appointments.ts'
import { api } from '#shared/http/api.ts'
import { ok } from '#shared/http/reply.ts'
import { CallParams, signedRequest } from './signed-request.ts'

export const handler = api({ auth: 'none', params: CallParams }, async (request) => {
  const { call, said } = await signedRequest(FindSlots, request)
  return ok({ slots: await findAppointments(call, said) })
})
