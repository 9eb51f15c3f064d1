// `npm run permissions`: runs the service, records what each function asks of AWS, and lays it beside what its role allows. With `--record
// FOLDER` the record is kept there, and with `--only` as well it is compared without another run.
import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { bundleName } from '#lib/constructs/bundle.ts'
import { built } from '#test/support/built.ts'
import type { Call } from './calls.ts'
import { compare, groundless } from './compare.ts'
import { EXCUSES } from './excuses.ts'
import { exercise } from './exercise.ts'
import { grantsIn } from './grants.ts'
import { tableOf } from './table.ts'

const RECORDER = new URL('recorder.ts', import.meta.url)

const say = (line: string): void => void process.stderr.write(`${line}\n`)

const callsIn = async (folder: string, name: string): Promise<Call[]> => {
  const files = (await readdir(folder)).filter((file) => file.endsWith(`-local-${bundleName(name)}.jsonl`))
  const lines = (await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')))).flatMap((text) => text.trim().split('\n'))
  return [...new Set(lines)].map((line) => JSON.parse(line))
}

const { values } = parseArgs({ options: { record: { type: 'string' }, only: { type: 'boolean', default: false } } })
const home = await mkdtemp(join(tmpdir(), 'permissions-'))
const record = values.record ?? join(home, 'record')
try {
  await mkdir(record, { recursive: true })
  process.env['TEST_RUN_FOLDER'] = home
  const { assembly } = await built()
  if (!values.only) {
    process.env['FUNCTION_NODE_OPTIONS'] = `--import ${RECORDER.href}?${encodeURIComponent(record)}`
    await exercise(say)
  }
  const functions = await Promise.all(grantsIn(assembly).map(async (one) => compare(one, await callsIn(record, one.name), EXCUSES)))
  const findings = functions.flat()
  process.stdout.write(tableOf(findings))
  const idle = groundless(EXCUSES, findings)
  if (idle.length > 0) say(`There are excuses for what is not allowed:\n  ${idle.join('\n  ')}`)
  if (idle.length > 0 || findings.some(({ verdict }) => verdict === 'surplus' || verdict === 'missing')) process.exitCode = 1
} finally {
  await rm(home, { recursive: true, force: true })
}
