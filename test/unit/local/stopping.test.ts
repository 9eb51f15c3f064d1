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

/** What its folder holds when it has come so far. */
const MOMENTS = {
  'is spawned': undefined,
  'takes its folder': '*',
  'starts its engines': '*/s3',
  'has its templates': '*/cdk.out/manifest.json',
}
type Moment = keyof typeof MOMENTS

/** Starts the service and gives it a signal, twice as npm does, as soon as it has come so far. */
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
  ])('ends it when it %s, by %s: without a word and with nothing left behind', async (moment, signal) => {
    const { code, killedBy, said, left } = await stopWhenIt(moment, signal)
    // A signal may find a process that does not listen to any yet: then it ends as processes do.
    const isEarly = moment === 'is spawned' && killedBy === signal
    expect({ code, killedBy, left }).toEqual(isEarly ? { code: null, killedBy: signal, left: [] } : { code: 0, killedBy: null, left: [] })
    expect(said).not.toMatch(/cannot start|^ +at |Error/m)
  })
})
