import { api } from '#shared/http/api.ts'
import { ok } from '#shared/http/reply.ts'
import { CreateUpload } from '#shared/uploads/api/upload.ts'
import { createUpload, withSourceErrors } from '#shared/uploads/uploads.ts'

export const handler = api({ auth: 'token', body: CreateUpload, alsoRefused: withSourceErrors }, async ({ user, body }) =>
  ok(await createUpload(user, body)),
)
