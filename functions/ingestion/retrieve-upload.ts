import * as v from 'valibot'
import { api } from '#shared/http/api.ts'
import { ok } from '#shared/http/reply.ts'
import { notFound } from '#shared/platform/values/errors.ts'
import { showUpload } from '#shared/uploads/uploads.ts'

const UploadParams = v.object({ upload_id: v.pipe(v.string(), v.uuid()) })

export const handler = api({ auth: 'token', params: UploadParams }, async ({ user, params }) => {
  const upload = await showUpload(user.id, params.upload_id)
  if (!upload) throw notFound()
  return ok(upload)
})
