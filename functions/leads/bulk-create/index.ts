import * as v from 'valibot'
import { api } from '#shared/http/api.ts'
import { ok } from '#shared/http/reply.ts'
import { BulkLeads } from '#shared/schema/requests/bulk.ts'
import { createAll } from './create-all.ts'
import { canBeLead } from './items.ts'

/** Only of what can become a lead: by itself, as no look at the table changes it between two runs. */
const idsFor = (body: unknown): number => v.parse(BulkLeads, body).leads.filter(canBeLead).length

export const handler = api(
  { auth: 'token', body: BulkLeads, idempotent: { reserve: idsFor } },
  async ({ user, body, reservedIds, isRepeat }) => {
    const { results, isFinished } = await createAll(user.id, body.leads, { reservedIds, isRepeat })
    return { ...ok({ results }), ...(!isFinished && { keep: false }) }
  },
)
