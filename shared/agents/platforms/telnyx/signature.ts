import { createPublicKey, verify } from 'node:crypto'
import type { Connection, PlatformCallback } from '../adapter.ts'

/** Seconds that a callback may be old, or ahead of our clock. */
const TOLERANCE = 300

/** Whether Telnyx signed a callback with the private key of the account. */
export const verifyTelnyx = ({ callbackSecret }: Connection, { rawBody, headers, at }: PlatformCallback): boolean => {
  const timestamp = headers['telnyx-timestamp'] ?? ''
  const signature = Buffer.from(headers['telnyx-signature-ed25519'] ?? '', 'base64')
  const publicKey = Buffer.from(callbackSecret ?? '', 'base64')
  if (!/^\d{1,12}$/.test(timestamp) || signature.length !== 64 || publicKey.length !== 32) return false
  if (Math.abs(Math.floor(at / 1000) - Number(timestamp)) > TOLERANCE) return false
  try {
    const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: publicKey.toString('base64url') }, format: 'jwk' })
    return verify(null, Buffer.from(`${timestamp}|${rawBody}`), key, signature)
  } catch {
    return false
  }
}
