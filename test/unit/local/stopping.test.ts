import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, it } from '@jest/globals'
import { eventually } from '#test/support/eventually.ts'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'stopping-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Files in the service's folder that show how far its start has come. */
const MOMENTS = {
  'is spawned': undefined,
  'takes its folder': '*',
  'starts its engines': '*/s3',
  'has its templates': '*/cdk.out/manifest.json',
}
type Moment = keyof typeof MOMENTS

/** Starts the service and sends a signal at this moment of its start, twice as npm does. */
const stopWhenIt = async (moment: Moment, signal: NodeJS.Signals) => {
  const TMPDIR = mkdtempSync(join(folder, 'run-'))
  const child = spawn(process.execPath, ['bin/local.ts', '--json', '--memory', '--port', '0'], {
    cwd: ROOT,
    env: { ...process.env, TMPDIR },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const said = text(child.stderr)
  const pattern = MOMENTS[moment]
  await eventually(() => pattern === undefined || globSync(pattern, { cwd: TMPDIR }).length > 0 || child.exitCode !== null)
  const gone = once(child, 'exit')
  child.kill(signal)
  child.kill(signal)
  const [code, killedBy] = await gone
  return { code, killedBy, said: await said, left: readdirSync(TMPDIR) }
}

describe('a signal while the service starts', () => {
  it.each<[Moment, NodeJS.Signals]>([
    ['is spawned', 'SIGINT'],
    ['takes its folder', 'SIGTERM'],
    ['starts its engines', 'SIGINT'],
    ['has its templates', 'SIGTERM'],
  ])('a signal ends the starting service cleanly when it %s, by %s', async (moment, signal) => {
    const { code, killedBy, said, left } = await stopWhenIt(moment, signal)
    // A signal before the process has its handlers kills it, as it would any process.
    const isEarly = moment === 'is spawned' && killedBy === signal
    expect({ code, killedBy, left }).toEqual(isEarly ? { code: null, killedBy: signal, left: [] } : { code: 0, killedBy: null, left: [] })
    expect(said).not.toMatch(/cannot start|^ +at |Error/m)
  })
})
