import { busy, forbidden, notFound, throttled } from '#shared/platform/values/errors.ts'
import type { Route } from '../routes/route.ts'
import { ENUMS, meaningsList } from './enums.ts'
import { EXAMPLES } from './examples/examples.ts'
import { REFUSAL_MESSAGES } from './examples/refusal-messages.ts'
import type { Json } from './operation.ts'
import { retryAfter } from './parameters.ts'
import { type Component, refTo } from './schemas.ts'

interface Refusal {
  readonly name: string
  readonly description: string
  readonly holds: readonly Component[]
  /** By a name that says what was wrong. */
  readonly examples: Readonly<Record<string, unknown>>
  readonly headers?: Json
}

const text = (description: string): Json => ({ description, schema: { type: 'string' } })

const detail: readonly Component[] = ['Detail']

const withDetail = (message: string) => ({ answer: { detail: message } })

const named = (examples: Refusal['examples']): Json =>
  Object.fromEntries(Object.entries(examples).map(([name, value]) => [name, { value }]))

const refusals: Readonly<Record<string, Refusal>> = {
  400: {
    name: 'Invalid',
    description: 'Fields are wrong (the answer names all of them), a header is malformed, or the body is not JSON.',
    holds: ['FieldErrors', 'Detail'],
    examples: {
      fields: EXAMPLES.FieldErrors,
      json: { detail: REFUSAL_MESSAGES.noJson },
    },
  },
  401: {
    name: 'Unauthenticated',
    description: 'Credentials are missing or wrong. The message tells which header to send.',
    holds: detail,
    examples: { missing: { detail: REFUSAL_MESSAGES.noKey }, wrong: { detail: REFUSAL_MESSAGES.wrongKey } },
    headers: { 'WWW-Authenticate': text('How to authenticate.') },
  },
  403: {
    name: 'Forbidden',
    description: 'You are not staff. Any request with `X-Act-As-User` needs the rights of staff, and some requests need them anyway.',
    holds: detail,
    examples: withDetail(forbidden().message),
  },
  404: {
    name: 'NotFound',
    description: 'The object, or the user in `X-Act-As-User`, does not exist, or the object is not yours.',
    holds: detail,
    examples: withDetail(notFound().message),
  },
  409: {
    name: 'InProgress',
    description: 'A request with this `Idempotency-Key` is still in progress.',
    holds: detail,
    examples: withDetail('A request with this Idempotency-Key is still in progress.'),
    headers: retryAfter('Seconds to wait.'),
  },
  413: {
    name: 'TooLarge',
    description: 'The body has more than 4 MiB.',
    holds: detail,
    examples: withDetail(REFUSAL_MESSAGES.tooLarge),
  },
  415: {
    name: 'UnsupportedMediaType',
    description: 'The content type of the body is missing or not supported. The message names the supported ones.',
    holds: detail,
    examples: withDetail(REFUSAL_MESSAGES.mediaType),
  },
  422: {
    name: 'KeyReused',
    description: 'This `Idempotency-Key` was used before with another body.',
    holds: detail,
    examples: withDetail('This Idempotency-Key was used with another request body.'),
  },
  429: {
    name: 'Throttled',
    description: 'There were more requests than allowed.',
    holds: detail,
    examples: withDetail(throttled(17).message),
    headers: retryAfter('Seconds to wait.'),
  },
  '5XX': {
    name: 'ServerError',
    description: 'The service failed, or has too much to write: 503. The request is not the cause. Send it again.',
    holds: detail,
    examples: { failed: { detail: 'A server error occurred.' }, busy: { detail: busy().message } },
    headers: retryAfter('Only with 503. Seconds to wait.'),
  },
}

/** The headers of every answer. */
export const commonHeaders: Json = {
  'X-Request-Id': { $ref: '#/components/headers/X-Request-Id' },
  'X-Warnings': { $ref: '#/components/headers/X-Warnings' },
}

/** The header of the answers that `If-None-Match` can name. */
export const tagHeader: Json = { ETag: { $ref: '#/components/headers/ETag' } }

/** The answer to `If-None-Match`. */
export const notModified: Json = {
  description: 'You have this answer already: its `ETag` was in `If-None-Match`.',
  headers: { ...commonHeaders, ...tagHeader },
}

export const headerComponents: Json = {
  'X-Request-Id': text('Id of this request in the logs of the service.'),
  'X-Warnings': text(
    `What was accepted or ignored but may surprise you, as a list of codes: \`unknown_parameter;field="limit";hint="page_size", open_lead;field="phone_number";hint="51"\`. Absent when there is nothing to say. The codes:\n\n${meaningsList(ENUMS.WarningCode)}`,
  ),
  ETag: text('Names exactly this answer. Send it in `If-None-Match` to ask whether the answer has changed.'),
  'Idempotent-Replayed': { description: 'This is the answer to an earlier request with the same key.', schema: { const: 'true' } },
}

/** The refusals, by the names that operations use for them. */
export const refusalComponents = (): Json =>
  Object.fromEntries(
    Object.values(refusals).map(({ name, description, holds, headers, examples }) => {
      const [first, ...further] = holds.map(refTo)
      const schema = further.length > 0 ? { anyOf: [first, ...further] } : first
      return [
        name,
        {
          description,
          headers: { ...commonHeaders, ...headers },
          content: { 'application/json': { schema, examples: named(examples) } },
        },
      ]
    }),
  )

/** Whether clients send the request, with an API key. Staff can send it for any user. */
export const isOfClients = ({ auth }: Pick<Route, 'auth'>): boolean => auth === 'token' || auth === 'ingestion'

/** The possible refusals of a request to a route. */
export const refusalsOf = (route: Route): Json => {
  const {
    method,
    path,
    auth,
    api: { body, mayMiss = false },
  } = route
  const token = isOfClients(route)
  const repeatable = token && method === 'POST'
  const possible = new Map([
    ['400', body !== undefined || token],
    ['401', auth !== 'none'],
    ['403', token],
    ['404', mayMiss || token || (auth !== 'agent' && auth !== 'platform' && path.includes('{'))],
    ['409', repeatable],
    ['413', body !== undefined],
    ['415', body !== undefined && token],
    ['422', repeatable],
    ['429', true],
    ['5XX', true],
  ])
  const entries = Object.entries(refusals).filter(([status]) => possible.get(status))
  return Object.fromEntries(entries.map(([status, { name }]) => [status, { $ref: `#/components/responses/${name}` }]))
}
