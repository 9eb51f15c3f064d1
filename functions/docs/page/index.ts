import { readFile } from 'node:fs/promises'
import { publicApi } from '#shared/http/public-api.ts'
import type { Reply } from '#shared/http/reply.ts'
import { notFound } from '#shared/platform/values/errors.ts'
import assets from './assets.json' with { type: 'json' }
import { docsPage, POLICY } from './page.ts'

const TYPES: Readonly<Record<string, string>> = { css: 'text/css', js: 'text/javascript' }

const names = assets.map((path) => path.slice(path.lastIndexOf('/') + 1))

const textReply = (text: string, type: string, headers: Readonly<Record<string, string>>): Reply => ({
  status: 200,
  text,
  headers: { 'Content-Type': `${type}; charset=utf-8`, 'X-Content-Type-Options': 'nosniff', ...headers },
})

/** A file that the build puts beside the function's bundle. Its address contains its version. */
const fileReply = async (name: string): Promise<Reply> => {
  const text = await readFile(new URL(name, import.meta.url), 'utf8')
  return textReply(text, TYPES[name.split('.').at(-1) ?? ''] ?? 'text/plain', { 'Cache-Control': 'public, max-age=31536000, immutable' })
}

const pageReply = (url: string): Reply =>
  textReply(docsPage(new URL(url).pathname.replace(/\/?$/, '/')), 'text/html', {
    'Cache-Control': 'no-cache',
    'Content-Security-Policy': POLICY,
    'Referrer-Policy': 'no-referrer',
  })

export const handler = publicApi(async ({ pathParameters: { file }, url }) => {
  if (file === undefined) return pageReply(url)
  if (!names.includes(file)) throw notFound()
  return fileReply(file)
})
