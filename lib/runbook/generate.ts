import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { buildApp } from '../app.ts'
import { buildFunctions } from '../build-functions.ts'
import { renderRunbook } from './render.ts'

const FILE = resolve(import.meta.dirname, 'alarms.md')

const folder = mkdtempSync(join(tmpdir(), 'runbook-'))
try {
  const bundles = join(folder, 'functions')
  await buildFunctions({ outdir: bundles })
  writeFileSync(FILE, renderRunbook(buildApp({ context: { bundles }, outdir: join(folder, 'assembly') })))
  process.stderr.write(`Wrote ${FILE}.\n`)
} finally {
  rmSync(folder, { recursive: true, force: true })
}
