import type { APIGatewayProxyResult } from 'aws-lambda'

/** The answer to a request. `body` becomes JSON. */
export interface Reply {
  readonly status: number
  readonly body?: unknown
  /** Sent as it is, instead of `body`. The headers must give its type. */
  readonly text?: string
  readonly headers?: Readonly<Record<string, string>>
  /** `false`: the work is unfinished, so a repeat with the same `Idempotency-Key` runs the request again. */
  readonly keep?: false
}

export const ok = (body: unknown): Reply => ({ status: 200, body })

export const created = (body: unknown): Reply => ({ status: 201, body })

export const noContent = (): Reply => ({ status: 204 })

/** Nobody may keep an answer unless it says so: it may hold personal data, and a browser would keep it on the disk. */
const BY_DEFAULT = { 'Cache-Control': 'no-store' }

/** The reply in API Gateway's format. */
export const proxyResult = ({ status, body, text, headers }: Reply): APIGatewayProxyResult => ({
  statusCode: status,
  headers: { ...BY_DEFAULT, ...(body !== undefined && { 'Content-Type': 'application/json' }), ...headers },
  body: text ?? (body === undefined ? '' : JSON.stringify(body)),
})
