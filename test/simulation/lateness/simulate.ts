import { startEngine } from '#test/support/engine.ts'
import { hotKeyFindings, seenLoads } from '../limits/hot-key-findings.ts'
import { newKeyLoads } from '../limits/key-loads.ts'
import { limitClient } from '../limits/limit-client.ts'
import { stopStream } from '../page-cost.ts'
import { chanceFrom } from './chance.ts'
import type { Deployment } from './deployment.ts'
import { openEngineLine } from './engine-line.ts'
import type { Finding } from './finding.ts'
import { findingsOf } from './findings.ts'
import type { Plan } from './plan.ts'
import { seedPlan } from './seed.ts'
import { startService } from './service.ts'
import { setEnvironment } from './surroundings.ts'
import { passTimeAtTable } from './table-time.ts'
import { startVirtualTime } from './virtual-time.ts'

const PROGRESS = 10 * 60_000
const SHORT_PROGRESS = 10_000
/** Faults that are printed, soon after they happened. The findings count all. */
const SHOWN_FAULTS = 10

/** Runs a plan with its own engine. Only once per process, because it replaces the process's clock, pauses and requests. */
export const simulate = async (plan: Plan, found: Deployment, seed: number, progress: (line: string) => void): Promise<Finding[]> => {
  const deployment = { ...found, maxConcurrency: plan.callConcurrency ?? found.maxConcurrency }
  setEnvironment()
  const engine = await startEngine()
  const line = await openEngineLine(engine.url)
  const began = performance.now()
  const chance = chanceFrom(seed)
  try {
    await stopStream()
    const { time, restore } = startVirtualTime(plan.start, chance.next)
    try {
      const { client } = await import('#shared/platform/table/client.ts')
      line.carry(client)
      const loads = newKeyLoads({ isCold: false })
      const limits = limitClient({ clients: [client], loads, now: time.now, sleep: time.sleep })
      await seedPlan(plan)
      const service = await startService({ time, chance, plan, deployment })
      await passTimeAtTable({ time, chance, slowness: 1, clients: [client] })
      limits.begin()
      const shown = new Set<string>()
      for (let until = plan.start; until < plan.end; ) {
        until = Math.min(plan.end, until + (plan.steady || plan.allDue !== undefined ? SHORT_PROGRESS : PROGRESS))
        await time.run(until)
        const seconds = Math.round((performance.now() - began) / 1000)
        const { asked, ended } = service.journal
        const calls = `${asked.length} calls, ${asked.length - ended.length} in progress`
        progress(`${plan.name}: ${new Date(until).toISOString().slice(11, 19)}, ${calls}, ${seconds} s`)
        for (const fault of service.journal.faults) {
          if (shown.size === SHOWN_FAULTS || shown.has(fault)) continue
          shown.add(fault)
          progress(fault)
        }
      }
      return [...findingsOf(plan, deployment, service), ...hotKeyFindings([seenLoads(loads)])]
    } finally {
      restore()
    }
  } finally {
    line.close()
    await engine.stop()
  }
}
