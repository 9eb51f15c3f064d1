import { randomUUID } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Worker } from 'node:worker_threads'
import type { FunctionSpec } from '../model.ts'
import type { RunOutcome, SandboxReply, SandboxSettings } from './messages.ts'

/** Seconds. Lambda allows a function ten to load, but on a machine of its own. */
const LOAD_LIMIT = 20

const LAST_WORDS_MS = 500

const program = stripTypeScriptTypes(readFileSync(new URL('sandbox.ts', import.meta.url), 'utf8'))
const programUrl = new URL(`data:text/javascript,${encodeURIComponent(program)}`)

export interface Sandbox {
  /** Resolves to undefined when the bundle is loaded, or to the failure. */
  readonly loaded: Promise<RunOutcome | undefined>
  /** Resolves when the thread has ended, for any reason. */
  readonly ended: Promise<void>
  run(payload: string): Promise<RunOutcome>
  end(): void
}

/** Factors for a function's time limits. */
export interface Patience {
  /** For the time after which the function is ended. */
  readonly enforced: number
  /** For the remaining time that the function sees. */
  readonly shown: number
}

/** Starts a thread for one function. It handles one event at a time. A timeout, a crash or a failed load ends it. */
export const startSandbox = (spec: FunctionSpec, patience: Patience): Sandbox => {
  const worker = new Worker(programUrl, {
    workerData: settingsOf(spec, patience.shown),
    env: { ...spec.environment },
    resourceLimits: { maxOldGenerationSizeMb: spec.memoryMb },
    name: spec.name,
  })
  let answer: (outcome: RunOutcome | undefined) => void = () => {}
  const waitFor = (seconds: number, what: string) =>
    new Promise<RunOutcome | undefined>((resolve) => {
      const limit = seconds * patience.enforced
      const timedOut = { ok: false, errorType: 'TimedOut', message: `${what} timed out after ${limit} seconds` } as const
      const timer = setTimeout(() => finish(timedOut), limit * 1000)
      const finish = (outcome: RunOutcome | undefined) => {
        clearTimeout(timer)
        answer = () => {}
        resolve(outcome)
        if (outcome?.ok === false && outcome.errorType !== 'HandlerError') worker.terminate()
      }
      answer = finish
    })
  worker.on('message', (reply: SandboxReply) => answer(outcomeOf(reply)))
  worker.on('error', (error) => {
    console.error(`${spec.name}:`, error)
    answer(crashed(error instanceof Error ? error.message : String(error)))
  })
  const ended = new Promise<void>((resolve) => {
    worker.on('exit', () => {
      answer(crashed('its sandbox ended'))
      resolve()
    })
  })
  const loaded = waitFor(LOAD_LIMIT, 'Init')
  return {
    loaded,
    ended,
    async run(payload) {
      const outcome = waitFor(spec.timeoutSeconds, 'Task')
      worker.postMessage({ payload, requestId: randomUUID() })
      return (await outcome) ?? crashed('it sent an unexpected answer')
    },
    // Ends later: output that is still in flight would be lost.
    end: () => void setTimeout(() => worker.terminate(), LAST_WORDS_MS),
  }
}

const crashed = (reason: string): RunOutcome => {
  return { ok: false, errorType: 'Crashed', message: reason }
}

/** Undefined when the reply says that the bundle is loaded. */
const outcomeOf = (reply: SandboxReply): RunOutcome | undefined => {
  if (reply.type === 'loaded') return undefined
  if (reply.type === 'done') return { ok: true, payload: reply.payload }
  return { ok: false, errorType: 'HandlerError', message: reply.message }
}

const settingsOf = (spec: FunctionSpec, shown: number): SandboxSettings => {
  const dot = spec.handler.lastIndexOf('.')
  const base = join(spec.bundle, spec.handler.slice(0, dot))
  const file = [`${base}.mjs`, `${base}.js`].find(existsSync) ?? `${base}.mjs`
  const { arn, memoryMb } = spec
  const timeoutSeconds = spec.timeoutSeconds * shown
  return { module: pathToFileURL(file).href, export: spec.handler.slice(dot + 1), functionName: spec.name, arn, timeoutSeconds, memoryMb }
}
