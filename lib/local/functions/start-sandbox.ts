import { randomUUID } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Worker } from 'node:worker_threads'
import type { FunctionSpec } from '../model.ts'
import type { Outcome, SandboxReply, SandboxSettings } from './messages.ts'

/** Lambda gives a function ten seconds to load, on a machine of its own. */
const LOAD_LIMIT_MS = 20_000

const LAST_WORDS_MS = 500

const program = stripTypeScriptTypes(readFileSync(new URL('sandbox.ts', import.meta.url), 'utf8'))
const programUrl = new URL(`data:text/javascript,${encodeURIComponent(program)}`)

export interface Sandbox {
  /** Resolves when the bundle is loaded; to the reason when it cannot be. */
  readonly loaded: Promise<Outcome | undefined>
  /** Resolves when the thread has ended, whatever ended it. */
  readonly ended: Promise<void>
  run(payload: string): Promise<Outcome>
  end(): void
}

/** Starts a thread for one function. It answers one event at a time; a time-out, a crash or a failed load ends it. */
export const startSandbox = (spec: FunctionSpec): Sandbox => {
  const worker = new Worker(programUrl, {
    workerData: settingsOf(spec),
    env: { ...spec.environment },
    resourceLimits: { maxOldGenerationSizeMb: spec.memoryMb },
    name: spec.name,
  })
  let answer: (outcome: Outcome | undefined) => void = () => {}
  const waitFor = (limitMs: number, sentence: string) =>
    new Promise<Outcome | undefined>((resolve) => {
      const timer = setTimeout(() => settle({ ok: false, errorType: 'TimedOut', message: sentence }), limitMs)
      const settle = (outcome: Outcome | undefined) => {
        clearTimeout(timer)
        answer = () => {}
        resolve(outcome)
        if (outcome?.ok === false && outcome.errorType !== 'HandlerError') worker.terminate()
      }
      answer = settle
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
  const loaded = waitFor(LOAD_LIMIT_MS, `Init timed out after ${LOAD_LIMIT_MS / 1000} seconds`)
  return {
    loaded,
    ended,
    async run(payload) {
      const outcome = waitFor(spec.timeoutSeconds * 1000, `Task timed out after ${spec.timeoutSeconds} seconds`)
      worker.postMessage({ payload, requestId: randomUUID() })
      return (await outcome) ?? crashed('it answered out of turn')
    },
    // What it printed last is on its way still, and would be lost.
    end: () => void setTimeout(() => worker.terminate(), LAST_WORDS_MS),
  }
}

const crashed = (reason: string): Outcome => {
  return { ok: false, errorType: 'Crashed', message: reason }
}

/** Undefined: loaded. */
const outcomeOf = (reply: SandboxReply): Outcome | undefined => {
  if (reply.type === 'loaded') return undefined
  if (reply.type === 'done') return { ok: true, payload: reply.payload }
  return { ok: false, errorType: 'HandlerError', message: reply.message }
}

const settingsOf = (spec: FunctionSpec): SandboxSettings => {
  const dot = spec.handler.lastIndexOf('.')
  const base = join(spec.bundle, spec.handler.slice(0, dot))
  const file = [`${base}.mjs`, `${base}.js`].find(existsSync) ?? `${base}.mjs`
  const { arn, timeoutSeconds, memoryMb } = spec
  return { module: pathToFileURL(file).href, export: spec.handler.slice(dot + 1), functionName: spec.name, arn, timeoutSeconds, memoryMb }
}
