import { randomBytes } from 'node:crypto'

/** A new secret of Standard Webhooks: 256 bits. */
export const newWebhookSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`
