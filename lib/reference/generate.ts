import { writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { formatted } from '../formatted.ts'
import { documents } from './documents.ts'

for (const [file, text] of Object.entries(documents())) {
  writeFileSync(resolve(import.meta.dirname, file), formatted(`lib/reference/${file}`, text))
  process.stderr.write(`Wrote lib/reference/${file}.\n`)
}
