import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { configurationJsonSchema } from './json-schema.ts'

const PROJECT = resolve(import.meta.dirname, '../../..')

/** For editors: what `apply` takes. */
const FILE = resolve(PROJECT, 'lib/ops/schema.json')

writeFileSync(FILE, `${JSON.stringify(configurationJsonSchema(), null, 2)}\n`)
execFileSync(resolve(PROJECT, 'node_modules/.bin/biome'), ['format', '--write', FILE], {
  cwd: PROJECT,
  stdio: ['ignore', 'ignore', 'inherit'],
})
process.stderr.write(`Wrote ${FILE}.\n`)
