import { api } from '#shared/http/api.ts'
import { inBulkTurn } from '#shared/http/bulk-turn.ts'
import { withWarnings } from '#shared/http/warnings.ts'
import { BulkLeads } from '#shared/leads/api/bulk-request.ts'
import { acceptUpdates, type BulkUpdateAnswer, readLeadUpdate } from '#shared/leads/bulk/bulk-update.ts'

const represent = (answer: BulkUpdateAnswer) =>
  'task' in answer
    ? { id: answer.task.lead, action: 'queued', task_id: answer.task.task_id }
    : { id: null, action: 'error', error: answer.error }

export const handler = api({ auth: 'token', body: BulkLeads }, async ({ user, body }) => {
  const { answers, warnings } = await inBulkTurn(user.id, body.leads.length, async () =>
    acceptUpdates(user, await Promise.all(body.leads.map((item) => readLeadUpdate(user.id, item)))),
  )
  return withWarnings({ status: 202, body: { results: answers.map(represent) } }, warnings)
})
