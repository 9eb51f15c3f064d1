import { randomBytes } from 'node:crypto'

/** A new Standard Webhooks secret: 256 bits. */
export const newWebhookSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`
