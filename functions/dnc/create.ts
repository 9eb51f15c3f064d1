import { api } from '#shared/http/api.ts'
import { created, ok } from '#shared/http/reply.ts'
import { EnterOnList } from '#shared/stops/api/dnc.ts'
import { CHANNELS } from '#shared/stops/compliance.ts'
import { enterOnList } from '#shared/stops/dnc-list.ts'

export const handler = api({ auth: 'token', body: EnterOnList, forms: true }, async ({ user, body }) => {
  const channels = CHANNELS.filter((channel) => body[`${channel}_dnc`])
  const { entry, wasListed } = await enterOnList(user, body.phone_number, channels)
  return wasListed ? ok(entry) : created(entry)
})
