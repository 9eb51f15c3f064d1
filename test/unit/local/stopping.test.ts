import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, it } from '@jest/globals'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'stopping-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Starts the service and gives it a signal, twice as npm does, after so many milliseconds. */
const stopAfter = async (milliseconds: number, signal: NodeJS.Signals) => {
  const TMPDIR = join(folder, `${milliseconds}`)
  mkdirSync(TMPDIR)
  const child = spawn(process.execPath, ['bin/local.ts', '--json', '--memory', '--port', '0'], {
    cwd: ROOT,
    env: { ...process.env, TMPDIR },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const said = text(child.stderr)
  await pause(milliseconds)
  const from = performance.now()
  const gone = once(child, 'exit')
  child.kill(signal)
  child.kill(signal)
  const [code, killedBy] = await gone
  return { code, killedBy, said: await said, took: performance.now() - from, left: readdirSync(TMPDIR) }
}

describe('a signal while the service starts', () => {
  it.each<[number, NodeJS.Signals]>([
    [400, 'SIGINT'],
    [1000, 'SIGTERM'],
    [1800, 'SIGINT'],
    [2800, 'SIGTERM'],
  ])('ends it after %i ms by %s: in time, without a word and with nothing left behind', async (milliseconds, signal) => {
    const { code, killedBy, said, took, left } = await stopAfter(milliseconds, signal)
    // A signal may find a process that has not come so far as to listen to any: then it ends as processes do.
    const isEarly = milliseconds === 400 && killedBy === signal
    expect({ code, killedBy, left }).toEqual(isEarly ? { code: null, killedBy: signal, left: [] } : { code: 0, killedBy: null, left: [] })
    expect(said).not.toMatch(/cannot start|^ +at |Error/m)
    // Loading and synthesis hold up the signal itself, for long while the machine does other things; it is not for ever.
    expect(took).toBeLessThan(30_000)
  })
})
