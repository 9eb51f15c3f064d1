import * as v from 'valibot'
import { getUser } from '../accounts/user-store.ts'
import type { IngestionUrl } from '../ingestion/ingestion.ts'
import { getIngestionUrl } from '../ingestion/ingestion-url-store.ts'
import { compileMapping, type Mapped } from '../ingestion/rules/compile.ts'
import { formPayload } from '../ingestion/rules/form-payload.ts'
import { leadFrom, toProvider } from '../ingestion/rules/lead-from.ts'
import { misnamedConsents } from '../ingestion/rules/misnamed-consent.ts'
import { ALL, pathReader } from '../ingestion/rules/path.ts'
import type { Reservation } from '../platform/ids/reservations.ts'
import { type Asker, askerAt } from '../platform/keys.ts'
import { logger } from '../platform/logger.ts'
import { invalid, notFound, ServiceError } from '../platform/values/errors.ts'
import type { Warning } from '../platform/values/warning.ts'
import { Dictionary, fieldErrors, isDictionary } from './fields/field.ts'
import type { Reply } from './reply.ts'
import { type ApiHandler, served } from './served.ts'
import { type Body, checkSize, readOrRefuse } from './steps/body.ts'
import { answerKeyed, type Leave, repeatKeyOf } from './steps/idempotency.ts'
import { identify } from './steps/identification.ts'
import type { Incoming } from './steps/incoming.ts'
import { countRequest } from './steps/throttling.ts'
import { withWarnings } from './warnings.ts'

/** A request to an ingestion URL, mapped to the creation of a lead. */
export interface Ingestion<Input> {
  readonly owner: number
  readonly input: Input
  /** The id of the lead that may be created. A retry with the same `Idempotency-Key` gets the same one. */
  readonly reservation: Reservation
  /** Whether an earlier run of the request may have written something already. */
  readonly isRepeat: boolean
  /** Whether the sender has shown no API key. Answers must not tell such a sender about other leads. */
  readonly isAnonymous: boolean
}

const Params = v.object({ id: v.pipe(v.string(), v.uuid(), v.toLowerCase()) })

const find = async (parameters: unknown): Promise<IngestionUrl | undefined> => {
  const named = v.safeParse(Params, parameters)
  const url = named.success ? await getIngestionUrl(named.output.id) : undefined
  // An ingestion URL of a deleted user counts as missing.
  return url && (await getUser(url.owner)) ? url : undefined
}

interface Admitted {
  readonly url: IngestionUrl
  readonly asker: Asker
  /** The staff member who acts for the asker. */
  readonly staff: number | undefined
}

/**
 * Finds the ingestion URL of a request, and who the request counts for. A URL without a token ignores credentials.
 * For an unknown URL, credentials are checked if present. This way, a missing URL and another user's URL look the same to a client with a
 * key.
 * @throws ServiceError `unauthenticated`, `throttled`, or `not_found`
 */
const admit = async ({ headers, pathParameters }: Incoming): Promise<Admitted> => {
  const url = await find(pathParameters)
  if (url && !url.token_required) {
    const asker = askerAt(url.id)
    await countRequest(asker, url.throttle)
    return { url, asker, staff: undefined }
  }
  if (!url && headers['authorization'] === undefined) throw notFound()
  const { id, staff } = await identify(headers)
  if (url?.owner !== id) throw notFound()
  return { url, asker: id, staff }
}

/** @throws ServiceError `validation` when there is nothing to map */
const payloadOf = (body: Body): Readonly<Record<string, unknown>> => {
  if (body.form) return formPayload(body.values)
  const payload = v.safeParse(Dictionary, body.values)
  if (!payload.success) throw invalid(fieldErrors(payload.issues))
  return payload.output
}

/** The keys of a payload, as a mapping names them. Deeper ones are not looked at. */
const keysOf = (payload: Readonly<Record<string, unknown>>): string[] =>
  Object.entries(payload).flatMap(([key, value]) => (isDictionary(value) ? Object.keys(value).map((inner) => `${key}.${inner}`) : [key]))

/** Keys that look like those of a consent, but are not read. Their consent would be lost without a word. */
const unreadConsents = ({ mapping }: IngestionUrl, payload: Readonly<Record<string, unknown>>): Warning[] => {
  // A mapping of the whole payload keeps every key as metadata, about which the lead has warnings.
  if (mapping.some(({ from }) => from?.includes(ALL))) return []
  const read = mapping.map(({ to, from = [] }) => ({ field: to, names: from }))
  const detail = 'The mapping does not read this key, so a consent in it is not recorded.'
  return misnamedConsents(keysOf(payload), read).map(({ name, meant }) => ({ code: 'similar_field', field: name, hint: meant, detail }))
}

/** The message without its sentences about leads that exist. */
const withoutLeads = (message: string): string => message.replace(/ Lead \d+ .*$/s, '')

/**
 * Translates errors into the provider's own fields. A sender without an API key learns nothing about other leads. A missing lead type is
 * logged, because only the operator can fix it.
 */
const byProvider = (error: unknown, url: IngestionUrl, { origins }: Mapped): unknown => {
  if (!(error instanceof ServiceError) || error.code !== 'validation') return error
  const { lead_type, ...fields } = error.fields
  const messages = Object.entries(toProvider(fields, origins))
  if (!lead_type)
    return invalid(Object.fromEntries(messages.map(([name, all]) => [name, url.token_required ? all : all.map(withoutLeads)])))
  logger.error('The lead type of an ingestion URL does not exist.', { lead_type: url.lead_type })
  const gone = 'The lead type of this ingestion URL does not exist. No lead can be created until the operator names another one.'
  return invalid({ non_field_errors: [gone] })
}

/**
 * A function behind ingestion URLs. `handle` gets the mapped request that matches the schema. The checks run in this order: configuration,
 * credentials, rate limit, size, body.
 * An `Idempotency-Key` belongs to the user, or to the URL when no token is required.
 */
export const ingestionApi = <S extends v.GenericSchema>(
  schema: S,
  handle: (ingestion: Ingestion<v.InferOutput<S>>) => Promise<Reply>,
): ApiHandler =>
  served(async (incoming) => {
    const { url, asker, staff } = await admit(incoming)
    logger.appendKeys({ user: url.owner })
    checkSize(incoming)
    const key = repeatKeyOf(incoming)
    const request = await readOrRefuse(incoming, { forms: true }, (body) => {
      const payload = payloadOf(body)
      const mapped = compileMapping(url.mapping)(pathReader(payload))
      return { mapped, input: leadFrom(schema, mapped, url.lead_type), warnings: unreadConsents(url, payload) }
    })
    const run = async ({ reservation, isRepeat }: Leave): Promise<Reply> => {
      if ('refusal' in request) throw request.refusal
      const { mapped, input, warnings } = request.value
      const given = { owner: url.owner, input, reservation: reservation(0), isRepeat, isAnonymous: !url.token_required }
      const reply = await handle(given).catch((error: unknown) => {
        throw byProvider(error, url, mapped)
      })
      return withWarnings(reply, warnings)
    }
    return answerKeyed(incoming, { asker, staff, key, body: request.body }, run)
  })
