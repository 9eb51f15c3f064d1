import type { APIGatewayProxyResult } from 'aws-lambda'

/** What a request is answered with; `body` becomes JSON. */
export interface Reply {
  readonly status: number
  readonly body?: unknown
  /** Sent instead of a `body`, as it is: of what type it is, the headers say. */
  readonly text?: string
  readonly headers?: Readonly<Record<string, string>>
  /** `false`: something was left unfinished, so that a repeat with the same `Idempotency-Key` runs the request again. */
  readonly keep?: false
}

export const ok = (body: unknown): Reply => ({ status: 200, body })

export const created = (body: unknown): Reply => ({ status: 201, body })

export const noContent = (): Reply => ({ status: 204 })

/** The reply as API Gateway takes it. */
export const proxyResult = ({ status, body, text, headers }: Reply): APIGatewayProxyResult => ({
  statusCode: status,
  headers: { ...(body !== undefined && { 'Content-Type': 'application/json' }), ...headers },
  body: text ?? (body === undefined ? '' : JSON.stringify(body)),
})
