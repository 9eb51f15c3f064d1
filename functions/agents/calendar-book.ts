import { BookSlot } from '#shared/agents/api/calendar.ts'
import { bookAppointment } from '#shared/agents/appointments.ts'
import { api } from '#shared/http/api.ts'
import { created, ok } from '#shared/http/reply.ts'
import { CallParams, signedRequest } from './signed-request.ts'

export const handler = api({ auth: 'none', params: CallParams }, async (request) => {
  const { call, said } = await signedRequest(BookSlot, request)
  const { appointment, isNew } = await bookAppointment(call, said)
  return isNew ? created({ appointment }) : ok({ appointment })
})
