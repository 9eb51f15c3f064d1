import { readFileSync } from 'node:fs'
import * as v from 'valibot'
import { CalendarDate } from '#shared/calling/rules/calling-rules.ts'
import { type CommandLine, mistake, readBy } from '../command-line/command-line.ts'
import { publicOrigin } from '../public-origin.ts'
import { SIMULATOR } from './demo-lead-types.ts'

export interface LocalOptions {
  /** 0 takes any free port. */
  readonly port: number
  /** Undefined: a temporary directory, which is removed at the end. */
  readonly dataDirectory: string | undefined
  /** Start time of the service's clock, in epoch milliseconds; undefined: real time. */
  readonly now: number | undefined
  /** Folder of an assembly that is already built, as `cdk synth` leaves it; undefined: built now. */
  readonly assembly: string | undefined
  /** Key of the agent that calls new leads of the demo; undefined: the simulator, which calls nobody. */
  readonly agent: string | undefined
  /** Address of a tunnel to this machine, without a trailing slash, where voice platforms report. */
  readonly publicUrl: string | undefined
  /** Whether bucket events and queue messages are delivered twice. */
  readonly twice: boolean
  /** Whether functions have the time limits of the template, as on AWS. Default: longer limits, for slow machines. */
  readonly timeLimits: boolean
  /** Prints one line of JSON on standard output instead of the banner. */
  readonly json: boolean
  /** Logs everything, not only problems. */
  readonly verbose: boolean
}

/** A file, because npm start prints it without an installation. */
export const START_USAGE = readFileSync(new URL('start-help.txt', import.meta.url), 'utf8')

const portNumber = v.pipe(v.string(), v.regex(/^\d{1,5}$/), v.transform(Number), v.maxValue(65_535))

// The zone is required: without it, the instant would differ between machines.
const instant = v.pipe(
  v.string(),
  v.regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,3})?)?(Z|[+-]\d\d:\d\d)$/),
  // `Date.parse` would read 30 February as 2 March.
  v.check((text) => v.is(CalendarDate, text.slice(0, 10))),
  v.transform(Date.parse),
  v.safeInteger(),
)

export const readStartCommandLine = (args: readonly string[]): CommandLine<LocalOptions> =>
  readBy(
    {
      args: [...args],
      options: {
        port: { type: 'string', default: '3000' },
        data: { type: 'string' },
        memory: { type: 'boolean', default: false },
        now: { type: 'string' },
        assembly: { type: 'string' },
        agent: { type: 'string' },
        'public-url': { type: 'string' },
        twice: { type: 'boolean', default: false },
        'time-limits': { type: 'boolean', default: false },
        json: { type: 'boolean', default: false },
        verbose: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    },
    ({ values }) => (values.help ? { kind: 'help' } : check(values)),
  )

interface Values {
  readonly port: string
  readonly data?: string
  readonly memory: boolean
  readonly now?: string
  readonly assembly?: string
  readonly agent?: string
  readonly 'public-url'?: string
  readonly twice: boolean
  readonly 'time-limits': boolean
  readonly json: boolean
  readonly verbose: boolean
}

/** Why an agent cannot call the leads of the demo. */
const mistakeOfAgent = (agent: string, { memory, now }: Values): string | undefined => {
  if (agent === '') return '--agent takes the key of an agent.'
  if (agent === SIMULATOR) return 'The simulator calls the leads of the demo without --agent.'
  if (memory) return '--memory keeps no agent from an earlier start, so you cannot combine it with --agent.'
  if (now !== undefined) return '--now moves the clock, so phones could ring at unlawful times: you cannot combine it with --agent.'
  return undefined
}

const check = (values: Values): CommandLine<LocalOptions> => {
  const port = v.safeParse(portNumber, values.port)
  if (!port.success) return mistake(`--port takes a number from 0 to 65535, not "${values.port}".`)
  const now = v.safeParse(v.optional(instant), values.now)
  if (!now.success) return mistake(`--now takes an instant with a zone, such as 2026-11-20T16:00:00Z, not "${values.now}".`)
  if (values.memory && values.data !== undefined) return mistake('--memory keeps nothing, so you cannot combine it with --data.')
  if (values.data === '') return mistake('--data takes the name of a directory.')
  if (values.assembly === '') return mistake('--assembly takes the name of a directory.')
  const agentMistake = values.agent === undefined ? undefined : mistakeOfAgent(values.agent, values)
  if (agentMistake !== undefined) return mistake(agentMistake)
  const publicUrl = publicOrigin(values['public-url'])
  if (publicUrl === null)
    return mistake(
      `--public-url takes the https address of a tunnel without a path, such as https://calls.example.com, not "${values['public-url']}".`,
    )
  const dataDirectory = values.memory ? undefined : (values.data ?? '.local')
  const { assembly, agent, twice, json, 'time-limits': timeLimits } = values
  const verbose = values.verbose || json
  const chosen = { port: port.output, dataDirectory, now: now.output, assembly, agent, publicUrl }
  return { kind: 'run', options: { ...chosen, twice, timeLimits, json, verbose } }
}
