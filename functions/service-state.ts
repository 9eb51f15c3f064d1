import { checkStaff } from '#shared/accounts/requester.ts'
import { agentsDown } from '#shared/agents/agents-down.ts'
import { representServiceState } from '#shared/agents/api/service-state.ts'
import { api } from '#shared/http/api.ts'
import { ok } from '#shared/http/reply.ts'
import { countQueues } from '#shared/platform/queues/queue-counts.ts'

export const handler = api({ auth: 'token' }, async ({ user }) => {
  await checkStaff(user)
  const [queues, agents] = await Promise.all([countQueues(), agentsDown()])
  return ok(representServiceState({ queues, agents }))
})
