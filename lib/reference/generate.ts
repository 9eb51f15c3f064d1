import { writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { documents } from './documents.ts'
import { formatted } from './formatted.ts'

for (const [file, text] of Object.entries(documents())) {
  writeFileSync(resolve(import.meta.dirname, file), formatted(file, text))
  process.stderr.write(`Wrote lib/reference/${file}.\n`)
}
