import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import * as v from 'valibot'
import { DAMAGE } from '#test/support/damage.ts'
import { startOps } from '#test/support/ops.ts'
import { NOON } from '#test/support/samples.ts'
import { startWorld } from '#test/support/world.ts'
import { stopStream } from '../page-cost.ts'
import { newGround } from './ground.ts'
import { putSoundLeads } from './sound-leads.ts'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
/** The first of the owners of the sound leads, one for each size. */
const OWNER = 9
/** The first id of the sound leads. */
const FIRST_ID = 2_000_000

const Measured = v.object({ mib: v.number(), reads: v.number() })
const Findings = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({ items: v.number(), findings: v.array(v.object({ kind: v.string(), where: v.string() })) }),
)

/** Runs a check as a process of its own. @param heap MiB of its old generation */
const checkProcess = async (directory: string, heap: number) => {
  const preload = fileURLToPath(new URL('print-memory.ts', import.meta.url))
  const args = [
    `--max-old-space-size=${heap}`,
    '--import',
    preload,
    'bin/ops.ts',
    'check',
    '--json',
    '--again-after',
    '0',
    '--data',
    directory,
  ]
  const child = spawn(process.execPath, args, { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] })
  const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  const [, measured] = /^MEASURED (.*)$/m.exec(err) ?? []
  if (measured === undefined || out === '') throw new Error(`The check ended with ${code}: ${err.slice(-2000)}`)
  return { code, ...v.parse(Findings, out), ...v.parse(Measured, JSON.parse(measured)) }
}

interface CheckPlan {
  /** Numbers of leads at which a check is measured, in ascending order. */
  readonly sizes: readonly number[]
  readonly heap: number
  readonly progress: (text: string) => void
}

export interface CheckCost {
  readonly leads: number
  readonly items: number
  readonly seconds: number
  readonly 'peak MiB': number
  readonly 'read units': number
  readonly kinds: number
}

/** Checks a table of several sizes with one damage of every kind, and compares what is found. @returns faults */
export const checkTables = async ({ sizes, heap, progress }: CheckPlan) => {
  const world = await startWorld()
  process.env['CLOCK_OFFSET_MS'] = `${NOON - Date.now()}`
  const tool = await startOps()
  try {
    const { readUser, saveUser } = await import('#shared/accounts/user-store.ts')
    const user = (await readUser(1))!
    const ground = newGround(world)
    const planted: string[] = []
    for (const [kind, plant] of Object.entries(DAMAGE)) planted.push(`${kind} ${await plant(ground)}`)
    await stopStream()
    const costs: CheckCost[] = []
    const faults: string[] = []
    let written = 0
    for (const leads of sizes) {
      const owner = OWNER + costs.length
      const before = written
      await saveUser({ ...user, id: owner, dnc_group: `${owner}` })
      await putSoundLeads({
        owner,
        firstId: FIRST_ID + before,
        leads: leads - before,
        progress: (done) => progress(`\r${before + done} leads`),
      })
      written = leads
      const started = performance.now()
      const { items, findings, mib, reads } = await checkProcess(tool.directory, heap)
      const found = findings.map(({ kind, where }) => `${kind} ${where}`)
      faults.push(...planted.filter((one) => !found.includes(one)).map((one) => `${leads} leads: not found: ${one}`))
      faults.push(...found.filter((one) => !planted.includes(one)).map((one) => `${leads} leads: nothing is wrong at ${one}`))
      const kinds = new Set(findings.map(({ kind }) => kind)).size
      costs.push({ leads, items, seconds: Math.round((performance.now() - started) / 1000), 'peak MiB': mib, 'read units': reads, kinds })
      progress(` ${JSON.stringify(costs.at(-1))}\n`)
    }
    return { costs, faults }
  } finally {
    await tool.stop()
    await world.stop()
  }
}
