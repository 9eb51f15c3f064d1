import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { operatorFileIn } from '#lib/local/operator-file.ts'
import { nameOfProcess } from '#lib/local/processes/process-name.ts'
import { runOps } from '#lib/ops/program.ts'
import { REAL_WAITING, type Waiting } from '#lib/ops/waiting.ts'

interface Answers {
  /** The operator's reply to a question. Undefined when nobody can reply. */
  readonly answer?: (question: string) => string | Promise<string>
  readonly waiting?: Waiting
}

/** The tool waits for other machines, which a test does not have. */
const QUICK_WAITING: Waiting = { ...REAL_WAITING, pause: (milliseconds, signal) => REAL_WAITING.pause(Math.min(milliseconds, 200), signal) }

/** The operator's tool in this process, with the services that this process's environment names. */
export const startOps = async () => {
  const directory = await mkdtemp(join(tmpdir(), 'ops-'))
  const environment = Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) => (/^(AWS_|TABLE_NAME|PHONE_|CLOCK_)/.test(name) && value ? [[name, value]] : [])),
  )
  const content = { process: nameOfProcess(process.pid), url: 'http://127.0.0.1:1', environment }
  await writeFile(operatorFileIn(directory), JSON.stringify(content))
  const ops = async (args: readonly string[], { answer, waiting = QUICK_WAITING }: Answers = {}) => {
    const said = { out: '', err: '' }
    const code = await runOps([...args, '--data', directory], {
      environment: process.env,
      print: (text) => {
        said.out += text
      },
      note: (text) => {
        said.err += text
      },
      ...(answer && { ask: async (question: string) => answer(question) }),
      waiting,
    })
    return { code, ...said }
  }
  return {
    directory,
    ops,
    /** Applies a company file. Adds `--yes` unless the test gives an answer. */
    apply: async (yaml: string | Uint8Array, args: readonly string[] = [], answers: Answers = {}) => {
      const file = join(directory, 'company.yaml')
      await writeFile(file, yaml)
      const done = await ops(['apply', file, ...(answers.answer ? [] : ['--yes']), ...args], answers)
      return { ...done, out: done.out.replaceAll(`${directory}/`, ''), err: done.err.replaceAll(`${directory}/`, '') }
    },
    stop: () => rm(directory, { recursive: true, force: true }),
  }
}

/** Reference to an environment variable, as a company file writes it. */
export const variable = (name: string): string => `\${${name}}`

const LAWFUL = 'consent_type: written, reassigned_numbers: { where: law }'

/** A company file with one of everything. */
export const COMPANY = `
dnc_groups: [{ key: brands }]
agents:
  - { key: voice, url: https://voice.example.com/ }
users:
  - key: acme
    name: Acme
    dnc_group: brands
    default_lead_type: solar
    lines: 5
    lead_types:
      - { key: solar, name: Solar, agent: voice, ${LAWFUL}, cadence: { max_attempts: 6 }, inbound_numbers: ['+12125550150'] }
      - { key: roofs, name: Roofs, agent: simulator, ${LAWFUL} }
    sources:
      - { key: daily, mode: create, lead_type: roofs, mapping: [{ to: phone_number, from: Phone }] }
    ingestion_urls:
      - { key: partner, throttle: { burst_per_minute: 60 }, mapping: [{ to: phone_number, from: phone }] }
litigators: { add: [(212) 555-0019] }
emergencies: [Florida]
`
