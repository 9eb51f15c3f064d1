import type { Connection, PlatformRequest } from '../adapter.ts'

export const blandRequest = ({ api, apiKey }: Connection, method: 'GET' | 'POST', path: string, body?: unknown): PlatformRequest => ({
  method,
  url: `${api}${path}`,
  headers: { authorization: apiKey, ...(body !== undefined && { 'content-type': 'application/json' }) },
  ...(body !== undefined && { body: JSON.stringify(body) }),
})
