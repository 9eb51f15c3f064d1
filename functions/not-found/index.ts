import { api } from '#shared/http/api.ts'
import { findKnownPath } from '#shared/http/known-path.ts'
import { authenticate } from '#shared/http/steps/authentication.ts'
import { setting } from '#shared/platform/environment.ts'
import { methodNotAllowed, notFound } from '#shared/platform/values/errors.ts'

/** Whatever no route serves. A path that none has is told to anybody, what a path allows only to clients: as `OPTIONS` asks. */
export const handler = api({ auth: 'none' }, async ({ method, path, headers }) => {
  const known = findKnownPath(setting('ROUTES'), path)
  if (!known) throw notFound()
  if (known.needsToken) await authenticate(headers)
  if (method === 'OPTIONS') return { status: 204, headers: { Allow: known.methods.join(', ') } }
  throw methodNotAllowed(method, known.methods)
})
