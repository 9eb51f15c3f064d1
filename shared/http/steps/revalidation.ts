import { createHash } from 'node:crypto'
import type { APIGatewayProxyResult } from 'aws-lambda'
import type { Incoming } from './incoming.ts'

const READS = new Set(['GET', 'HEAD'])

const LENGTH = 27

/** Names the exact text of an answer. */
const tagOf = (body: string): string => `"${createHash('sha256').update(body).digest('base64url').slice(0, LENGTH)}"`

/** Whether `If-None-Match` names the tag. A tag that is marked as weak (`W/`) counts too, as RFC 9110 demands for reads. */
const isNamed = (header: string, tag: string): boolean => header.trim() === '*' || (header.match(/"[^"]*"/g)?.includes(tag) ?? false)

/**
 * Gives each successful JSON answer to a GET its `ETag`. A client that has this answer already gets 304 without a body. A request with `Cache-Control:
 * no-cache` is no exception: browsers add that header when a page keeps answers itself.
 */
export const revalidated = ({ method, headers: asked }: Incoming, result: APIGatewayProxyResult): APIGatewayProxyResult => {
  const { 'Content-Type': type, ...headers } = { ...result.headers }
  if (!READS.has(method) || result.statusCode !== 200 || type !== 'application/json') return result
  const ETag = tagOf(result.body)
  if (isNamed(asked['if-none-match'] ?? '', ETag)) return { statusCode: 304, headers: { ...headers, ETag }, body: '' }
  return { ...result, headers: { ...result.headers, ETag } }
}
