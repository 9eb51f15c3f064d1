export type ErrorCode =
  | 'validation'
  | 'parse'
  | 'unauthenticated'
  | 'unsigned'
  | 'forbidden'
  | 'not_found'
  | 'method_not_allowed'
  | 'conflict'
  | 'too_large'
  | 'unsupported_media_type'
  | 'unprocessable'
  | 'throttled'
  | 'failed_dependency'
  | 'unavailable'

/** Messages by field. Messages about no single field are under `non_field_errors`. */
export type FieldErrors = Readonly<Record<string, readonly string[]>>

/** Why a request is refused. The client sees its message and fields unchanged. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError'
  readonly code: ErrorCode
  /** Only for `validation`. */
  readonly fields: FieldErrors
  /** Only for `method_not_allowed`: the allowed methods of the path. */
  readonly allowed: readonly string[]
  /** Seconds until the client may ask again. 0: unknown, or a repeat would not help. */
  readonly retryAfter: number

  constructor(
    code: ErrorCode,
    message: string,
    { fields = {}, allowed = [], retryAfter = 0 }: { fields?: FieldErrors; allowed?: readonly string[]; retryAfter?: number } = {},
  ) {
    super(message)
    this.code = code
    this.fields = fields
    this.allowed = allowed
    this.retryAfter = retryAfter
  }
}

export const invalid = (fields: FieldErrors): ServiceError => new ServiceError('validation', 'Invalid input.', { fields })

export const forbidden = (): ServiceError => new ServiceError('forbidden', 'You do not have permission to perform this action.')

/** Also for things of other users: clients cannot tell the difference. */
export const notFound = (): ServiceError => new ServiceError('not_found', 'Not found.')

/** For a path that no route has. `help`: sentences that tell which paths there are. */
export const unknownPath = (help: string): ServiceError => new ServiceError('not_found', `Not found. ${help}`)

export const unauthenticated = (message: string): ServiceError => new ServiceError('unauthenticated', message)

/** For a voice agent's request. A call or number that nobody can sign for looks the same as a wrong signature. */
export const unsigned = (): ServiceError => new ServiceError('unsigned', 'Invalid signature.')

export const methodNotAllowed = (method: string, allowed: readonly string[]): ServiceError =>
  new ServiceError('method_not_allowed', `Method "${method}" not allowed. Allowed here: ${allowed.join(', ')}.`, { allowed })

/** For a repeat of a request that is still being handled. Its `Retry-After` tells it from a refusal, which a repeat would override. */
export const inProgress = (message: string): ServiceError => new ServiceError('conflict', message, { retryAfter: 1 })

export const throttled = (seconds: number): ServiceError =>
  new ServiceError('throttled', `Request was throttled. Expected available in ${seconds} seconds.`, { retryAfter: seconds })

/** Seconds. The table's limits hold for one second each. Some more spread the requests that wait. */
const BUSY_SECONDS = 5

/** When the table takes no more requests. */
export const busy = (): ServiceError =>
  new ServiceError('unavailable', `The service has too much to write at the moment. Please send this again in ${BUSY_SECONDS} seconds.`, {
    retryAfter: BUSY_SECONDS,
  })
