import { getUser } from '#shared/accounts/user-store.ts'
import { agentsDown } from '#shared/agents/agents-down.ts'
import { representServiceState } from '#shared/agents/api/service-state.ts'
import { api } from '#shared/http/api.ts'
import { ok } from '#shared/http/reply.ts'
import { countQueues } from '#shared/platform/queues/queue-counts.ts'
import { forbidden } from '#shared/platform/values/errors.ts'

export const handler = api({ auth: 'token' }, async ({ user }) => {
  if (!(await getUser(user.id))?.is_staff) throw forbidden()
  const [queues, agents] = await Promise.all([countQueues(), agentsDown()])
  return ok(representServiceState({ queues, agents }))
})
