import { routes } from '../routes.ts'
import { agentWebhooks } from './agent-webhooks.ts'
import { describeRoute } from './describe-route.ts'
import { eventWebhooks, webhookAnswers, webhookHeaders } from './events.ts'
import type { Json } from './operation.ts'
import { headerComponents, notModified, refusalComponents } from './refusals.ts'
import { jsonSchemas } from './schemas.ts'
import { securitySchemes } from './security.ts'

/** Version of the interface, not of the software. */
const VERSION = '1.0.2'

const ABOUT = `Stores sales leads, has an automated voice agent call them, and reports to your systems what happened.

Every path ends with a slash, which you may leave out. A method that a path does not have returns 405, with the allowed methods in
\`Allow\`. Datetimes are ISO 8601. Without an offset they count as UTC. Datetimes in answers have the offset of the deployment's time zone:
UTC, unless the operator sets another one.

You can send your own keys with a lead. They go into its \`metadata\`. All other requests of clients refuse unknown fields. The error
suggests the nearest known field, so you notice a misspelt option.

An error message begins with the words of Django REST Framework. Sentences that help people may follow in the same text, and may change.`

const idempotencyKey = {
  name: 'Idempotency-Key',
  in: 'header',
  description: 'Any text of your own, for instance a UUID. The same request with the same key is handled once within 24 hours.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
}

const actAsUser = {
  name: 'X-Act-As-User',
  in: 'header',
  description:
    'Only for staff: id of the user for whom the request is made. It is handled as if this user had sent it, without the rights of staff. It counts for your own allowance.',
  schema: { type: 'integer', minimum: 1, maximum: 2 ** 31 - 1 },
}

const ifNoneMatch = {
  name: 'If-None-Match',
  in: 'header',
  description: 'The `ETag` of an earlier answer, or several. If one of them is still right, the answer is 304 without a body.',
  schema: { type: 'string' },
}

/** The OpenAPI document of the table of routes. It names no server. */
export const openApiDocument = (): Json => {
  const paths = Map.groupBy(
    routes.map((route, index) => ({ route, operation: describeRoute(route, index) })),
    ({ route }) => route.path,
  )
  return {
    openapi: '3.1.1',
    info: { title: 'Lead Outreach Service', version: VERSION, description: ABOUT, license: { name: 'MIT', identifier: 'MIT' } },
    tags: [...new Set([...routes.map(({ api }) => api.tag), 'Events'])].map((name) => ({ name })),
    paths: Object.fromEntries(
      [...paths].map(([path, entries]) => [
        path,
        Object.fromEntries(entries.map(({ route, operation }) => [route.method.toLowerCase(), operation])),
      ]),
    ),
    webhooks: { ...eventWebhooks(), ...agentWebhooks },
    components: {
      schemas: jsonSchemas(),
      responses: { ...refusalComponents(), NotModified: notModified, ...webhookAnswers },
      headers: headerComponents,
      parameters: { IdempotencyKey: idempotencyKey, IfNoneMatch: ifNoneMatch, ActAsUser: actAsUser, ...webhookHeaders },
      securitySchemes,
    },
  }
}
