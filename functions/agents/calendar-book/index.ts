import * as v from 'valibot'
import { api } from '#shared/http/api.ts'
import { created, ok } from '#shared/http/reply.ts'
import { signedFields } from '#shared/http/signed-fields.ts'
import { bookAppointment } from '#shared/operations/appointments.ts'
import { signedCall } from '#shared/operations/signed-call.ts'
import { BookSlot } from '#shared/schema/requests/calendar.ts'

const Params = v.object({ call_id: v.string() })

export const handler = api({ auth: 'none', params: Params }, async ({ params, rawBody, headers }) => {
  const call = await signedCall(params.call_id, { rawBody, headers })
  const { appointment, isNew } = await bookAppointment(call, signedFields(BookSlot, rawBody))
  return isNew ? created({ appointment }) : ok({ appointment })
})
