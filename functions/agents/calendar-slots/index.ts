import * as v from 'valibot'
import { api } from '#shared/http/api.ts'
import { ok } from '#shared/http/reply.ts'
import { signedFields } from '#shared/http/signed-fields.ts'
import { findAppointments } from '#shared/operations/appointments.ts'
import { signedCall } from '#shared/operations/signed-call.ts'
import { FindSlots } from '#shared/schema/requests/calendar.ts'

const Params = v.object({ call_id: v.string() })

export const handler = api({ auth: 'none', params: Params }, async ({ params, rawBody, headers }) => {
  const call = await signedCall(params.call_id, { rawBody, headers })
  return ok({ slots: await findAppointments(call, signedFields(FindSlots, rawBody)) })
})
