import { writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { formatted } from '../../formatted.ts'
import { configurationJsonSchema } from './json-schema.ts'

/** For editors: what `apply` takes. */
const FILE = 'lib/ops/schema.json'

writeFileSync(resolve(import.meta.dirname, '../../..', FILE), formatted(FILE, JSON.stringify(configurationJsonSchema(), null, 2)))
process.stderr.write(`Wrote ${FILE}.\n`)
