import { PauseCalls } from '#shared/backlog/api/pause-calls.ts'
import { pauseCalls } from '#shared/backlog/pause.ts'
import { api } from '#shared/http/api.ts'
import { targetUser, UserParams } from '#shared/http/target-user.ts'

const ALL = 'Outbound calls are paused until they are unpaused.'
const EXISTING = 'Outbound calls to the existing leads are paused until they are unpaused.'

export const handler = api(
  { auth: 'token', params: UserParams, find: targetUser, body: PauseCalls, forms: true },
  async ({ found: user, body: { only_existing_leads: onlyExisting } }) => {
    await pauseCalls(user.id, { onlyExisting })
    return { status: 202, body: { status: onlyExisting ? EXISTING : ALL } }
  },
)
