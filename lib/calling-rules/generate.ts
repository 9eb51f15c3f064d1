import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import * as v from 'valibot'
import { CallingRules } from '#shared/calling/calling-rules.ts'
import { packRules } from './pack.ts'

const PROJECT = resolve(import.meta.dirname, '../..')
const SOURCE = resolve(PROJECT, 'shared/data/calling-rules.json')
/** Bundled with the functions: parsed as part of their code, and checked by tests. */
const FILE = 'shared/data/calling-rules.ts'

export const callingRulesFiles = (): Record<string, string> => {
  const rules = packRules(v.parse(v.pipe(v.string(), v.parseJson(), CallingRules), readFileSync(SOURCE, 'utf8')))
  return {
    [FILE]: `import type { PackedRules } from '../calling/calling-rules.ts'

/** Made of calling-rules.json by \`npm run generate -- calling-rules\`; do not edit. */
export const CALLING_RULES: PackedRules = ${JSON.stringify(rules)}
`,
  }
}
