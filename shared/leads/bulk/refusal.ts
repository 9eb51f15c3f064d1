import { ServiceError } from '../../platform/values/errors.ts'

/** The error text of a bulk item. For validation errors: `field: message` pairs joined by `; `. */
export const refusalText = ({ code, fields, message }: ServiceError): string =>
  code === 'validation'
    ? Object.entries(fields)
        .flatMap(([name, messages]) => messages.map((text) => `${name}: ${text}`))
        .join('; ')
    : message

/** Awaits work that may be refused. @returns the reason, or null when it succeeds. @throws every other error */
export const refusalReason = async (work: Promise<unknown>): Promise<string | null> => {
  try {
    await work
    return null
  } catch (error) {
    if (error instanceof ServiceError) return refusalText(error)
    throw error
  }
}
