import { createHmac } from 'node:crypto'
import { isSameText } from '../../../platform/same-text.ts'
import { MINUTE, SECOND } from '../../../platform/values/durations.ts'
import type { Instant } from '../../../platform/values/values.ts'
import type { Adapter, PlatformCallback } from '../adapter.ts'

const TOLERANCE = 5 * MINUTE

/** Vapi does not document the unit: ten digits are seconds, thirteen are milliseconds. */
const isRecent = (stamp: string, at: Instant): boolean => {
  const unit = /^\d{10}$/.test(stamp) ? SECOND : /^\d{13}$/.test(stamp) ? 1 : null
  return unit !== null && Math.abs(at - Number(stamp) * unit) <= TOLERANCE
}

/** The bytes behind `whsec_`: none unless the secret has that form, because a short key can be guessed. */
const keysOf = (secret: string): Buffer[] =>
  /^whsec_[A-Za-z0-9+/]{22,}={0,2}$/.test(secret) ? [Buffer.from(secret.slice('whsec_'.length), 'base64')] : []

/** Standard Webhooks, as `check` tells the operator to set it up. */
const isStandard = (secret: string, { rawBody, headers, at }: PlatformCallback): boolean => {
  const { 'webhook-id': id, 'webhook-timestamp': stamp, 'webhook-signature': signatures } = headers
  if (!id || !stamp || !signatures || !isRecent(stamp, at)) return false
  return keysOf(secret).some((key) => {
    const expected = `v1,${createHmac('sha256', key).update(`${id}.${stamp}.${rawBody}`).digest('base64')}`
    return signatures.split(' ').some((signature) => isSameText(signature, expected))
  })
}

/** The headers of a credential of kind HMAC when only its key is set. */
const isDefault = (secret: string, { rawBody, headers, at }: PlatformCallback): boolean => {
  const { 'x-timestamp': stamp, 'x-signature': signature } = headers
  if (!stamp || !signature || !isRecent(stamp, at)) return false
  const expected = (key: string | Buffer) => createHmac('sha256', key).update(`${stamp}.${rawBody}`).digest('hex')
  return [secret, ...keysOf(secret)].some((key) => isSameText(signature, expected(key)))
}

/** The headers of a credential of kind bearer. It signs nothing, but proves that the sender knows the secret. */
const isBearer = (secret: string, { headers }: PlatformCallback): boolean =>
  isSameText(headers['authorization'] ?? '', `Bearer ${secret}`) || isSameText(headers['x-vapi-secret'] ?? '', secret)

/** Whether Vapi sent a callback. Accepts three kinds of credential: the one that our guide describes, and two simpler ones. */
export const verifyVapi: Adapter['verify'] = ({ callbackSecret: secret }, callback) =>
  secret !== null && secret !== '' && [isStandard, isDefault, isBearer].some((isRight) => isRight(secret, callback))
