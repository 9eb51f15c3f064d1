import { representCall } from '#shared/calling/api/call.ts'
import { UpdateLiveCall } from '#shared/calling/api/update-live-call.ts'
import { updateLiveCall } from '#shared/calling/live-call.ts'
import { api } from '#shared/http/api.ts'
import { ok } from '#shared/http/reply.ts'

export const handler = api({ auth: 'token', body: UpdateLiveCall }, async ({ user, body }) =>
  ok(representCall(await updateLiveCall(user.id, body))),
)
