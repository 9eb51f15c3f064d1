import { randomBytes, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { HOUR } from '#shared/platform/values/durations.ts'
import { readBody } from '../engines/http-server.ts'

const PATH = '/local/sign-in'
const LIFETIME_MS = HOUR
const MOST_BYTES = 1000

interface SignIn {
  /** For the fragment of the console's address. */
  readonly code: string
  /** Answers a request that is for this address. @returns whether it was */
  readonly answer: (request: IncomingMessage, response: ServerResponse) => Promise<boolean>
}

/** A name that a stranger's page, or a tunnel, could lead here is refused. */
const isFromThisMachine = ({ headers: { host }, socket: { localPort } }: IncomingMessage): boolean =>
  host === `127.0.0.1:${localPort}` || host === `localhost:${localPort}`

const isEqual = (one: string, other: string): boolean => {
  const [bytes, others] = [Buffer.from(one), Buffer.from(other)]
  return bytes.length === others.length && timingSafeEqual(bytes, others)
}

/**
 * Lets the link that the start prints sign its user in to the console, so that no key is in an address. The code of the link is good for one
 * exchange within an hour. Only the local run has this address.
 */
export const createSignIn = (apiKey: string, now: () => number = Date.now): SignIn => {
  const code = randomBytes(24).toString('base64url')
  const until = now() + LIFETIME_MS
  let isUsed = false

  const keyFor = (given: string): string | undefined => {
    if (isUsed || now() >= until || !isEqual(given, code)) return undefined
    isUsed = true
    return apiKey
  }

  return {
    code,
    answer: async (request, response) => {
      if (request.url !== PATH || request.method !== 'POST' || !isFromThisMachine(request)) return false
      const body = await readBody(request, MOST_BYTES)
      const key = keyFor(body?.toString('utf8') ?? '')
      response.setHeader('Cache-Control', 'no-store')
      response.setHeader('Content-Type', 'text/plain; charset=utf-8')
      response.writeHead(key === undefined ? 403 : 200).end(key ?? 'This code was used before, or is too old.')
      return true
    },
  }
}
