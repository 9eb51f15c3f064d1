import * as v from 'valibot'

/** What its user is told, in a sentence. */
export class UploadFailure extends Error {
  /** Whether it may go well a little later: milliseconds until then. Undefined: it will not. */
  readonly retryAfter: number | undefined

  constructor(message: string, retryAfter?: number) {
    super(message)
    this.retryAfter = retryAfter
  }
}

const Reason = v.object({ message: v.string(), cause: v.optional(v.unknown()), errors: v.optional(v.array(v.unknown()), []) })

/** Why something did not come about, as short as the system tells it. */
export const reasonOf = (error: unknown): string => {
  const told = v.safeParse(Reason, error)
  if (!told.success) return `${error}`
  const { message, cause, errors } = told.output
  const deeper = errors[0] ?? cause
  return deeper === undefined ? message : reasonOf(deeper)
}
