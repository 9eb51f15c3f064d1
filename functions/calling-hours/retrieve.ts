import { knownUser } from '#shared/accounts/user-store.ts'
import { askedAt } from '#shared/calling/api/asked-at.ts'
import { representStateHours } from '#shared/calling/api/state-hours.ts'
import { callingPolicy } from '#shared/calling/calling-policy.ts'
import { stateHours } from '#shared/calling/rules/hours/state-hours.ts'
import { api } from '#shared/http/api.ts'
import { ok } from '#shared/http/reply.ts'
import { now } from '#shared/platform/clock.ts'

export const handler = api({ auth: 'token', query: ['at'] }, async ({ user, query }) => {
  const at = askedAt(query) ?? now()
  const policy = await callingPolicy(await knownUser(user.id))
  return ok(representStateHours(at, stateHours(policy, at)))
})
