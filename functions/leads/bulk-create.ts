import { api } from '#shared/http/api.ts'
import { inBulkTurn } from '#shared/http/bulk-turn.ts'
import { ok } from '#shared/http/reply.ts'
import { withWarnings } from '#shared/http/warnings.ts'
import { BulkLeads } from '#shared/leads/api/bulk-request.ts'
import { createAll } from '#shared/leads/bulk/bulk-create.ts'

export const handler = api({ auth: 'token', body: BulkLeads }, async ({ user, body, reservation, isRepeat }) => {
  const { results, warnings, isFinished } = await inBulkTurn(user.id, body.leads.length, () =>
    createAll(user.id, body.leads, { reservation, isRepeat, staff: user.staff }),
  )
  return { ...withWarnings(ok({ results }), warnings), ...(!isFinished && { keep: false }) }
})
