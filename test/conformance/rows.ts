import { expect } from '@jest/globals'

/**
 * Texts in braces are filled in, in requests and in expected answers. `{phone}`, `{phone2}` and `{text}` are unique to the row. `{lead}`
 * (same as `{made}`), `{task}` and `{upload}` come from the answer to the last `given` request.
 */
export type Filling = Readonly<Record<string, string | number>>

export type Fields = Readonly<Record<string, string>>

export type Body =
  | { readonly json: unknown }
  /** Sent unchanged, with content type `type`. Default: JSON. */
  | { readonly raw: string | Uint8Array; readonly type?: string | null }
  | { readonly urlencoded: Fields }
  | { readonly multipart: Fields }

export interface Request {
  /** Method and path, such as `POST /api/leads/`. */
  readonly ask: string
  readonly body?: Body
  /** `authorization: null` sends no such header. */
  readonly headers?: Readonly<Record<string, string | null>>
  readonly as?: 'other' | 'staff'
}

/** A request to prepare the row. It must succeed, unless `status` is another status. */
export interface Given extends Request {
  readonly status?: number
}

export interface Row extends Request {
  readonly name: string
  readonly given?: readonly Given[]
  readonly status: number
  /** The whole body. Undefined when there is none. ` …` in a text stands for the help that follows its words. */
  readonly answer?: unknown
  /** Null when the header must be absent. */
  readonly answerHeaders?: Readonly<Record<string, string | null | RegExp>>
}

export const json = (value: unknown): Body => ({ json: value })

/** Early morning there during the tests, so that the lead is not called. */
export const HONOLULU = 'Pacific/Honolulu'
const EIGHT_IN_HONOLULU = '2026-11-20T18:00:00.000000+00:00'

/** The smallest create, for a lead that is not called. */
export const NEW = { phone_number: '{phone}', metadata: { timezone: HONOLULU } }

const TIME: unknown = expect.stringMatching(/^2026-11-20T\d\d:\d\d:\d\d\.\d{3}000\+00:00$/)
export const ID: unknown = expect.any(Number)
const CREATED_AT: unknown = expect.stringMatching(/^11\/20\/2026 \d\d:\d\d$/)

interface Changes {
  readonly metadata?: Readonly<Record<string, unknown>>
  readonly [field: string]: unknown
}

/** A lead as the API shows it: created from `NEW`, with `changes`. */
export const lead = ({ metadata = { timezone: HONOLULU }, ...changes }: Changes = {}) => {
  const fields = { email: null, phone_number: '{phone}', lead_source: '', external_id: null, ...changes }
  const { phone_number, email, lead_source, external_id } = fields
  return {
    id: ID,
    modified_time: TIME,
    created_time: TIME,
    status: 'OPEN',
    status_detail: null,
    status_reason: 'UNKNOWN',
    lead_type: '{leadType}',
    representative: null,
    us_state: null,
    next_call_time: EIGHT_IN_HONOLULU,
    next_call_time_reason: 'FIRST_CALL',
    received_time: TIME,
    reengagements_count: 0,
    last_reengagement_time: null,
    call_schedule_start_time: null,
    sms_dnc: false,
    call_dnc: false,
    ...fields,
    metadata: { ...metadata, phone_number, email, lead_source, external_id, created_at: CREATED_AT },
  }
}

/** Fields of a lead without a next call. */
export const NO_CALL = { next_call_time: null, next_call_time_reason: null }

export const createLead: Request = { ask: 'POST /api/leads/', body: json(NEW) }

type Refusal = readonly [name: string, fields: Readonly<Record<string, unknown>>, answer: Readonly<Record<string, readonly string[]>>]

/** Creates that are refused for their fields. Each has a valid phone, unless it sets one. */
export const refusedCreates = (refusals: readonly Refusal[]): Row[] =>
  refusals.map(([name, fields, answer]) => ({
    name,
    ask: 'POST /api/leads/',
    body: json({ phone_number: '{phone}', ...fields }),
    status: 400,
    answer,
  }))

/** Updates of a new lead that are refused for their fields. */
export const refusedUpdates = (refusals: readonly Refusal[]): Row[] =>
  refusals.map(([name, fields, answer]) => ({
    name,
    given: [createLead],
    ask: 'PATCH /api/leads/{lead}/',
    body: json(fields),
    status: 400,
    answer,
  }))

type Success = readonly [name: string, sent: Readonly<Record<string, unknown>>, shown: Changes]

/** Creates that succeed: fields to add to `NEW`, and how the lead shows them. */
export const creates = (successes: readonly Success[]): Row[] =>
  successes.map(([name, sent, shown]) => ({
    name,
    ask: 'POST /api/leads/',
    body: json({ ...NEW, ...sent }),
    status: 201,
    answer: lead(shown),
  }))

/** Updates of a new lead that succeed. */
export const updates = (successes: readonly Success[]): Row[] =>
  successes.map(([name, sent, shown]) => ({
    name,
    given: [createLead],
    ask: 'PATCH /api/leads/{lead}/',
    body: json(sent),
    status: 200,
    answer: lead({ id: '{lead}', status_reason: 'UNKNOWN', ...shown }),
  }))
