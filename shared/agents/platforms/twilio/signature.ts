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

/** A form as Twilio signs it: sorted names and values without separators. */
const signedForm = (rawBody: string): string => {
  const form = new URLSearchParams(rawBody)
  const names = [...new Set(form.keys())].sort()
  return names.flatMap((name) => [...new Set(form.getAll(name))].sort().map((value) => name + value)).join('')
}

const isSame = (one: Buffer, other: Buffer): boolean => one.length === other.length && timingSafeEqual(one, other)

/** Whether Twilio signed a callback with the account's auth token. The signature holds no time, so it never becomes too old. */
export const verifyTwilio = ({ apiKey, callbackSecret }: Connection, { url, rawBody, headers }: PlatformCallback): boolean => {
  const told = Buffer.from(headers['x-twilio-signature'] ?? '')
  const form = signedForm(rawBody)
  const sign = (asked: string): string =>
    createHmac('sha1', callbackSecret ?? apiKey)
      .update(asked + form)
      .digest('base64')
  return signedUrls(url).some((asked) => isSame(told, Buffer.from(sign(asked))))
}
