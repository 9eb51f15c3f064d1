import { representLead } from '#shared/domain/leads/represent.ts'
import { api } from '#shared/http/api.ts'
import { IdParams } from '#shared/http/path-id.ts'
import { ok } from '#shared/http/reply.ts'
import { getOwnLead } from '#shared/storage/leads.ts'

export const handler = api({ auth: 'token', params: IdParams, find: getOwnLead }, async ({ found }) => ok(representLead(found)))
