import { handler as sweep } from '#functions/workers/dispatch-due.ts'
import type { PlatformCallback } from '#shared/agents/platforms/adapter.ts'
import { now } from '#shared/platform/clock.ts'
import { HOUR, SECOND } from '#shared/platform/values/durations.ts'
import { setClock } from '#test/support/clock.ts'
import type { Chance } from '../../lateness/chance.ts'
import type { CallWorld } from '../../platforms/call-world.ts'
import type { CallMessage } from '../../platforms/virtual-calls.ts'
import { badLuck, GOOD } from './bad-luck.ts'
import { type DialledCall, dialledCalls } from './dialled-calls.ts'
import { type Hold, holdWatch } from './hold-watch.ts'
import type { LineUp } from './line-up.ts'

/** By the service's clock, in milliseconds. */
export interface RoundPace {
  /** How long things go wrong. */
  readonly bad: number
  /** Time between two sweeps, while things go wrong and afterwards. */
  readonly sweeps: readonly [bad: number, good: number]
}

export interface PlayedRound {
  readonly lineUp: LineUp
  readonly dialled: readonly DialledCall[]
  /** By lead: when a stop was acknowledged. */
  readonly stopped: ReadonlyMap<number, number>
  readonly holds: readonly Hold[]
  readonly mostLines: number
  readonly ended: number
  readonly counts: ReturnType<typeof badLuck>['counts']
}

/** The longest that a call may be without an end, and some more. */
const GOOD_TIME = 3 * HOUR
/** Messages of one run. */
const BATCH = 4
/** Happenings within this time are handled at once. */
const TOGETHER = 2 * SECOND
/** Share of leads whose person asks for a stop. */
const STOPS = 0.15
/** A platform tries again once, if its callback is answered with an error. */
const REPEATED = 0.5

const batchesOf = <T>(all: readonly T[]): T[][] =>
  Array.from({ length: Math.ceil(all.length / BATCH) }, (_, index) => all.slice(index * BATCH, (index + 1) * BATCH))

/** Plays a round: first everything goes wrong, then nothing does, until everything must be settled. */
export const playRound = async (world: CallWorld, lineUp: LineUp, chance: Chance, pace: RoundPace): Promise<PlayedRound> => {
  const start = now()
  const luck = badLuck(chance)
  const calls = dialledCalls(chance, lineUp)
  const holds = holdWatch(lineUp, calls.all, Math.max(...pace.sweeps))
  const stopped = new Map<number, number>()
  const planned = lineUp.leads.flatMap(({ id }) => (chance.happens(STOPS) ? [{ id, at: start + chance.between(0, pace.bad) }] : []))
  const stops = new Map(planned.map(({ id, at }) => [id, Math.round(at)]))
  let sweeps = start

  /** A run that dies brings all of its messages back, those that it had finished too. */
  const handle = async (messages: CallMessage[]): Promise<void> => {
    if (luck.isDying()) {
      await luck.dying(() => world.queue.consume(messages))
      return world.queue.putBack(messages)
    }
    const copy = luck.isTwice() ? world.queue.consume(messages) : undefined
    world.queue.putBack(await world.queue.consume(messages))
    await copy
  }
  const deliver = async (callback: PlatformCallback): Promise<void> => {
    let isTaken = false
    const take = async () => {
      isTaken = (await world.deliver(callback)) === 200
    }
    if (luck.isDying()) await luck.dying(take)
    else await take()
    if (!isTaken && chance.happens(REPEATED)) luck.send([callback])
  }
  const stop = async (id: number): Promise<void> => {
    if ((await world.patchLead(id, { call_dnc: true }, lineUp.key)) !== 200) return
    stopped.set(id, now())
    stops.delete(id)
  }
  const sweepOnce = async (isBad: boolean): Promise<void> => {
    sweeps = now() + pace.sweeps[isBad ? 0 : 1]
    await (luck.isDying() ? luck.dying(() => sweep()) : sweep())
  }

  const step = async (isBad: boolean): Promise<void> => {
    luck.drawDials(lineUp)
    calls.end()
    luck.send(await world.callbacks())
    const jobs = [
      ...batchesOf(world.queue.take()).map((messages) => () => handle(messages)),
      ...luck.arrived().map((callback) => () => deliver(callback)),
      ...[...stops].flatMap(([id, at]) => (at <= now() ? [() => stop(id)] : [])),
    ]
    await Promise.all(jobs.map((job) => job()))
    if (now() >= sweeps) await sweepOnce(isBad)
    calls.note()
    luck.send(await world.callbacks())
    await holds.look()
  }

  const until = async (end: number, isBad: boolean): Promise<void> => {
    while (now() < end) {
      const next = Math.min(world.queue.next(), calls.next(), luck.next(), sweeps, ...stops.values(), end)
      setClock(Math.max(now() + 1, next + chance.between(0, isBad ? TOGETHER : 0)))
      await step(isBad)
    }
  }
  await until(start + pace.bad, true)
  luck.turn(GOOD)
  await until(start + pace.bad + GOOD_TIME, false)
  return { lineUp, dialled: calls.all, stopped, ended: now(), counts: luck.counts, ...holds.result() }
}
