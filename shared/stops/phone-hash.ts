import { createHmac } from 'node:crypto'
import { setting } from '../platform/environment.ts'
import { secret } from '../platform/secrets.ts'

/**
 * The name under which a phone number's "do not call" is kept. Keyed, so that a copy of the table does not tell whose
 * number it is, and a person can be erased while the stop stands.
 */
export const phoneHash = async (phoneNumber: string): Promise<string> =>
  createHmac('sha256', await secret(setting('PHONE_HASH_SECRET_ARN')))
    .update(phoneNumber)
    .digest('base64url')
