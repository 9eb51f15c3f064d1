import { type ChildProcess, fork } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import * as v from 'valibot'
import type { FunctionSpec, Invoke } from '../model.ts'
import { type Outcome, type Request, reply } from './messages.ts'

interface FunctionsOptions {
  readonly log: (line: string) => void
  /** Functions that get a sandbox at the first start, before their first event. */
  readonly warm?: readonly string[]
  /** Holds the id of the current process, which changes when it dies. */
  readonly pidFile?: string | undefined
}

export interface RunningFunctions {
  readonly invoke: Invoke
  /** Resolves when the functions that were to be warmed are, or their process died. */
  readonly warmed: Promise<void>
  pid(): number
  /** Called with the new process id each time the functions' process had died and was started again. */
  onRestart(listener: (pid: number) => void): void
  stop(): Promise<void>
}

type Invocation = Extract<Request, { type: 'invoke' }>

const HOST = fileURLToPath(new URL('host.ts', import.meta.url))
const PAUSE_AFTER_FAILED_START_MS = 250
const CRASHED: Outcome = { ok: false, errorType: 'Crashed', message: "the functions' process died" }

/** Starts the functions' process, and starts it again whenever it dies. What ran in it then has crashed; what comes meanwhile waits. */
export const startFunctions = async (
  specs: readonly FunctionSpec[],
  { log, warm = [], pidFile }: FunctionsOptions,
): Promise<RunningFunctions> => {
  const pending = new Map<number, (outcome: Outcome) => void>()
  const unsent: Invocation[] = []
  const listeners: ((pid: number) => void)[] = []
  const warmed = Promise.withResolvers<void>()
  let host = forkHost(log)
  let lastId = 0
  let stopped = false

  const send = (message: Invocation): void => {
    if (!host.connected) {
      unsent.push(message)
      return
    }
    host.send(message, (error) => {
      // It died a moment ago and never saw this one; the next process will.
      if (error !== null && pending.has(message.id)) unsent.push(message)
    })
  }

  const follow = (child: ChildProcess, toWarm: readonly string[]): Promise<void> => {
    let started = false
    child.send({ type: 'configure', functions: [...specs], warm: [...toWarm] } satisfies Request)
    for (const message of unsent.splice(0)) child.send(message)
    if (pidFile !== undefined) writeFileSync(pidFile, `${child.pid}\n`)
    child.on('error', (error) => log(`functions: ${error.message}`))
    child.once('exit', async (code, signal) => {
      crashAllSent()
      warmed.resolve()
      if (stopped) return
      log(`functions: the process ended (${signal ?? code}) and is started again`)
      if (!started) await pause(PAUSE_AFTER_FAILED_START_MS)
      if (!stopped) restart()
    })
    return new Promise((resolve) => {
      child.on('message', (message) => {
        const told = v.parse(reply, message)
        if (told.type === 'result') return settle(told.id, told.outcome)
        if (told.type === 'warm') return warmed.resolve()
        started = true
        resolve()
      })
    })
  }

  const settle = (id: number, outcome: Outcome): void => {
    pending.get(id)?.(outcome)
    pending.delete(id)
  }

  const crashAllSent = (): void => {
    const waiting = new Set(unsent.map((message) => message.id))
    for (const id of [...pending.keys()]) if (!waiting.has(id)) settle(id, CRASHED)
  }

  const restart = (): void => {
    host = forkHost(log)
    void follow(host, [])
    for (const listener of listeners) listener(pidOf(host))
  }

  await follow(host, warm)
  return {
    async invoke(functionName, event) {
      const id = ++lastId
      const outcome = await new Promise<Outcome>((resolve) => {
        if (stopped) return resolve(CRASHED)
        pending.set(id, resolve)
        send({ type: 'invoke', id, functionName, payload: JSON.stringify(event ?? null) })
      })
      return outcome.ok ? { ok: true, payload: JSON.parse(outcome.payload) } : outcome
    },
    warmed: warmed.promise,
    pid: () => pidOf(host),
    onRestart: (listener) => void listeners.push(listener),
    async stop() {
      stopped = true
      const ended = new Promise((resolve) => host.once('exit', resolve))
      if (host.exitCode === null && host.signalCode === null) {
        host.kill('SIGKILL')
        await ended
      }
      unsent.length = 0
      crashAllSent()
      if (pidFile !== undefined) rmSync(pidFile, { force: true })
    },
  }
}

const forkHost = (log: (line: string) => void): ChildProcess => {
  const child = fork(HOST, {
    // Lambda's zone. A process group of its own keeps Ctrl-C for the one that stops things in order.
    env: { ...process.env, TZ: 'UTC' },
    execArgv: ['--disable-warning=ExperimentalWarning'],
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  for (const output of [child.stdout, child.stderr]) if (output !== null) createInterface({ input: output }).on('line', log)
  return child
}

const pidOf = (child: ChildProcess): number => {
  if (child.pid === undefined) throw new Error("the functions' process could not be started")
  return child.pid
}
