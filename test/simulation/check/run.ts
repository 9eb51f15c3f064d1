import * as v from 'valibot'
import { startBucketEngine } from '#test/support/bucket-engine.ts'
import { DAMAGE } from '#test/support/damage.ts'
import { startOps } from '#test/support/ops.ts'
import { NOON } from '#test/support/samples.ts'
import { startWorld } from '#test/support/world.ts'
import { stopStream } from '../page-cost.ts'
import { newGround } from './ground.ts'
import { measuredOps } from './measured-ops.ts'
import { personCosts } from './person-costs.ts'
import { startScannedEngine } from './scanned-engine.ts'
import { putSoundLeads } from './sound-leads.ts'

/** The first of the owners of the sound leads, one for each size. */
const OWNER = 9
/** The first id of the sound leads. */
const FIRST_ID = 2_000_000

const Findings = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({ items: v.number(), findings: v.array(v.object({ kind: v.string(), where: v.string() })) }),
)

/** Runs a check as a process of its own. */
const checkProcess = async (directory: string) => {
  const { out, ...measured } = await measuredOps(['check', '--json', '--again-after', '0', '--data', directory])
  return { ...v.parse(Findings, out), ...measured }
}

interface CheckPlan {
  /** Numbers of leads at which a check is measured, in ascending order. */
  readonly sizes: readonly number[]
  readonly progress: (text: string) => void
}

export interface CheckCost {
  readonly leads: number
  readonly items: number
  readonly seconds: number
  readonly 'peak MiB': number
  readonly 'read units': number
  readonly kinds: number
  readonly 'export units': number
  readonly 'erasure units': number
}

/** MiB. Most memory of the process of a check, at any size of the table. */
const MOST_MIB = 256

const faultsOf = (costs: readonly CheckCost[]): string[] =>
  costs.flatMap((cost) => [
    ...(cost['peak MiB'] > MOST_MIB ? [`${cost.leads} leads took ${cost['peak MiB']} MiB`] : []),
    ...(['export units', 'erasure units'] as const)
      .filter((units) => cost[units] !== costs[0]?.[units])
      .map((units) => `${cost.leads} leads: ${cost[units]} instead of ${costs[0]?.[units]} ${units}`),
  ])

/**
 * Checks a table of several sizes with one damage of every kind, and compares what is found. Exports and erases one person among the leads
 * of each size.
 * @returns faults
 */
export const checkTables = async ({ sizes, progress }: CheckPlan) => {
  const engine = await startScannedEngine()
  const world = await startWorld()
  engine.indexScans(`${process.env['TABLE_NAME']}`)
  const bucket = await startBucketEngine()
  process.env['CLOCK_OFFSET_MS'] = `${NOON - Date.now()}`
  const tool = await startOps()
  try {
    const { readUser, saveUser } = await import('#shared/accounts/user-store.ts')
    const user = (await readUser(1))!
    const ground = newGround(world)
    const planted: string[] = []
    for (const [kind, plant] of Object.entries(DAMAGE)) planted.push(`${kind} ${await plant(ground)}`)
    await stopStream()
    // A person costs more with more users. So all of them are there from the beginning.
    for (const [at] of sizes.entries()) await saveUser({ ...user, id: OWNER + at, dnc_group: `${OWNER + at}` })
    // The first one also reads what this process remembers.
    await personCosts(tool, ground)
    const costs: CheckCost[] = []
    const faults: string[] = []
    let written = 0
    for (const leads of sizes) {
      const owner = OWNER + costs.length
      const before = written
      await putSoundLeads({
        owner,
        firstId: FIRST_ID + before,
        leads: leads - before,
        progress: (done) => progress(`\r${before + done} leads`),
      })
      written = leads
      const started = performance.now()
      const { items, findings, mib, reads } = await checkProcess(tool.directory)
      const found = findings.map(({ kind, where }) => `${kind} ${where}`)
      faults.push(...planted.filter((one) => !found.includes(one)).map((one) => `${leads} leads: not found: ${one}`))
      faults.push(...found.filter((one) => !planted.includes(one)).map((one) => `${leads} leads: nothing is wrong at ${one}`))
      const kinds = new Set(findings.map(({ kind }) => kind)).size
      const seconds = Math.round((performance.now() - started) / 1000)
      costs.push({ ...{ leads, items, seconds, 'peak MiB': mib, 'read units': reads, kinds }, ...(await personCosts(tool, ground)) })
      progress(` ${JSON.stringify(costs.at(-1))}\n`)
    }
    return { costs, faults: [...faults, ...faultsOf(costs)] }
  } finally {
    await tool.stop()
    await bucket.stop()
    await world.stop()
    await engine.stop()
  }
}
