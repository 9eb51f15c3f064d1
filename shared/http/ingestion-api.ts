import middy from '@middy/core'
import type { APIGatewayProxyResult } from 'aws-lambda'
import * as v from 'valibot'
import { getUser } from '../accounts/user-store.ts'
import type { IngestionUrl } from '../ingestion/ingestion.ts'
import { getIngestionUrl } from '../ingestion/ingestion-url-store.ts'
import { compileMapping, type Mapped } from '../ingestion/rules/compile.ts'
import { formPayload } from '../ingestion/rules/form-payload.ts'
import { leadFrom } from '../ingestion/rules/lead-from.ts'
import { pathReader } from '../ingestion/rules/path.ts'
import { toProvider } from '../ingestion/rules/to-provider.ts'
import type { Reservation } from '../platform/ids/reservations.ts'
import { type Asker, askerAt } from '../platform/keys.ts'
import { logger } from '../platform/logger.ts'
import { invalid, notFound, ServiceError } from '../platform/values/errors.ts'
import type { ApiHandler } from './api.ts'
import { Dictionary, fieldErrors } from './fields/field.ts'
import { proxyResult, type Reply } from './reply.ts'
import { authenticate } from './steps/authentication.ts'
import { type Body, checkSize, readOrRefuse } from './steps/body.ts'
import { errorReplies } from './steps/error-replies.ts'
import { answerKeyed, type Leave, repeatKeyOf } from './steps/idempotency.ts'
import { type Incoming, readIncoming } from './steps/incoming.ts'
import { requestLog } from './steps/request-log.ts'
import { checkAllowance, countRequest } from './steps/throttling.ts'

/** What came to an ingestion URL, as a request to make a lead. */
export interface Ingestion<Input> {
  readonly owner: number
  readonly input: Input
  /** The id of a lead that is created: the same one when the request is repeated with its `Idempotency-Key`. */
  readonly reservation: Reservation
  /** Whether an earlier run of the request may have written something already. */
  readonly isRepeat: boolean
}

const Params = v.object({ id: v.pipe(v.string(), v.uuid(), v.toLowerCase()) })

const find = async (parameters: unknown): Promise<IngestionUrl | undefined> => {
  const named = v.safeParse(Params, parameters)
  const url = named.success ? await getIngestionUrl(named.output.id) : undefined
  // What belonged to a user that is gone belongs to nobody.
  return url && (await getUser(url.owner)) ? url : undefined
}

/**
 * The ingestion URL that a request came to, and whom the request counts for. A URL that lets anybody in looks at no credentials. Where
 * there is none, credentials are looked at when there are some: to whoever has a key, nothing and somebody else's look the same.
 * @throws ServiceError `unauthenticated`, `throttled`, or `not_found`
 */
const admit = async ({ headers, pathParameters }: Incoming): Promise<{ readonly url: IngestionUrl; readonly asker: Asker }> => {
  const url = await find(pathParameters)
  if (url && !url.token_required) {
    const asker = askerAt(url.id)
    await countRequest(asker, url.throttle)
    return { url, asker }
  }
  if (!url && headers['authorization'] === undefined) throw notFound()
  const { id } = await authenticate(headers)
  await checkAllowance(id)
  if (url?.owner !== id) throw notFound()
  return { url, asker: id }
}

/** @throws ServiceError of validation when there is nothing to map */
const payloadOf = (body: Body): Readonly<Record<string, unknown>> => {
  if (body.form) return formPayload(body.values)
  const payload = v.safeParse(Dictionary, body.values)
  if (!payload.success) throw invalid(fieldErrors(payload.issues))
  return payload.output
}

/** A provider is told of its own fields. Of the lead type it knows nothing: that is the operator's to mend. */
const byProvider = (error: unknown, url: IngestionUrl, { origins }: Mapped): unknown => {
  if (!(error instanceof ServiceError) || error.code !== 'validation') return error
  const { lead_type, ...fields } = error.fields
  if (!lead_type) return invalid(toProvider(fields, origins))
  logger.error('The lead type of an ingestion URL is not there.', { lead_type: url.lead_type })
  const gone = 'The lead type of this ingestion URL does not exist. Nothing can be created until its operator names another one.'
  return invalid({ non_field_errors: [gone] })
}

/**
 * A function behind ingestion URLs: `handle` gets what came, mapped and of the schema, in this order: configuration, credentials,
 * allowance, size, body. An `Idempotency-Key` counts for the user, or for the URL where there is no token.
 */
export const ingestionApi = <S extends v.GenericSchema>(
  schema: S,
  handle: (ingestion: Ingestion<v.InferOutput<S>>) => Promise<Reply>,
): ApiHandler =>
  middy<unknown, APIGatewayProxyResult>(async (event: unknown) => {
    const incoming = readIncoming(event)
    const { url, asker } = await admit(incoming)
    logger.appendKeys({ user: url.owner })
    checkSize(incoming)
    const key = repeatKeyOf(incoming)
    const told = await readOrRefuse(incoming, { forms: true }, (body) => {
      const mapped = compileMapping(url.mapping)(pathReader(payloadOf(body)))
      return { mapped, input: leadFrom(schema, mapped, url.lead_type) }
    })
    const run = async ({ reservation, isRepeat }: Leave): Promise<Reply> => {
      if ('refusal' in told) throw told.refusal
      const { mapped, input } = told.value
      return handle({ owner: url.owner, input, reservation: reservation(0), isRepeat }).catch((error: unknown) => {
        throw byProvider(error, url, mapped)
      })
    }
    return proxyResult(await answerKeyed(incoming, { asker, key, body: told.body }, run))
  })
    .use(requestLog())
    .use(errorReplies())
