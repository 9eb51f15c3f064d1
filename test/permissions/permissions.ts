import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type CommandLine, mistake, readBy, runCommand } from '#lib/command-line/command-line.ts'
import { bundleName } from '#lib/constructs/bundle.ts'
import { built } from '#test/support/built.ts'
import type { Call } from './calls.ts'
import { compare, groundless } from './compare.ts'
import { EXCUSES } from './excuses.ts'
import { exercise } from './exercise/exercise.ts'
import { grantsIn } from './grants.ts'
import { tableOf } from './table.ts'

const RECORDER = new URL('recorder.ts', import.meta.url)

const say = (line: string): void => void process.stderr.write(`${line}\n`)

const callsIn = async (folder: string, name: string): Promise<Call[]> => {
  const files = (await readdir(folder)).filter((file) => file.endsWith(`-local-${bundleName(name)}.jsonl`))
  const lines = (await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')))).flatMap((text) => text.trim().split('\n'))
  return [...new Set(lines)].map((line) => JSON.parse(line))
}

const USAGE = `Runs the service, records what each function asks of AWS, and lays it beside what its role allows. Ends with 1 when there is more of
either than of the other.

  npm run permissions -- [--record FOLDER [--only]]

  --record FOLDER  keep the record there
  --only           compare what is recorded there, without another run
  --help           print this
`

interface Options {
  readonly record?: string
  readonly only: boolean
}

const readCommandLine = (args: readonly string[]): CommandLine<Options> =>
  readBy(
    {
      args: [...args],
      options: {
        record: { type: 'string' },
        only: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    },
    ({ values }) => {
      if (values.help) return { kind: 'help' }
      return values.only && values.record === undefined
        ? mistake('--only needs --record: where is the record?')
        : { kind: 'run', options: values }
    },
  )

/** @returns the exit code */
const run = async (options: Options): Promise<number> => {
  const home = await mkdtemp(join(tmpdir(), 'permissions-'))
  const record = options.record ?? join(home, 'record')
  try {
    await mkdir(record, { recursive: true })
    process.env['TEST_RUN_FOLDER'] = home
    const { assembly } = await built()
    if (!options.only) {
      process.env['FUNCTION_NODE_OPTIONS'] = `--import ${RECORDER.href}?${encodeURIComponent(record)}`
      await exercise(say)
    }
    const functions = await Promise.all(grantsIn(assembly).map(async (one) => compare(one, await callsIn(record, one.name), EXCUSES)))
    const findings = functions.flat()
    process.stdout.write(tableOf(findings))
    const idle = groundless(EXCUSES, findings)
    if (idle.length > 0) say(`There are excuses for what is not allowed:\n  ${idle.join('\n  ')}`)
    return idle.length > 0 || findings.some(({ verdict }) => verdict === 'surplus' || verdict === 'missing') ? 1 : 0
  } finally {
    await rm(home, { recursive: true, force: true })
  }
}

await runCommand(readCommandLine(process.argv.slice(2)), USAGE, run)
