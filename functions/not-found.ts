import { api } from '#shared/http/api.ts'
import { findKnownPath } from '#shared/http/known-path.ts'
import { pathHelp } from '#shared/http/likely-path.ts'
import { authenticate } from '#shared/http/steps/authentication.ts'
import { refusalReply } from '#shared/http/steps/error-replies.ts'
import { unknownParameters, withWarnings } from '#shared/http/warnings.ts'
import { setting } from '#shared/platform/environment.ts'
import { methodNotAllowed, unknownPath } from '#shared/platform/values/errors.ts'

/**
 * Answers every request without a route. Anybody may learn that a path is unknown. The methods of a client's path are told only to clients,
 * also by `OPTIONS`.
 */
export const handler = api({ auth: 'none', query: 'any' }, async ({ method, path, headers, query }) => {
  const routes = setting('ROUTES')
  const known = findKnownPath(routes, path)
  if (!known) throw unknownPath(pathHelp(routes, path))
  if (known.needsToken) await authenticate(headers)
  const reply =
    method === 'OPTIONS'
      ? { status: 204, headers: { Allow: known.methods.join(', ') } }
      : refusalReply(methodNotAllowed(method, known.methods))
  return withWarnings(reply, unknownParameters(Object.keys(query), known.query))
})
