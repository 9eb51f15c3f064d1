import { api } from '#shared/http/api.ts'
import { asksFor } from '#shared/http/fields/choice.ts'
import { askedPhone } from '#shared/http/fields/phone.ts'
import { ok } from '#shared/http/reply.ts'
import { representPastStop } from '#shared/stops/api/dnc.ts'
import { lookUpOnList, pastStops } from '#shared/stops/dnc-list.ts'

export const handler = api({ auth: 'token', query: ['phone_number', 'history'] }, async ({ user, query }) => {
  const phoneNumber = askedPhone(query)
  const withHistory = asksFor(query, 'history')
  const found = await lookUpOnList(user.id, phoneNumber)
  if (!withHistory) return ok(found)
  const past = await pastStops(user.id, phoneNumber)
  return ok({ ...found, history: past.map((stop) => representPastStop(stop, user.id)) })
})
