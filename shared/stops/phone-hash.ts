import { createHmac } from 'node:crypto'
import { setting } from '../platform/environment.ts'
import { secret } from '../platform/secrets.ts'

/** A function that hashes phone numbers, for many of them. */
export const phoneHasher = async (): Promise<(phoneNumber: string) => Buffer> => {
  const key = await secret(setting('PHONE_HASH_SECRET_ARN'))
  return (phoneNumber) => createHmac('sha256', key).update(phoneNumber).digest()
}

/**
 * The name under which a phone number's "do not call" is stored. The hash is keyed: a copy of the table does not reveal the number. A
 * person can be erased while the stop stays.
 */
export const phoneHash = async (phoneNumber: string): Promise<string> => (await phoneHasher())(phoneNumber).toString('base64url')
