import { setting } from '#shared/platform/environment.ts'
import { staticPage } from '../static-page.ts'
import assets from './page.assets.json' with { type: 'json' }

/** It runs no script and no style of its document. It sends files to the bucket, and reads reports there. */
export const handler = staticPage({
  bundle: import.meta.url,
  assets,
  connects: () => setting('UPLOADS_ORIGIN'),
  document: (_, file) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Lead Outreach console</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${file('console.css')}">
<script type="module" src="${file('console.js')}"></script>
</head>
<body>
<div id="console"></div>
<noscript>The console needs JavaScript.</noscript>
</body>
</html>
`,
})
