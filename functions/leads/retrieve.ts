import { api } from '#shared/http/api.ts'
import { IdParams } from '#shared/http/path-id.ts'
import { ok } from '#shared/http/reply.ts'
import { representLead } from '#shared/leads/api/lead-response.ts'
import { getOwnLead } from '#shared/leads/lead-store.ts'

export const handler = api({ auth: 'token', params: IdParams, find: getOwnLead }, async ({ found }) => ok(representLead(found)))
