import { api } from '#shared/http/api.ts'
import { inBulkTurn } from '#shared/http/bulk-turn.ts'
import { ok } from '#shared/http/reply.ts'
import { BulkLeads } from '#shared/leads/api/bulk-request.ts'
import { createAll } from '#shared/leads/bulk/bulk-create.ts'

export const handler = api({ auth: 'token', body: BulkLeads }, async ({ user, body, reservation, isRepeat }) => {
  const { results, isFinished } = await inBulkTurn(user.id, body.leads.length, () =>
    createAll(user.id, body.leads, { reservation, isRepeat }),
  )
  return { ...ok({ results }), ...(!isFinished && { keep: false }) }
})
