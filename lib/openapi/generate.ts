import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { openApiDocument } from './document.ts'

const PROJECT = resolve(import.meta.dirname, '../..')

/** What the function serves; committed, so that changes of the interface are seen for what they are. */
const FILE = resolve(PROJECT, 'functions/docs/schema/openapi.json')

writeFileSync(FILE, `${JSON.stringify(openApiDocument(), null, 2)}\n`)
execFileSync(resolve(PROJECT, 'node_modules/.bin/biome'), ['format', '--write', FILE], {
  cwd: PROJECT,
  stdio: ['ignore', 'ignore', 'inherit'],
})
process.stderr.write(`Wrote ${FILE}.\n`)
