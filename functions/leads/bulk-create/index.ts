import * as v from 'valibot'
import { api } from '#shared/http/api.ts'
import { ok } from '#shared/http/reply.ts'
import { BulkLeads } from '#shared/schema/requests/bulk.ts'
import { createAll } from './create-all.ts'

const idsFor = (body: unknown): number => v.parse(BulkLeads, body).leads.length

export const handler = api({ auth: 'token', body: BulkLeads, idempotent: { reserve: idsFor } }, async ({ user, body, reservedIds }) =>
  ok({ results: await createAll(user.id, body.leads, reservedIds) }),
)
