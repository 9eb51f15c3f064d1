import * as v from 'valibot'
import type { Requester } from '../accounts/requester.ts'
import type { Reservation } from '../platform/ids/reservations.ts'
import { type FieldErrors, invalid, notFound, type ServiceError } from '../platform/values/errors.ts'
import type { Instant } from '../platform/values/values.ts'
import { isDictionary } from './fields/field.ts'
import type { Reply } from './reply.ts'
import { type ApiHandler, served } from './served.ts'
import { type Body, checkSize, type ReadBody, readOrRefuse } from './steps/body.ts'
import { orRefusal } from './steps/error-replies.ts'
import { readFields } from './steps/fields.ts'
import { answerKeyed, type Leave, leaveOnce, repeatKeyOf } from './steps/idempotency.ts'
import { identify } from './steps/identification.ts'
import type { Incoming } from './steps/incoming.ts'
import { queryWarnings, withWarnings } from './warnings.ts'

export interface ApiOptions {
  /** `token`: only clients with an API key are served. */
  readonly auth: 'token' | 'none'
  /** The schema of the body; without it, the body is not read. A mismatch is a 400 with messages per field. */
  readonly body?: v.GenericSchema
  /** The query parameters that the route takes. Others are ignored, and a warning says so. `any`: without a warning. Default: none. */
  readonly query?: readonly string[] | 'any'
  /** Adds errors of a refused body that only the table shows, so that one answer reports all failing fields. */
  readonly alsoRefused?: (owner: number, body: Readonly<Record<string, unknown>>, errors: FieldErrors) => Promise<FieldErrors>
  /** Whether the body may be a form. Default: only JSON. */
  readonly forms?: boolean
  /** The schema of the path's parameters. A mismatch is a 404. */
  readonly params?: v.GenericSchema
  /**
   * Finds the caller's object that the path's `id` names. Undefined is a 404, whatever the body holds. Required with both `params` and
   * `body`. `params`: all of them, for a path with more than an id.
   */
  readonly find?: (owner: number, id: number, params: unknown, requester: Requester) => Promise<unknown>
}

export interface ApiRequest<User, Body, Params, Found = undefined>
  extends Pick<Incoming, 'query' | 'queryLists' | 'headers' | 'method' | 'path' | 'url' | 'requestId'> {
  readonly user: User
  readonly body: Body
  readonly params: Params
  readonly found: Found
  /** The body as it was sent, before any parsing. */
  readonly rawBody: string
  /**
   * Ids of the objects that the request creates, by their index in the request. A retry with the same `Idempotency-Key` gets the same ones.
   */
  readonly reservation: (place: number) => Reservation
  /** Whether an earlier run of the request may have created some of them already. */
  readonly isRepeat: boolean
  /** When the first run of the request began, to the second. A retry gets the same value. */
  readonly began: Instant
}

type RequestOf<O> = ApiRequest<
  O extends { readonly auth: 'token' } ? Requester : undefined,
  O extends { readonly body: infer S extends v.GenericSchema } ? v.InferOutput<S> : undefined,
  O extends { readonly params: infer S extends v.GenericSchema } ? v.InferOutput<S> : undefined,
  O extends { readonly find: (owner: number, id: number, params: unknown, requester: Requester) => Promise<infer F> }
    ? Exclude<F, undefined>
    : undefined
>

const readParams = (schema: v.GenericSchema, parameters: unknown): unknown => {
  const result = v.safeParse(schema, parameters)
  if (!result.success) throw notFound()
  return result.output
}

const Named = v.object({ id: v.number() })

const Owned = v.object({ owner: v.number() })

const findNamed = async (find: NonNullable<ApiOptions['find']>, user: Requester | undefined, params: unknown): Promise<unknown> => {
  if (!user) throw new Error('A route with `find` must authenticate a user.')
  const found = await find(user.id, v.parse(Named, params).id, params, user)
  // Never trust `find` alone: with a function that ignores the owner, a route would show the objects of others.
  if (found === undefined || (v.is(Owned, found) && found.owner !== user.id)) throw notFound()
  return found
}

/** Adds the errors that only the table shows to those of the body itself. */
const withAllErrors = async (refusal: ServiceError, body: Body | undefined, user: Requester | undefined, { alsoRefused }: ApiOptions) => {
  if (refusal.code !== 'validation' || !alsoRefused || !user || !isDictionary(body?.values)) return refusal
  return invalid(await alsoRefused(user.id, body.values, refusal.fields))
}

const read = async (incoming: Incoming, { body: schema, forms = false }: ApiOptions): Promise<ReadBody<unknown>> =>
  schema ? readOrRefuse(incoming, { forms }, (body) => readFields(schema, body)) : { body: undefined, value: undefined }

/**
 * A function behind API Gateway. `handle` gets an authenticated, parsed request. The checks run in this order: credentials, rate limit,
 * size, path, body.
 * A client's POST with an `Idempotency-Key` runs once, and its repeats get the stored answer.
 * A thrown ServiceError sets the answer; any other error is a 500.
 */
export function api<const O extends ApiOptions>(options: O, handle: (request: RequestOf<O>) => Promise<Reply>): ApiHandler
export function api(
  options: ApiOptions,
  handle: (request: ApiRequest<Requester | undefined, unknown, unknown, unknown>) => Promise<Reply>,
): ApiHandler {
  if (options.params && options.body && !options.find) throw new Error('A route with path parameters and a body must set `find`.')
  const answer = async (incoming: Incoming): Promise<Reply> => {
    const user = options.auth === 'none' ? undefined : await identify(incoming.headers)
    checkSize(incoming)
    const params = options.params && readParams(options.params, incoming.pathParameters)
    const found = options.find && (await findNamed(options.find, user, params))
    const key = user && repeatKeyOf(incoming)
    const request = await read(incoming, options)
    const run = async (leave: Leave): Promise<Reply> => {
      if ('refusal' in request) throw await withAllErrors(request.refusal, request.body, user, options)
      const { bytes, pathParameters: _, ...rest } = incoming
      return handle({ ...rest, user, params, found, body: request.value, rawBody: bytes.toString(), ...leave })
    }
    return user ? answerKeyed(incoming, { asker: user.id, staff: user.staff, key, body: request.body }, run) : run(leaveOnce())
  }
  const { query = [] } = options
  return served(async (incoming) => {
    const reply = await orRefusal(() => answer(incoming))
    return query === 'any' ? reply : withWarnings(reply, queryWarnings(incoming.query, query))
  })
}
