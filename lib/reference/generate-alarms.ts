import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { buildApp } from '../app.ts'
import { buildFunctions } from '../build-functions.ts'
import { formatted } from '../formatted.ts'
import { alarmsPage } from './alarms.ts'

// Apart from the other references: it takes the stacks, and these take the bundles of the functions.
const FILE = 'alarms.md'

const folder = mkdtempSync(join(tmpdir(), 'alarms-'))
try {
  const bundles = join(folder, 'functions')
  await buildFunctions({ outdir: bundles })
  const app = buildApp({ context: { bundles }, outdir: join(folder, 'assembly') })
  writeFileSync(resolve(import.meta.dirname, FILE), formatted(`lib/reference/${FILE}`, alarmsPage(app)))
  process.stderr.write(`Wrote lib/reference/${FILE}.\n`)
} finally {
  rmSync(folder, { recursive: true, force: true })
}
