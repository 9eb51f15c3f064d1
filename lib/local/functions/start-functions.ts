import { type ChildProcess, fork } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import * as v from 'valibot'
import { StartFailure } from '../engines/start-failure.ts'
import type { FunctionSpec, Invoke } from '../model.ts'
import { type HostRequest, type RunOutcome, reply } from './messages.ts'

interface FunctionsOptions {
  readonly log: (line: string) => void
  /** Functions that get a sandbox at the first start, before their first event. */
  readonly warm?: readonly string[]
  /** Holds the id of the current process, which changes when it dies. */
  readonly pidFile?: string | undefined
  /** By which the time limits of functions are multiplied. Default: 1. */
  readonly patience?: number
  /** Functions for whose answer nobody waits. Default: none. */
  readonly background?: readonly string[]
  /** The Node that runs them. Default: the one that runs this. */
  readonly node?: string
}

export interface RunningFunctions {
  readonly invoke: Invoke
  /** Resolves when the functions that were to be warmed are, or their process died. */
  readonly warmed: Promise<void>
  /** Id of the functions' process; while that is being started again, of the one that died. */
  pid(): number
  stop(): Promise<void>
}

type Invocation = Extract<HostRequest, { type: 'invoke' }>

const HOST = fileURLToPath(new URL('host.ts', import.meta.url))
const PAUSE_AFTER_FAILED_START_MS = 250
/** Before anybody was told that the service is ready. Later the process is started for as long as it takes. */
const MOST_FAILED_FIRST_STARTS = 4
const CRASHED: RunOutcome = { ok: false, errorType: 'Crashed', message: "the functions' process died" }

/**
 * Starts the functions' process, and starts it again whenever it dies. What ran in it then has crashed; what comes meanwhile waits.
 * @throws StartFailure when the process cannot be started at first
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
      // It died a moment ago and never saw this one; the next process will.
      if (error !== null && pending.has(message.id)) unsent.push(message)
    })
  }

  const start = (): void => {
    const child = forkHost(node)
    if (child instanceof Error) return void startLater(child.message)
    // One that could not even be spawned has no id, tells why, and never exits.
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
      crashAllSent()
      warmed.resolve()
      if (stopped) return
      if (!started) return void startLater(`the process ended (${signal ?? code}) before it was ready`)
      log(`functions: the process ended (${signal ?? code}) and is started again`)
      start()
    })
    child.on('message', (message) => {
      const told = v.parse(reply, message)
      if (told.type === 'result') return settle(told.id, told.outcome)
      if (told.type === 'warm') return warmed.resolve()
      started = true
      isReady = true
      ready.resolve()
    })
  }

  /** The system may be short of something for a moment. */
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

  const settle = (id: number, outcome: RunOutcome): void => {
    pending.get(id)?.(outcome)
    pending.delete(id)
  }

  const crashAllSent = (): void => {
    const waiting = new Set(unsent.map((message) => message.id))
    for (const id of [...pending.keys()]) if (!waiting.has(id)) settle(id, CRASHED)
  }

  start()
  await ready.promise
  return {
    async invoke(functionName, event) {
      const id = ++lastId
      const outcome = await new Promise<RunOutcome>((resolve) => {
        if (stopped) return resolve(CRASHED)
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
      unsent.length = 0
      crashAllSent()
      if (pidFile !== undefined) rmSync(pidFile, { force: true })
    },
  }
}

/** Some reasons not to start are thrown at once, others told by the process that never was. */
const forkHost = (node: string): ChildProcess | Error => {
  try {
    return fork(HOST, {
      execPath: node,
      // Lambda's zone. A process group of its own keeps Ctrl-C for the one that stops things in order.
      env: { ...process.env, TZ: 'UTC' },
      execArgv: ['--disable-warning=ExperimentalWarning'],
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    })
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  }
}
