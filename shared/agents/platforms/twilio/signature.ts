import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Connection, PlatformCallback } from '../adapter.ts'

/** The URL as Twilio may have signed it: as given, with the standard port, or without any port. */
const signedUrls = (url: string): readonly string[] => {
  if (!URL.canParse(url)) return []
  const { protocol, host, hostname, port } = new URL(url)
  const standard = protocol === 'https:' ? '443' : '80'
  const withPort = url.replace(`//${host}`, `//${hostname}:${standard}`)
  return [url, withPort, url.replace(`//${hostname}:${port || standard}`, `//${hostname}`)]
}

/**
 * A form as Twilio signs it: sorted names and values without separators. Reads the form once, because the sender is not verified yet.
 */
const signedForm = (rawBody: string): string => {
  const valuesOf = new Map<string, Set<string>>()
  for (const [name, value] of new URLSearchParams(rawBody)) {
    const values = valuesOf.get(name) ?? new Set()
    valuesOf.set(name, values.add(value))
  }
  const names = [...valuesOf.keys()].sort()
  return names.flatMap((name) => [...(valuesOf.get(name) ?? [])].sort().map((value) => name + value)).join('')
}

const isSame = (one: Buffer, other: Buffer): boolean => one.length === other.length && timingSafeEqual(one, other)

/** Whether Twilio signed a callback with the account's auth token. The signature holds no time, so it never becomes too old. */
export const verifyTwilio = ({ apiKey }: Connection, callback: PlatformCallback): boolean => {
  const sent = Buffer.from(callback.headers['x-twilio-signature'] ?? '')
  if (sent.length === 0) return false
  const form = signedForm(callback.rawBody)
  const sign = (asked: string): string =>
    createHmac('sha1', apiKey)
      .update(asked + form)
      .digest('base64')
  return signedUrls(callback.url).some((asked) => isSame(sent, Buffer.from(sign(asked))))
}
