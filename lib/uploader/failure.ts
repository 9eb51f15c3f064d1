import * as v from 'valibot'

/** A failure whose message is a sentence for the user. */
export class UploadFailure extends Error {
  /** Milliseconds after which a retry may succeed. Undefined: it will not. */
  readonly retryAfter: number | undefined

  constructor(message: string, retryAfter?: number) {
    super(message)
    this.retryAfter = retryAfter
  }
}

/** A mistake of the user in the command. */
export class UploadMistake extends UploadFailure {}

const Reason = v.object({ message: v.string(), cause: v.optional(v.unknown()), errors: v.optional(v.array(v.unknown()), []) })

/** The text of an OpenSSL error, which holds its reason between names and numbers of OpenSSL's own code. */
const OPENSSL = /:error:[0-9A-F]+:SSL routines:[^:]*:([^:]+):/

/** The message of the innermost cause of an error. */
export const reasonOf = (error: unknown): string => {
  const parsed = v.safeParse(Reason, error)
  if (!parsed.success) return `${error}`
  const { message, cause, errors } = parsed.output
  const deeper = errors[0] ?? cause
  if (deeper !== undefined) return reasonOf(deeper)
  const [, tls] = OPENSSL.exec(message) ?? []
  return tls === undefined ? message : `no TLS connection (${tls})`
}
