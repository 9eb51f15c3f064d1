import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import * as v from 'valibot'
import { CallingRules } from '#shared/calling/calling-rules.ts'
import { packRules } from './pack.ts'

const PROJECT = resolve(import.meta.dirname, '../..')
const SOURCE = resolve(PROJECT, 'shared/data/calling-rules.json')
/** What functions carry: parsed with their code, checked when the tests run. */
const FILE = resolve(PROJECT, 'shared/data/calling-rules.ts')

const rules = packRules(v.parse(v.pipe(v.string(), v.parseJson(), CallingRules), readFileSync(SOURCE, 'utf8')))
writeFileSync(
  FILE,
  `import type { PackedRules } from '../schema/calling-rules.ts'

/** Made of calling-rules.json by \`node lib/calling-rules/generate.ts\`; do not edit. */
export const CALLING_RULES: PackedRules = ${JSON.stringify(rules)}
`,
)
execFileSync(resolve(PROJECT, 'node_modules/.bin/biome'), ['check', '--write', FILE], {
  cwd: PROJECT,
  stdio: ['ignore', 'ignore', 'inherit'],
})
process.stderr.write(`Wrote ${FILE}.\n`)
