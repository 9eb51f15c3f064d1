import { ok } from '#shared/http/reply.ts'
import { served } from '#shared/http/served.ts'
import document from './openapi.json' with { type: 'json' }

const { openapi, info, ...rest } = document

/** The document. Its server is the address of this request. */
export const handler = served(async ({ url }) => ({
  ...ok({ openapi, info, servers: [{ url: url.replace(/\/api\/schema\/?$/, '') }], ...rest }),
  headers: { 'Cache-Control': 'public, max-age=300' },
}))
