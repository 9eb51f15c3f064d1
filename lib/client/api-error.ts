/** The service accepted something that may surprise the sender. The API document explains the codes. */
export interface ApiWarning {
  readonly code: string
  readonly field?: string
  readonly hint?: string
}

const ITEM = /([a-z_]+)((?:;[a-z]+="(?:[^"\\]|\\.)*")*)(?:, *|$)/g
const PARAMETER = /;([a-z]+)="((?:[^"\\]|\\.)*)"/g

/** The warnings of the header `X-Warnings`. */
export const readWarnings = (header: string | null): ApiWarning[] =>
  [...(header ?? '').matchAll(ITEM)].map(([, code = '', parameters = '']) => ({
    code,
    ...Object.fromEntries([...parameters.matchAll(PARAMETER)].map(([, name = '', value = '']) => [name, value.replace(/\\(.)/g, '$1')])),
  }))

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

const isTexts = (value: unknown): value is string[] => Array.isArray(value) && value.every((text) => typeof text === 'string')

const fieldsOf = (body: unknown): Record<string, readonly string[]> =>
  Object.fromEntries(Object.entries(isObject(body) ? body : {}).flatMap(([name, value]) => (isTexts(value) ? [[name, value]] : [])))

const detailOf = (body: unknown): string | undefined =>
  isObject(body) && 'detail' in body && typeof body.detail === 'string' ? body.detail : undefined

const secondsOf = (text: string | null): number | undefined => (text !== null && /^\d+$/.test(text) ? Number(text) : undefined)

/** The service refused the request, or failed. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly status: number
  /** The sentence of an error that is about no field. */
  readonly detail: string | undefined
  /** Messages by the name of the field. `non_field_errors` are about several fields. */
  readonly fields: Readonly<Record<string, readonly string[]>>
  readonly warnings: readonly ApiWarning[]
  /** Tells the operator which request it was. */
  readonly requestId: string | undefined
  readonly retryAfterSeconds: number | undefined
  /** The whole body: parsed if it is JSON. */
  readonly body: unknown

  constructor(operation: string, { status, headers }: Pick<Response, 'status' | 'headers'>, body: unknown) {
    const fields = fieldsOf(body)
    const detail = detailOf(body)
    const said =
      detail ??
      Object.entries(fields)
        .map(([name, texts]) => `${name}: ${texts.join(' ')}`)
        .join(' ')
    super(`${operation} was answered ${status}${said === '' ? '.' : `: ${said}`}`)
    this.status = status
    this.detail = detail
    this.fields = fields
    this.warnings = readWarnings(headers.get('x-warnings'))
    this.requestId = headers.get('x-request-id') ?? undefined
    this.retryAfterSeconds = secondsOf(headers.get('retry-after'))
    this.body = body
  }
}

const messageOf = (failure: unknown): string => (isObject(failure) && 'message' in failure ? String(failure.message) : String(failure))

/** `fetch failed` alone helps nobody: its cause tells why. */
const reasonOf = (failure: unknown): string => {
  const cause = isObject(failure) && 'cause' in failure && isObject(failure.cause) ? messageOf(failure.cause) : ''
  return cause === '' ? messageOf(failure) : `${messageOf(failure)}: ${cause}`
}

/** No answer came: the service was not reached, or took too long. It may have handled the request. */
export class NoAnswerError extends Error {
  override readonly name = 'NoAnswerError'
  /** `METHOD /path/`. Only a request that changes something leaves open whether it did. */
  readonly operation: string

  constructor(operation: string, attempts: number, cause: unknown) {
    super(`${operation} got no answer (attempts: ${attempts}): ${reasonOf(cause)}`, { cause })
    this.operation = operation
  }
}
