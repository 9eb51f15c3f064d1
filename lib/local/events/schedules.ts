import { randomUUID } from 'node:crypto'
import type { RuleSpec } from '../model.ts'
import { arnOf, localPlace } from '../template/arn.ts'
import type { TargetFor } from './bus-entry.ts'
import { type Log, pause } from './pause.ts'
import { eventTime, targetsOfRule } from './rules.ts'

const UNITS = { minute: 60_000, hour: 3_600_000, day: 86_400_000 }
const MAX_RUNS_AT_ONCE = 2

/** Milliseconds between two runs of `rate(5 minutes)` and the like. Throws for anything else, `cron(…)` included. */
export const periodOf = (schedule: string): number => {
  const [, count, unit] = /^rate\((\d+) (minute|hour|day)s?\)$/.exec(schedule) ?? []
  if (count === undefined || (unit !== 'minute' && unit !== 'hour' && unit !== 'day') || Number(count) === 0) {
    throw new Error(`The schedule ${schedule} cannot be run here: only rate(N minutes), rate(N hours) and rate(N days) can.`)
  }
  return Number(count) * UNITS[unit]
}

/** A scheduled rule. It fires once at the start, then at each whole multiple of its period on the service's clock. */
export const scheduleOf = (rule: RuleSpec, schedule: string, targetFor: TargetFor) => {
  const period = periodOf(schedule)
  const targets = targetsOfRule(rule, targetFor).map((send) => ({ send, running: 0 }))

  return async ({ clock, log, signal }: { clock: () => number; log: Log; signal: AbortSignal }): Promise<void> => {
    const resources = [arnOf(localPlace, 'events', `rule/${rule.name}`)]
    const runs = new Set<Promise<void>>()
    const fire = (at: number) => {
      for (const target of targets) {
        if (target.running >= MAX_RUNS_AT_ONCE) {
          log(`schedule ${rule.name}: ${MAX_RUNS_AT_ONCE} runs are still in progress, so this one is skipped`)
          continue
        }
        target.running += 1
        const head = { version: '0', id: randomUUID(), 'detail-type': 'Scheduled Event', source: 'aws.events' } as const
        const run = target
          .send({ ...head, ...localPlace, time: eventTime(at), resources, detail: {} })
          .catch((error: unknown) => log(`schedule ${rule.name}: ${String(error)}`))
          .finally(() => {
            target.running -= 1
            runs.delete(run)
          })
        runs.add(run)
      }
    }

    fire(clock())
    for (let next = nextAfter(clock(), period); !signal.aborted; ) {
      const left = next - clock()
      if (left > 0) {
        // Sleep for a second at most, to notice clock changes (for example after the machine slept).
        await pause(Math.min(left, 1000), signal)
        continue
      }
      fire(next)
      next = nextAfter(Math.max(clock(), next), period)
    }
    await Promise.all(runs)
  }
}

const nextAfter = (now: number, period: number): number => Math.floor(now / period) * period + period
