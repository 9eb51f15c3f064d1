// Comes first in every script. CommonJS, so that an old Node can read it too: it prints a sentence where the script would print a stack trace.
const { existsSync } = require('node:fs')
const { INSTALLED, installedLevel, isWithin, levelNamed, linkNode } = require('./installed.cjs')

/** Older ones lack `import.meta.main`. */
const NEEDED = [24, 2]

const fail = (sentence) => {
  console.error(sentence)
  process.exit(1)
}

/** The commands that install the packages of a level. */
const INSTALLED_BY = { start: 'npm ci or npm start', test: 'npm ci or npm test', all: 'npm ci' }

const level = process.argv[2] || 'start'
const checkPackages = (areThere) => {
  if (!areThere) fail(`This command needs packages that are not installed. Run ${INSTALLED_BY[level]} first.`)
}

const [major, minor] = process.versions.node.split('.').map(Number)
checkPackages(existsSync(INSTALLED))
// The command after this one runs on the linked Node.
if (!linkNode() && (major < NEEDED[0] || (major === NEEDED[0] && minor < NEEDED[1]))) {
  fail(`This service needs Node.js ${NEEDED.join('.')} or newer, but this is ${process.version}: install one, from nodejs.org for example.`)
}
checkPackages(isWithin(levelNamed(level), installedLevel()))
