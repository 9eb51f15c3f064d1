import { representCall } from '#shared/domain/calling/represent-call.ts'
import { api } from '#shared/http/api.ts'
import { ok } from '#shared/http/reply.ts'
import { updateLiveCall } from '#shared/operations/live-call.ts'
import { UpdateLiveCall } from '#shared/schema/requests/update-live-call.ts'

export const handler = api({ auth: 'token', body: UpdateLiveCall }, async ({ user, body }) =>
  ok(representCall(await updateLiveCall(user.id, body))),
)
