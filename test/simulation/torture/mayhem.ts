import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Service, startService } from '#test/support/service.ts'
import type { Limits } from '../limits/start-limits.ts'

/** Seeded random numbers from 0 to 1 (mulberry32). */
export const randomFrom = (seed: number) => {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** A service that is killed and restarted on the same data and port. */
export interface Victim {
  /** The running service, or the next one once it is up. */
  current(): Promise<Service>
  killFunctions(): Promise<boolean>
  killService(): Promise<void>
}

/**
 * @param limits of its table, whose engine dies with the service
 * @param signal kills it for good, even during a start
 */
export const startVictim = async (data: string, port: number, limits: Limits, signal: AbortSignal): Promise<Victim> => {
  const start = () => startService(['--data', data, '--port', `${port}`], { signal })
  let running: Promise<Service> = start()
  await running
  return {
    current: () => running,
    killFunctions: async () => {
      await running
      const pid = Number(await readFile(join(data, 'functions.pid'), 'utf8').catch(() => '0'))
      try {
        return pid > 0 && process.kill(pid, 'SIGKILL')
      } catch {
        return false
      }
    },
    killService: async () => {
      const service = await running
      running = service.end('SIGKILL').then(limits.crash).then(start)
      await running
    },
  }
}

interface Wreaking {
  readonly plan: { readonly kills: number; readonly restarts: number }
  readonly random: () => number
  readonly signal: AbortSignal
  /** Updated during the run. */
  readonly tally: { kills: number; restarts: number }
}

/** Kills processes at random moments, until the planned numbers are reached. */
export const wreak = async (victim: Victim, { plan, random, signal, tally }: Wreaking): Promise<void> => {
  const every = plan.restarts > 0 ? Math.max(1, Math.floor(plan.kills / plan.restarts)) : Number.POSITIVE_INFINITY
  const restart = async () => {
    await sleep(random() * 1500, undefined, { signal })
    await victim.killService()
    tally.restarts++
  }
  while (tally.kills < plan.kills) {
    await sleep(100 + random() * 1400, undefined, { signal })
    if (!(await victim.killFunctions())) continue
    tally.kills++
    if (tally.kills % every === 0 && tally.restarts < plan.restarts) await restart()
  }
  while (tally.restarts < plan.restarts) await restart()
}
