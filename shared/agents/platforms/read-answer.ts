import * as v from 'valibot'
import { cutText } from '../../platform/values/cut-text.ts'
import type { DialAnswer, Reason } from './adapter.ts'

/** Reading what a platform sends. It may be anything: HTML, nothing, or JSON of another shape. */

/** The longest text that is parsed. A platform's own answers and events are far shorter. */
const LONGEST_TEXT = 16_000_000

/** JSON from a platform. @returns undefined when the text does not match the schema, or is too long */
export const readPlatformAnswer = <S extends v.GenericSchema>(schema: S, text: string): v.InferOutput<S> | undefined => {
  const read = v.safeParse(v.pipe(v.string(), v.maxLength(LONGEST_TEXT), v.parseJson(), schema), text)
  return read.success ? read.output : undefined
}

/** JSON of a platform's event. @throws SyntaxError when the body does not match the schema */
export const readPlatformEvent = <S extends v.GenericSchema>(schema: S, rawBody: string): v.InferOutput<S> => {
  const event = readPlatformAnswer(schema, rawBody)
  if (event === undefined) throw new SyntaxError('The body is not an event of the platform.')
  return event
}

export const isPlatformSuccess = (status: number): boolean => status >= 200 && status < 300

/** An optional field: a value of another type counts as absent, so that the rest is still read. */
export const ifPresent = <S extends v.GenericSchema>(schema: S) => v.fallback(v.nullish(schema, null), null)

/** A time in epoch milliseconds that a `Date` can hold. */
export const EpochMs = v.pipe(v.number(), v.minValue(0), v.maxValue(8.64e15))

/** The last instant that ISO 8601 shows with a year of four digits. */
export const LAST_INSTANT = Date.UTC(9999, 11, 31)

/** A time from a platform, in ISO 8601; null when the value is no valid time. */
export const foreignTime = (sent: number | string | null | undefined): string | null => {
  const instant = typeof sent === 'string' ? Date.parse(sent) : (sent ?? Number.NaN)
  return instant > 0 && instant < LAST_INSTANT ? new Date(instant).toISOString() : null
}

/** Most characters of a platform's own words that are kept. */
const LONGEST_WORDS = 300

/** The platform's own words, beside a reason of ours. */
export const ownWords = (words: string | null | undefined): Pick<Reason, 'words'> => (words ? { words: cutText(words, LONGEST_WORDS) } : {})

/** 4xx statuses that do not prove a refusal: timeout, conflict, too early, closed by the client. */
const AMBIGUOUS = new Set([408, 409, 425, 499])
/** Statuses that blame the account: credentials, payment, permission, an unknown assistant or caller number, a rate limit. */
const OF_THE_ACCOUNT = new Set([401, 402, 403, 404, 429])
/** Statuses that every call of the account gets. A 404 is not among them: it may concern the caller number of one call. */
const OF_EVERY_CALL = new Set([401, 402, 403, 429])
/** Statuses that blame the content of the request. */
const OF_THE_REQUEST = new Set([400, 405, 413, 415, 422])

export const isAccountStatus = (status: number): boolean => OF_THE_ACCOUNT.has(status)

/**
 * Whether a status is a usual refusal, for platforms that document no other 4xx status. Any other 4xx may come from a proxy between us and
 * the platform.
 */
export const isUsualRefusal = (status: number): boolean => isAccountStatus(status) || OF_THE_REQUEST.has(status)

/** Whether a status proves a refusal. A redirect does not: a proxy between us and the platform may have sent it. */
export const isAnyRefusal = (status: number): boolean => status >= 400 && status < 500 && !AMBIGUOUS.has(status)

interface Unaccepted {
  readonly platform: string
  readonly status: number
  /** The platform's error code, if there is one. */
  readonly code?: string | undefined
  /** The platform's error message, unchanged. */
  readonly words?: string | null | undefined
  /** Set when the error code or message shows what is at fault. Otherwise the HTTP status decides. */
  readonly fault?: 'number' | 'account' | 'call' | undefined
  /** Set when code or message shows whether every call of the account is refused. Otherwise the status decides. */
  readonly isWhole?: boolean | undefined
  readonly isRefusal?: (status: number) => boolean
}

/** The meaning of an answer that does not accept a dial. */
export const notAccepted = ({
  platform,
  status,
  code,
  words,
  fault,
  isWhole,
  isRefusal = isAnyRefusal,
}: Unaccepted): Exclude<DialAnswer, { kind: 'accepted' }> => {
  const answered = `${platform} answered ${status}${code === undefined ? '' : `, error ${code}`}.`
  const reason = { reason: answered, ...ownWords(words) }
  if (!isRefusal(status)) return { kind: 'unclear', ...reason }
  const blamed = fault ?? (isAccountStatus(status) ? 'account' : 'call')
  if (blamed !== 'account') return { kind: 'refused', fault: blamed, ...reason }
  return { kind: 'refused', fault: 'account', isWhole: isWhole ?? OF_EVERY_CALL.has(status), ...reason }
}

/** Our id of a call, from the query of its callback URL. */
export const callIdOf = (url: string): string | null => (URL.canParse(url) ? new URL(url).searchParams.get('call') : null)
