import { createHash } from 'node:crypto'
import renderer from 'swagger-ui-dist/package.json' with { type: 'json' }

const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)

/** The same on every page, so that the policy can name its hash. Data that differs is in the element's attributes. */
const SCRIPT = `
const docs = document.getElementById('docs')
SwaggerUIBundle({ domNode: docs, url: docs.dataset.schema, deepLinking: true, tryItOutEnabled: true, validatorUrl: null })
`

const hash = createHash('sha256').update(SCRIPT).digest('base64')

/** The page loads from and sends to its own origin only. The renderer styles its elements inline. */
export const POLICY = [
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
export const docsPage = (at: string): string => {
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
<noscript>This page needs JavaScript. What it shows can be read as JSON in the schema beside it.</noscript>
<script src="${file('swagger-ui-bundle.js')}"></script>
<script>${SCRIPT}</script>
</body>
</html>
`
}
