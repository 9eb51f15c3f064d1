import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Connection, PlatformCallback } from '../adapter.ts'

/** Seconds that a callback may be old, or ahead of our clock. */
const TOLERANCE = 30 * 60

/** Whether ElevenLabs signed a callback with the secret of its webhook. */
export const verifyElevenLabs = ({ callbackSecret }: Connection, { rawBody, headers, at }: PlatformCallback): boolean => {
  const parts = (headers['elevenlabs-signature'] ?? '').split(',')
  const timestamp = parts.find((part) => part.startsWith('t='))?.slice(2) ?? ''
  const sent = Buffer.from(parts.find((part) => part.startsWith('v0=')) ?? '')
  if (!callbackSecret || !/^\d{1,12}$/.test(timestamp)) return false
  if (Math.abs(Math.floor(at / 1000) - Number(timestamp)) > TOLERANCE) return false
  const signature = Buffer.from(`v0=${createHmac('sha256', callbackSecret).update(`${timestamp}.${rawBody}`).digest('hex')}`)
  return sent.length === signature.length && timingSafeEqual(sent, signature)
}
