// Comes first in every script. CommonJS, so that an old Node can read it too: it prints a sentence where the script would print a stack trace.
const { existsSync } = require('node:fs')
const { INSTALLED, installedLevel, isWithin, levelNamed, linkNode } = require('./installed.cjs')

/** Older ones lack `import.meta.main`. */
const NEEDED = [24, 2]

const fail = (sentence) => {
  console.error(sentence)
  process.exit(1)
}

const [major, minor] = process.versions.node.split('.').map(Number)
if (!existsSync(INSTALLED)) fail('The packages are not installed: run npm ci first.')
// The command after this one runs on the linked Node.
if (!linkNode() && (major < NEEDED[0] || (major === NEEDED[0] && minor < NEEDED[1]))) {
  fail(`This service needs Node.js ${NEEDED.join('.')} or newer, but this is ${process.version}: install one, from nodejs.org for example.`)
}
if (!isWithin(levelNamed(process.argv[2] || 'start'), installedLevel())) {
  fail('This command needs more packages than npm start and npm test have installed: run npm ci first.')
}
