import { spawn } from 'node:child_process'
import { type Readable, Writable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'

/**
 * A watcher reads a pipe whose other end we hold. However we die, kill -9 included, our end closes. Then the watcher kills the program,
 * which runs under the shell's own process id. A line on the pipe ends the watcher without a kill.
 */
const DIE_WITH_PARENT = '(read -r _ <&3 || kill -9 $$) >/dev/null 2>&1 & exec "$0" "$@" 3<&-'

export interface MortalProcess {
  readonly pid: number
  readonly stdout: Readable
  readonly stderr: Readable
  readonly exited: Promise<void>
  /** Sends SIGTERM, and SIGKILL a second later if the process still runs. */
  stop(): Promise<void>
}

/** Runs a program that never outlives this process. */
export const spawnMortal = async (program: string, args: readonly string[]): Promise<MortalProcess> => {
  // In a session of its own, so that Ctrl-C reaches only us and we stop everything in order.
  const child = spawn('/bin/sh', ['-c', DIE_WITH_PARENT, program, ...args], { detached: true, stdio: ['ignore', 'pipe', 'pipe', 'pipe'] })
  await new Promise((resolve, reject) => child.once('spawn', resolve).once('error', reject))
  const { pid, stdout, stderr } = child
  const lifeline = child.stdio[3]
  if (pid === undefined || stdout === null || stderr === null || !(lifeline instanceof Writable)) throw new Error(`${program} has no pipes`)
  lifeline.on('error', () => {})
  const exited = new Promise<void>((resolve) => {
    child.once('exit', () => {
      lifeline.end('\n')
      resolve()
    })
  })
  return {
    pid,
    stdout,
    stderr,
    exited,
    async stop() {
      child.kill('SIGTERM')
      await Promise.race([exited, pause(1000, undefined, { ref: false })])
      child.kill('SIGKILL')
      await exited
    },
  }
}
