import { representLeadType } from '#shared/domain/lead-types/represent-lead-type.ts'
import { api } from '#shared/http/api.ts'
import { IdParams } from '#shared/http/path-id.ts'
import { ok } from '#shared/http/reply.ts'
import { getLeadType } from '#shared/storage/lead-types.ts'

export const handler = api({ auth: 'token', params: IdParams, find: getLeadType }, async ({ found }) => ok(representLeadType(found)))
