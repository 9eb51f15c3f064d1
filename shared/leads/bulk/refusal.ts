import { ServiceError } from '../../platform/values/errors.ts'

/** What was refused, as an item of a bulk request tells it: `field: message` pairs joined by `; `. */
export const refusalText = ({ code, fields, message }: ServiceError): string =>
  code === 'validation'
    ? Object.entries(fields)
        .flatMap(([name, messages]) => messages.map((text) => `${name}: ${text}`))
        .join('; ')
    : message

/** Waits for something that may be refused. @returns why it was; null when it was not. @throws what is no refusal */
export const refusalReason = async (work: Promise<unknown>): Promise<string | null> => {
  try {
    await work
    return null
  } catch (error) {
    if (error instanceof ServiceError) return refusalText(error)
    throw error
  }
}
