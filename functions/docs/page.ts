import { createHash } from 'node:crypto'
import { escapedHtml, staticPage } from '../static-page.ts'
import assets from './page.assets.json' with { type: 'json' }

/** The script is the same on every page, so that the policy can name its hash. Data that differs is in the element's attributes. */
const SCRIPT = `
const docs = document.getElementById('docs')
SwaggerUIBundle({ domNode: docs, url: docs.dataset.schema, deepLinking: true, tryItOutEnabled: true, validatorUrl: null })
`

const hash = createHash('sha256').update(SCRIPT).digest('base64')

export const handler = staticPage({
  bundle: import.meta.url,
  assets,
  scripts: `'sha256-${hash}'`,
  // The renderer styles its elements inline.
  styles: "'unsafe-inline'",
  document: (path, file) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Lead Outreach Service API</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${file('swagger-ui.css')}">
</head>
<body>
<div id="docs" data-schema="${escapedHtml(path.replace(/docs\/$/, 'schema/'))}"></div>
<noscript>This page needs JavaScript. Its content is also available as JSON, in the schema beside it.</noscript>
<script src="${file('swagger-ui-bundle.js')}"></script>
<script>${SCRIPT}</script>
</body>
</html>
`,
})
