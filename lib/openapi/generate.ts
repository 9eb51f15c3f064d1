import { writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { formatted } from '../formatted.ts'
import { openApiDocument } from './document.ts'

/** What the function serves; committed, so that changes of the interface are seen for what they are. */
const FILE = 'functions/docs/schema/openapi.json'

writeFileSync(resolve(import.meta.dirname, '../..', FILE), formatted(FILE, JSON.stringify(openApiDocument(), null, 2)))
process.stderr.write(`Wrote ${FILE}.\n`)
