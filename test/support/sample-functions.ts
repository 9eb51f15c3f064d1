import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startFunctions } from '#lib/local/functions/start-functions.ts'
import type { FunctionSpec } from '#lib/local/model.ts'
import { MOST_SANDBOXES } from '#lib/local/sandbox-limits.ts'

const MEETING = `import { existsSync, readdirSync, writeFileSync } from 'node:fs'
  import { setTimeout } from 'node:timers/promises'
  export const handler = async ({ folder, name, count }) => {
    writeFileSync(folder + '/' + name, '')
    while (readdirSync(folder).length < count && !existsSync(folder + '/../over')) await setTimeout(5)
    return 'met'
  }`

const sources = {
  echo: `export const handler = async (event, context) => ({ event, name: process.env.NAME, home: process.env.HOME ?? null, zone: new Date().getTimezoneOffset(),
    context: { ...context, left: context.getRemainingTimeInMillis() } })`,
  other: 'export const handler = async () => ({ name: process.env.NAME, global: globalThis.mark ?? null })',
  marking: 'export const handler = async () => { globalThis.mark = (globalThis.mark ?? 0) + 1; return globalThis.mark }',
  meeting: MEETING,
  first: MEETING,
  second: MEETING,
  third: MEETING,
  endless: 'export const handler = (event) => { while (event.ever) {} return "ended" }',
  hasty: 'export const handler = async () => { const end = performance.now() + 400; while (performance.now() < end) {} return "late" }',
  throwing: 'export const handler = async (event) => { if (event.fine) return "fine"; throw new RangeError("out of range") }',
  exiting: 'export const handler = async () => process.exit(0)',
  rejecting: 'export const handler = () => { Promise.reject(new Error("nobody listens")); return new Promise(() => {}) }',
  broken: 'import "nothing-of-that-name"; export const handler = async () => 1',
  behind: 'export const handler = async (event, context) => context.getRemainingTimeInMillis()',
  nothing: 'export const handler = async () => { console.log("said by a function") }',
}

export type SampleFunction = keyof typeof sources

/** More functions than sandboxes may run at once. */
export const CROWD = Array.from({ length: MOST_SANDBOXES + 6 }, (_, index) => `crowd-${index}`)

/** Time limit of most functions. */
export const SECONDS = 600

/** Functions that are invoked without waiting for their answer. */
export const BACKGROUND = ['first', 'second', 'third'] as const

/** Functions of all kinds, in sandboxes like those of the local service. */
export const startSampleFunctions = async ({ patience = 1 }: { readonly patience?: number } = {}) => {
  const directory = mkdtempSync(join(tmpdir(), 'functions-'))
  const pidFile = join(directory, 'functions.pid')
  const all = [...Object.entries(sources), ...CROWD.map((name) => [name, sources.other] as const)]
  const specs = all.map(([name, source]): FunctionSpec => {
    const bundle = join(directory, name)
    mkdirSync(bundle)
    writeFileSync(join(bundle, 'index.mjs'), source)
    const arn = `arn:aws:lambda:us-east-1:123456789012:function:${name}`
    const timeoutSeconds = name === 'endless' || name === 'hasty' ? 0.3 : SECONDS
    return { name, arn, bundle, handler: 'index.handler', environment: { NAME: name }, timeoutSeconds, memoryMb: 128 }
  })
  const lines: string[] = []
  const functions = await startFunctions(specs, {
    log: (line) => lines.push(line),
    warm: ['echo'],
    pidFile,
    patience,
    background: [...BACKGROUND, 'behind'],
  })
  return {
    functions,
    directory,
    pidFile,
    specs,
    /** Their log lines. */
    lines,
    invoke: (name: SampleFunction, event: unknown = {}) => functions.invoke(name, event),
    /** A folder in which runs of `meeting` wait until `count` of them have arrived. */
    meetingOf: (count: number) => {
      const folder = mkdtempSync(join(directory, 'meeting-'))
      return {
        arrived: () => readdirSync(folder).length,
        arrive: (name: string, functionName: SampleFunction = 'meeting') => functions.invoke(functionName, { folder, name, count }),
      }
    },
    /** Ends all meetings, even if some runs have not arrived. */
    endMeetings: () => writeFileSync(join(directory, 'over'), ''),
    stop: async (): Promise<void> => {
      await functions.stop()
      rmSync(directory, { recursive: true })
    },
  }
}
