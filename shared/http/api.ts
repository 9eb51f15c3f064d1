import middy from '@middy/core'
import type { APIGatewayProxyResult, Context } from 'aws-lambda'
import * as v from 'valibot'
import { logger } from '../adapters/logger.ts'
import { invalid, notFound } from '../domain/errors.ts'
import { fieldErrors } from '../schema/fields/field.ts'
import type { Caller } from '../storage/api-keys.ts'
import { authenticate, type FindUser } from './authentication.ts'
import { checkSize, readBody } from './body.ts'
import { errorReplies } from './error-replies.ts'
import { readIncoming } from './incoming.ts'
import { proxyResult, type Reply } from './reply.ts'
import { requestLog } from './request-log.ts'

export interface ApiOptions {
  /** `token`: only for clients with an API key. */
  readonly auth: 'token' | 'none'
  /** Of the body; without it the body is not looked at. What does not fit is a 400 with the fields' messages. */
  readonly body?: v.GenericSchema
  /** Of the path's parameters; what does not fit is a 404. */
  readonly params?: v.GenericSchema
  /** Finds whose key it is. Default: in the table. */
  readonly findUser?: FindUser
}

export interface ApiRequest<User, Body, Params> {
  readonly user: User
  readonly body: Body
  readonly params: Params
  readonly query: Readonly<Record<string, string>>
  /** By names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** The body as it was sent, before any parsing. */
  readonly rawBody: string
  readonly method: string
  readonly path: string
  readonly requestId: string
}

type RequestOf<O> = ApiRequest<
  O extends { readonly auth: 'token' } ? Caller : undefined,
  O extends { readonly body: infer S extends v.GenericSchema } ? v.InferOutput<S> : undefined,
  O extends { readonly params: infer S extends v.GenericSchema } ? v.InferOutput<S> : undefined
>

export type ApiHandler = (event: unknown, context: Context) => Promise<APIGatewayProxyResult>

const readParams = (schema: v.GenericSchema, parameters: unknown): unknown => {
  const result = v.safeParse(schema, parameters)
  if (!result.success) throw notFound()
  return result.output
}

const readFields = (schema: v.GenericSchema, values: unknown): unknown => {
  const result = v.safeParse(schema, values)
  if (!result.success) throw invalid(fieldErrors(result.issues))
  return result.output
}

/**
 * A function behind API Gateway: `handle` gets a request that is authenticated and parsed, in this order: credentials,
 * size, path, body. What it throws as a ServiceError is answered as that says, anything else as a 500.
 */
export function api<const O extends ApiOptions>(options: O, handle: (request: RequestOf<O>) => Promise<Reply>): ApiHandler
export function api(
  options: ApiOptions,
  handle: (request: ApiRequest<Caller | undefined, unknown, unknown>) => Promise<Reply>,
): ApiHandler {
  return middy<unknown, APIGatewayProxyResult>(async (event: unknown) => {
    const incoming = readIncoming(event)
    const { method, path, requestId, query, headers, bytes, pathParameters } = incoming
    const user = options.auth === 'token' ? await authenticate(headers, options.findUser) : undefined
    if (user) logger.appendKeys({ user: user.id })
    checkSize(incoming)
    const params = options.params && readParams(options.params, pathParameters)
    const body = options.body && readFields(options.body, readBody(incoming))
    return proxyResult(await handle({ user, body, params, query, headers, rawBody: bytes.toString(), method, path, requestId }))
  })
    .use(requestLog())
    .use(errorReplies())
}
