import { publicApi } from '#shared/http/public-api.ts'
import { ok } from '#shared/http/reply.ts'
import document from './openapi.json' with { type: 'json' }

const { openapi, info, ...rest } = document

/** The document. Its server is the address of this request. */
export const handler = publicApi(async ({ url }) => ({
  ...ok({ openapi, info, servers: [{ url: url.replace(/\/api\/schema\/?$/, '') }], ...rest }),
  headers: { 'Cache-Control': 'public, max-age=300' },
}))
