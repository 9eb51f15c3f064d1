import { Logger } from '@aws-lambda-powertools/logger'

/** Structured lines: ids only, never a phone number, an email, a key or a payload. */
export const logger = new Logger({ serviceName: 'lead-outreach' })
