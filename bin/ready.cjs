// Comes first in every script. CommonJS, so that an old Node can read it too: it prints a sentence where the script would print a stack trace.
const { existsSync } = require('node:fs')
const { join } = require('node:path')

const NEEDED = 24

const fail = (sentence) => {
  console.error(sentence)
  process.exit(1)
}

// npm writes this file last, so half an installation lacks it.
if (!existsSync(join(__dirname, '../node_modules/.package-lock.json'))) fail('The packages are not installed: run npm ci first.')
if (Number(process.versions.node.split('.')[0]) < NEEDED) {
  fail(`This service needs Node ${NEEDED} or newer, but this is ${process.version}: install one, from nodejs.org for example.`)
}
