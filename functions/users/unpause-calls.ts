import { UnpauseCalls } from '#shared/backlog/api/pause-calls.ts'
import { unpauseCalls } from '#shared/backlog/pause.ts'
import { api } from '#shared/http/api.ts'
import { targetUser, UserParams } from '#shared/http/target-user.ts'

export const handler = api(
  { auth: 'token', params: UserParams, find: targetUser, body: UnpauseCalls, forms: true },
  async ({ found: user }) => {
    await unpauseCalls(user.id)
    return { status: 202, body: { status: 'Outbound calls are unpaused. Calls that came due during the pause are being rescheduled.' } }
  },
)
