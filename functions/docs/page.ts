import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import renderer from 'swagger-ui-dist/package.json' with { type: 'json' }
import { publicApi } from '#shared/http/public-api.ts'
import type { Reply } from '#shared/http/reply.ts'
import { notFound } from '#shared/platform/values/errors.ts'
import assets from './page.assets.json' with { type: 'json' }

const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)

/** The script is the same on every page, so that the policy can name its hash. Data that differs is in the element's attributes. */
const SCRIPT = `
const docs = document.getElementById('docs')
SwaggerUIBundle({ domNode: docs, url: docs.dataset.schema, deepLinking: true, tryItOutEnabled: true, validatorUrl: null })
`

const hash = createHash('sha256').update(SCRIPT).digest('base64')

/** The page loads from and sends to its own origin only. The renderer styles its elements inline. */
const POLICY = [
  "default-src 'none'",
  `script-src 'self' 'sha256-${hash}'`,
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** `at`: path of the page itself, with its trailing slash. */
const docsPage = (at: string): string => {
  const file = (name: string): string => escaped(`${at}${name}?v=${renderer.version}`)
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Lead Outreach Service API</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${file('swagger-ui.css')}">
</head>
<body>
<div id="docs" data-schema="${escaped(at.replace(/docs\/$/, 'schema/'))}"></div>
<noscript>This page needs JavaScript. Its content is also available as JSON, in the schema beside it.</noscript>
<script src="${file('swagger-ui-bundle.js')}"></script>
<script>${SCRIPT}</script>
</body>
</html>
`
}

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
