import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { type MortalProcess, spawnMortal } from '#lib/local/processes/mortal-process.ts'
import { now as serviceNow } from '#shared/platform/clock.ts'
import { eventually } from '#test/support/eventually.ts'
import { reportHotKeys, type SeenLoads, seenLoads } from './hot-key-findings.ts'
import type { TableLimits } from './key-loads.ts'
import { startLimitedEngine } from './limited-engine.ts'

/** The limits of DynamoDB in front of a table. */
export interface Limits {
  /** URL of the engine itself. Requests to it do not count. */
  engineUrl(): string
  /** Kills the engine as a crash of the machine would, and starts it again on its file. */
  crash(): Promise<void>
  /** From here on, loads count. Earlier ones only fill the table. Default: from the start. */
  begin(): void
  seen(): SeenLoads
  /** Prints the hottest keys as shares of their limits. @returns the keys that are too hot, as faults */
  report(print: (line: string) => void): string[]
  stop(): Promise<void>
}

interface Options extends Partial<TableLimits> {
  /** The engine's database. Default: in memory. */
  readonly file?: string
  /** The clock of the limits. Default: the service's clock in this process. */
  readonly now?: () => number
}

const PROCESS = fileURLToPath(new URL('engine-process.ts', import.meta.url))

interface EngineApart extends MortalProcess {
  readonly url: string
}

/** Starts an engine in a process of its own, which can be killed. */
const startApart = async (options: string): Promise<EngineApart> => {
  const started = await spawnMortal(process.execPath, ['--disable-warning=ExperimentalWarning', PROCESS, options])
  let complaint = ''
  started.stderr.on('data', (text) => {
    complaint += text
  })
  const url = await Promise.race([once(started.stdout, 'data'), started.exited])
  if (!url) throw new Error(`The engine does not start: ${complaint}`)
  return { ...started, url: `${url}`.trim() }
}

const isGone = async ({ url }: EngineApart): Promise<boolean> => {
  const answer = await fetch(url).catch(() => undefined)
  await answer?.body?.cancel()
  return answer === undefined
}

/**
 * Starts an engine with the limits of DynamoDB in front. Names it in `DYNAMODB_ENDPOINT` until its stop, so that each world and each local
 * service that begins meanwhile uses it.
 */
export const startLimits = async ({ file, now = serviceNow, ...limits }: Options = {}): Promise<Limits> => {
  const { PATH, DYNAMODB_ENDPOINT } = process.env
  const options = JSON.stringify({ file, environment: { PATH, DYNAMODB_ENDPOINT } })
  let engine = await startApart(options)
  const limited = await startLimitedEngine(() => engine.url, { isCold: false, now, ...limits })
  process.env['DYNAMODB_ENDPOINT'] = limited.url
  const seen = (): SeenLoads => seenLoads(limited.loads)
  return {
    engineUrl: () => engine.url,
    crash: async () => {
      process.kill(engine.pid, 'SIGKILL')
      await engine.exited
      await eventually(() => isGone(engine))
      engine = await startApart(options)
    },
    begin: limited.loads.forget,
    seen,
    report: (print) => reportHotKeys([seen()], print),
    stop: async () => {
      if (DYNAMODB_ENDPOINT === undefined) delete process.env['DYNAMODB_ENDPOINT']
      else process.env['DYNAMODB_ENDPOINT'] = DYNAMODB_ENDPOINT
      await limited.stop()
      await engine.stop()
    },
  }
}
