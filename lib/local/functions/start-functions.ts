import { type ChildProcess, fork } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import * as v from 'valibot'
import { StartFailure } from '../engines/engine.ts'
import type { FunctionSpec, Invoke } from '../model.ts'
import { type HostRequest, type RunOutcome, reply } from './messages.ts'

interface FunctionsOptions {
  readonly log: (line: string) => void
  /** Functions that get a sandbox at the first start, before their first event. */
  readonly warm?: readonly string[]
  /** File with the id of the process that runs the functions. When that process dies, the file gets its successor's id. */
  readonly pidFile?: string | undefined
  /** Factor for the time limits of functions. Default: 1. */
  readonly patience?: number
  /** Functions whose answer nobody waits for. Default: none. */
  readonly background?: readonly string[]
  /** The Node executable for the functions. Default: the one that runs this process. */
  readonly node?: string
}

export interface RunningFunctions {
  readonly invoke: Invoke
  /** Resolves when the `warm` functions are warm, or their process has died. */
  readonly warmed: Promise<void>
  /** Id of the functions' process; during a restart, of the one that died. */
  pid(): number
  /** Events that are running get no outcome. Otherwise a stop would look like a crash in the log. */
  stop(): Promise<void>
}

type Invocation = Extract<HostRequest, { type: 'invoke' }>

const HOST = fileURLToPath(new URL('host.ts', import.meta.url))
const PAUSE_AFTER_FAILED_START_MS = 250
/** Most failed starts before the service is ready. After that, restarts are tried without limit. */
const MOST_FAILED_FIRST_STARTS = 4
const CRASHED: RunOutcome = { ok: false, errorType: 'Crashed', message: "the functions' process died" }

/**
 * Starts the functions' process, and restarts it whenever it dies. Events that ran in it count as crashed; new events wait for the restart.
 * @throws StartFailure when the first start fails repeatedly
 */
export const startFunctions = async (
  specs: readonly FunctionSpec[],
  { log, warm = [], pidFile, patience = 1, background = [], node = process.execPath }: FunctionsOptions,
): Promise<RunningFunctions> => {
  const pending = new Map<number, (outcome: RunOutcome) => void>()
  const unsent: Invocation[] = []
  const ready = Promise.withResolvers<void>()
  const warmed = Promise.withResolvers<void>()
  let host: ChildProcess | undefined
  let pid = 0
  let lastId = 0
  let isReady = false
  let failedStarts = 0
  let stopped = false

  const send = (message: Invocation): void => {
    if (!host?.connected) {
      unsent.push(message)
      return
    }
    host.send(message, (error) => {
      // The process has just died without this event. The next process gets it.
      if (error !== null && pending.has(message.id)) unsent.push(message)
    })
  }

  const start = (): void => {
    const child = forkHost(node)
    if (child instanceof Error) return void startLater(child.message)
    // A process that could not be spawned has no id. It emits the reason, and no exit event.
    child.on('error', (error) => (child.pid === undefined ? startLater(error.message) : log(`functions: ${error.message}`)))
    if (child.pid !== undefined) follow(child, child.pid)
  }

  const follow = (child: ChildProcess, childPid: number): void => {
    let started = false
    host = child
    pid = childPid
    if (pidFile !== undefined) writeFileSync(pidFile, `${pid}\n`)
    for (const output of [child.stdout, child.stderr]) if (output) createInterface({ input: output }).on('line', log)
    const setting = { functions: [...specs], patience, background: [...background] }
    child.send({ type: 'configure', ...setting, warm: isReady ? [] : [...warm] } satisfies HostRequest)
    for (const message of unsent.splice(0)) child.send(message)
    child.once('exit', (code, signal) => {
      warmed.resolve()
      if (stopped) return
      crashAllSent()
      if (!started) return void startLater(`the process ended (${signal ?? code}) before it was ready`)
      log(`functions: the process ended (${signal ?? code}) and is restarted`)
      start()
    })
    child.on('message', (message) => {
      const received = v.parse(reply, message)
      if (received.type === 'result') return resolveEvent(received.id, received.outcome)
      if (received.type === 'warm') return warmed.resolve()
      started = true
      isReady = true
      ready.resolve()
    })
  }

  /** Starts again after a pause: the system may lack a resource for a moment. */
  const startLater = async (reason: string): Promise<void> => {
    if (stopped) return
    log(`functions: ${reason}`)
    if (!isReady && ++failedStarts === MOST_FAILED_FIRST_STARTS) {
      stopped = true
      return ready.reject(new StartFailure(`The functions' process cannot be started: ${reason}.`))
    }
    await pause(PAUSE_AFTER_FAILED_START_MS)
    if (!stopped) start()
  }

  const resolveEvent = (id: number, outcome: RunOutcome): void => {
    pending.get(id)?.(outcome)
    pending.delete(id)
  }

  const crashAllSent = (): void => {
    const waiting = new Set(unsent.map((message) => message.id))
    for (const id of [...pending.keys()]) if (!waiting.has(id)) resolveEvent(id, CRASHED)
  }

  start()
  await ready.promise
  return {
    async invoke(functionName, event) {
      const id = ++lastId
      const outcome = await new Promise<RunOutcome>((resolve) => {
        if (stopped) return
        pending.set(id, resolve)
        send({ type: 'invoke', id, functionName, payload: JSON.stringify(event ?? null) })
      })
      return outcome.ok ? { ok: true, payload: JSON.parse(outcome.payload) } : outcome
    },
    warmed: warmed.promise,
    pid: () => pid,
    async stop() {
      stopped = true
      if (host?.exitCode === null && host.signalCode === null) {
        const ended = new Promise((resolve) => host?.once('exit', resolve))
        host.kill('SIGKILL')
        await ended
      }
      if (pidFile !== undefined) rmSync(pidFile, { force: true })
    },
  }
}

/** Some failures to start are thrown at once; others come as an error event of the process. */
const forkHost = (node: string): ChildProcess | Error => {
  try {
    return fork(HOST, {
      execPath: node,
      // UTC is Lambda's zone. In its own process group, the process does not get Ctrl-C; we stop it in order.
      env: { ...process.env, TZ: 'UTC' },
      execArgv: ['--disable-warning=ExperimentalWarning'],
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    })
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  }
}
