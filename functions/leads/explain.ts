import { askedAt } from '#shared/calling/api/asked-at.ts'
import { explainLead } from '#shared/calling/explain/explain.ts'
import { api } from '#shared/http/api.ts'
import { asksFor } from '#shared/http/fields/choice.ts'
import { IdParams } from '#shared/http/path-id.ts'
import { ok } from '#shared/http/reply.ts'
import { getOwnLead } from '#shared/leads/lead-store.ts'

export const handler = api({ auth: 'token', query: ['at', 'disclosures'], params: IdParams, find: getOwnLead }, async ({ found, query }) =>
  ok(await explainLead(found, askedAt(query), asksFor(query, 'disclosures'))),
)
