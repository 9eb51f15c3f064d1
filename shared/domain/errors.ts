export type ErrorCode =
  | 'validation'
  | 'parse'
  | 'unauthenticated'
  | 'forbidden'
  | 'not_found'
  | 'method_not_allowed'
  | 'conflict'
  | 'too_large'
  | 'unsupported_media_type'
  | 'throttled'

/** Messages by field; what concerns no single field stands under `non_field_errors`. */
export type FieldErrors = Readonly<Record<string, readonly string[]>>

/** What a request was refused for. Its message and fields are shown to the client as they are. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError'
  readonly code: ErrorCode
  /** Only of `validation`. */
  readonly fields: FieldErrors
  /** Only of `method_not_allowed`: the methods that the path knows. */
  readonly allowed: readonly string[]

  constructor(code: ErrorCode, message: string, { fields = {}, allowed = [] }: { fields?: FieldErrors; allowed?: readonly string[] } = {}) {
    super(message)
    this.code = code
    this.fields = fields
    this.allowed = allowed
  }
}

export const invalid = (fields: FieldErrors): ServiceError => new ServiceError('validation', 'Invalid input.', { fields })

/** Also what belongs to somebody else: the two are never told apart. */
export const notFound = (): ServiceError => new ServiceError('not_found', 'Not found.')

export const unauthenticated = (message: string): ServiceError => new ServiceError('unauthenticated', message)

export const methodNotAllowed = (method: string, allowed: readonly string[]): ServiceError =>
  new ServiceError('method_not_allowed', `Method "${method}" not allowed.`, { allowed })
