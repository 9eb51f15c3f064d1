// biome-ignore lint/style/noRestrictedImports: the page is part of the console, whose texts are in one file
import { LANGUAGE, PAGE_TEXTS } from '#lib/console/texts.ts'
import { setting } from '#shared/platform/environment.ts'
import { escapedHtml, staticPage } from '../static-page.ts'
import assets from './page.assets.json' with { type: 'json' }

/** It runs no script and no style of its document. It sends files to the bucket, and reads reports there. */
export const handler = staticPage({
  bundle: import.meta.url,
  assets,
  connects: () => setting('UPLOADS_ORIGIN'),
  document: (_, file) => `<!doctype html>
<html lang="${LANGUAGE}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapedHtml(PAGE_TEXTS.title)}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${file('console.css')}">
<script type="module" src="${file('console.js')}"></script>
</head>
<body>
<div id="console"></div>
<noscript>${escapedHtml(PAGE_TEXTS.needsScript)}</noscript>
</body>
</html>
`,
})
