import type { Connection, PlatformRequest } from '../adapter.ts'

const headersOf = ({ apiKey }: Connection) => ({ authorization: `Bearer ${apiKey}` })

export const retellGet = (connection: Connection, path: string): PlatformRequest => ({
  method: 'GET',
  url: `${connection.api}${path}`,
  headers: headersOf(connection),
})

export const retellPost = (connection: Connection, path: string, body?: unknown): PlatformRequest => ({
  method: 'POST',
  url: `${connection.api}${path}`,
  headers: { ...headersOf(connection), ...(body !== undefined && { 'content-type': 'application/json' }) },
  ...(body !== undefined && { body: JSON.stringify(body) }),
})
