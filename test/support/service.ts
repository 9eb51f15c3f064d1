import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { ReadyReport } from '#lib/local/banner.ts'
import { built } from './built.ts'
import { until } from './eventually.ts'

export { until } from './eventually.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** The fields of an answer's body that tests read. */
export type Json = Record<string, unknown> & {
  readonly id: number
  readonly status: string
  readonly status_reason: string | null
  readonly next_call_time: string | null
  readonly next_call_time_reason: string | null
}

/** The line that the service prints with `--json`. */
export type Ready = ReadyReport & { readonly ready: true }

export interface Service extends Ready {
  readonly process: ChildProcess
  /** Its standard error so far. */
  log(): string
  /** Sends a request, by default with the first user's key. @returns status, headers and parsed body */
  call(method: string, path: string, body?: unknown, key?: string): Promise<{ status: number; headers: Headers; body: Json }>
  /** Requests at the simulated agent so far. */
  dials(): Promise<{
    by_key: Record<string, number>
    by_phone: Record<string, number>
    requests: Record<string, number>
    in_progress_overlaps: number
    /** Requests with call reports: all so far, those still waiting for an answer or their time, and the most at once. */
    reports: { sent: number; pending: number; most_at_once: number }
    calls: {
      key: string
      phone: string
      first_request_time: string
      first_request_service_time: string
      dialled: boolean
      end_time: string | null
      /** Whether and when the service accepted the call's outcome. */
      acknowledged: boolean
      acknowledged_time: string | null
    }[]
  }>
  /** Sends a signal, and waits until the process has ended. */
  end(signal?: NodeJS.Signals): Promise<void>
}

/** Limits for a service that hangs, in milliseconds. Shorter than a test's limit, so that the failure names what hung. */
const START_LIMIT_MS = 400_000
const REQUEST_LIMIT_MS = 400_000

interface Start {
  /** Kills the service, even before it is ready. */
  readonly signal?: AbortSignal
  /** Whether to build everything again, as `npm start` does. Default: no in a test run, whose suites share one build. */
  readonly anew?: boolean
  /** Environment variables to add to those of this process. */
  readonly environment?: Readonly<Record<string, string>>
}

/** Prints the log of a failed request, which is otherwise lost when the test fails. */
const showFailure = async (log: () => string, request: string, { status, headers }: Response): Promise<void> => {
  const id = headers.get('x-request-id') ?? headers.get('x-amzn-requestid') ?? request
  const text = await until(log, (lines) => lines.includes(id))
  const lines = text.split('\n').filter((line) => line.includes(id))
  console.error(`${request} was answered ${status}:\n${lines.join('\n')}`)
}

/** Starts the service and waits until it is ready. */
export const startService = async (
  flags: readonly string[],
  { signal, anew = process.env['TEST_RUN_FOLDER'] === undefined, environment }: Start = {},
): Promise<Service> => {
  const given = anew ? [] : ['--assembly', (await built()).assembly]
  const command = ['bin/local.ts', '--json', ...given, ...flags]
  // The functions of the test log nothing, but those of the service do.
  const { POWERTOOLS_LOG_LEVEL: _, ...own } = process.env
  const child = spawn(process.execPath, command, {
    cwd: ROOT,
    // Named, because a child would get the environment of the process, and not that of the test.
    env: { ...own, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  signal?.addEventListener('abort', () => child.kill('SIGKILL'))
  if (signal?.aborted) child.kill('SIGKILL')
  const starting = setTimeout(() => child.kill('SIGKILL'), START_LIMIT_MS)
  let log = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    log = (log + text).slice(-200_000)
  })
  const line = await new Promise<string>((resolve, reject) => {
    let output = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text
      if (output.includes('\n')) resolve(output)
    })
    child.once('exit', (code, killedBy) => reject(new Error(`The service ended with ${code ?? killedBy} before it was ready:\n${log}`)))
  }).finally(() => clearTimeout(starting))
  const ready: Ready = JSON.parse(line)
  return {
    ...ready,
    process: child,
    log: () => log,
    call: async (method, path, body, key = ready.apiKey) => {
      const answer = await fetch(`${ready.url}${path}`, {
        method,
        headers: { authorization: `Token ${key}`, 'content-type': 'application/json' },
        signal: AbortSignal.timeout(REQUEST_LIMIT_MS),
        ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      })
      const text = await answer.text()
      if (answer.status >= 500) await showFailure(() => log, `${method} ${path}`, answer)
      return { status: answer.status, headers: answer.headers, body: text === '' ? undefined : JSON.parse(text) }
    },
    dials: async () => (await fetch(`${ready.agentUrl}/dials`, { signal: AbortSignal.timeout(REQUEST_LIMIT_MS) })).json() as never,
    end: async (signal = 'SIGTERM') => {
      if (child.exitCode !== null || child.signalCode !== null) return
      const gone = once(child, 'exit')
      child.kill(signal)
      await gone
    },
  }
}
