import { createHmac } from 'node:crypto'
import { setting } from '../platform/environment.ts'
import { secret } from '../platform/secrets.ts'

/**
 * The name under which a phone number's "do not call" is stored. The hash is keyed: a copy of the table does not reveal the number. A
 * person can be erased while the stop stays.
 */
export const phoneHash = async (phoneNumber: string): Promise<string> =>
  createHmac('sha256', await secret(setting('PHONE_HASH_SECRET_ARN')))
    .update(phoneNumber)
    .digest('base64url')
