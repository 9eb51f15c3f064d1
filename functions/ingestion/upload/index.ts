import { api } from '#shared/http/api.ts'
import { ok } from '#shared/http/reply.ts'
import { createUpload, withSourceErrors } from '#shared/operations/uploads.ts'
import { CreateUpload } from '#shared/schema/requests/create-upload.ts'

export const handler = api({ auth: 'token', body: CreateUpload, alsoRefused: withSourceErrors }, async ({ user, body }) =>
  ok(await createUpload(user.id, body)),
)
