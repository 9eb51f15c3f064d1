import { getLeadType } from '#shared/accounts/lead-type-store.ts'
import { representPreview } from '#shared/calling/api/preview.ts'
import { previewLeadType } from '#shared/calling/preview.ts'
import { api } from '#shared/http/api.ts'
import { IdParams } from '#shared/http/path-id.ts'
import { ok } from '#shared/http/reply.ts'

export const handler = api({ auth: 'token', params: IdParams, find: getLeadType }, async ({ found }) =>
  ok(representPreview(found.id, await previewLeadType(found))),
)
