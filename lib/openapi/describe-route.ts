import * as v from 'valibot'
import { type Route, routes } from '../routes.ts'
import { withMeanings } from './enums.ts'
import { answerExample } from './examples/of-route.ts'
import type { ApiOperation, DocumentedAnswer, Json, Parameter } from './operation.ts'
import { commonHeaders, isOfClients, refusalsOf, tagHeader } from './refusals.ts'
import { components, refTo } from './schemas.ts'
import { platformSignatures } from './security.ts'

const isRepeatable = (route: Route): boolean => isOfClients(route) && route.method === 'POST'

const isJson = ({ types = ['application/json'] }: DocumentedAnswer): boolean => types.includes('application/json')

/** Whether its answer has a tag, so that a repeat can be answered 304. */
const isTagged = ({ method, api: { answers } }: Route): boolean => {
  const found = answers[200]
  return method === 'GET' && found !== undefined && isJson(found)
}

/** Each of them alone is enough. An empty one: no credentials. */
const SECURITY: Readonly<Record<Route['auth'], readonly Json[]>> = {
  token: [{ token: [] }],
  agent: [{ agent: [] }],
  platform: Object.keys(platformSignatures).map((name) => ({ [name]: [] })),
  assistant: [{ toolToken: [] }, { telnyx: [] }],
  ingestion: [{ token: [] }, {}],
  none: [],
}

const parameterOf = (location: 'path' | 'query' | 'header', [name, { description, schema, required }]: [string, Parameter]): Json => ({
  name,
  in: location,
  ...((required || location !== 'query') && { required: true }),
  description,
  schema: withMeanings(schema),
})

const parametersOf = (route: Route, { path = {}, query = {}, headers = {} }: ApiOperation): readonly Json[] => [
  ...Object.entries(path)
    .filter(([name]) => route.path.includes(`{${name}}`))
    .map((entry) => parameterOf('path', entry)),
  ...Object.entries(query).map((entry) => parameterOf('query', entry)),
  ...Object.entries(headers).map((entry) => parameterOf('header', entry)),
  ...(isRepeatable(route) ? [{ $ref: '#/components/parameters/IdempotencyKey' }] : []),
  ...(isTagged(route) ? [{ $ref: '#/components/parameters/IfNoneMatch' }] : []),
  ...(isOfClients(route) ? [{ $ref: '#/components/parameters/ActAsUser' }] : []),
]

const bodyOf = ({ body, example, forms = false }: ApiOperation): Json | undefined => {
  if (body === undefined) return undefined
  const schema = refTo(body)
  const taken: v.GenericSchema = components[body]
  const form = { schema, encoding: { metadata: { contentType: 'application/json' } } }
  return {
    // An empty body counts as an empty dictionary.
    required: !v.is(taken, {}),
    content: {
      'application/json': { schema, ...(example !== undefined && { example }) },
      ...(forms && { 'application/x-www-form-urlencoded': form, 'multipart/form-data': form }),
    },
  }
}

/** Any request of clients may be refused because of a header, which is no field. */
const ANY_REFUSAL = { anyOf: [refTo('FieldErrors'), refTo('Detail')] }

const schemaOf = (type: string, holds: DocumentedAnswer['holds'], route: Route): Json => {
  if (holds === 'FieldErrors' && isOfClients(route)) return ANY_REFUSAL
  if (holds !== undefined) return refTo(holds)
  return { type: type === 'application/json' ? 'object' : 'string' }
}

const contentOf = (type: string, route: Route, status: string, holds: DocumentedAnswer['holds']): Json => ({
  schema: schemaOf(type, holds, route),
  ...(type === 'application/json' && { example: answerExample(route.function, status, holds) }),
})

const answerOf = (route: Route, status: string, { description, holds, headers, types = ['application/json'] }: DocumentedAnswer): Json => ({
  description,
  headers: {
    ...commonHeaders,
    ...headers,
    ...(status === '200' && isTagged(route) && tagHeader),
    ...(isRepeatable(route) && { 'Idempotent-Replayed': { $ref: '#/components/headers/Idempotent-Replayed' } }),
  },
  ...(types.length > 0 && { content: Object.fromEntries(types.map((type) => [type, contentOf(type, route, status, holds)])) }),
})

/** `leadsUpdateByMatch` for `leads/update-by-match`. Only a function's first route has the plain name. */
const nameOf = (route: Route, index: number): string => {
  const name = route.function.replaceAll(/[/-]([a-z])/g, (_, letter: string) => letter.toUpperCase())
  const first = routes.findIndex((other) => other.function === route.function) === index
  return first ? name : `${name}${route.path.includes('{') ? 'Part' : ''}${route.method.charAt(0)}${route.method.slice(1).toLowerCase()}`
}

/** The operation of a route. `index`: index of the route in the table. */
export const describeRoute = (route: Route, index: number): Json => {
  const { api: operation } = route
  const parameters = parametersOf(route, operation)
  const body = bodyOf(operation)
  return {
    operationId: nameOf(route, index),
    tags: [operation.tag],
    summary: route.summary,
    ...(operation.description !== undefined && { description: operation.description }),
    ...(parameters.length > 0 && { parameters }),
    ...(body && { requestBody: body }),
    responses: {
      ...refusalsOf(route),
      ...(isTagged(route) && { 304: { $ref: '#/components/responses/NotModified' } }),
      ...Object.fromEntries(Object.entries(operation.answers).map(([status, answer]) => [status, answerOf(route, status, answer)])),
    },
    security: SECURITY[route.auth],
  }
}
