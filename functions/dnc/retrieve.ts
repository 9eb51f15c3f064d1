import { api } from '#shared/http/api.ts'
import { askedPhone } from '#shared/http/fields/phone.ts'
import { ok } from '#shared/http/reply.ts'
import { lookUpOnList } from '#shared/stops/dnc-list.ts'

export const handler = api({ auth: 'token', query: ['phone_number'] }, async ({ user, query }) =>
  ok(await lookUpOnList(user.id, askedPhone(query))),
)
