import { setTimeout as sleep } from 'node:timers/promises'
import { handler as sweep } from '#functions/workers/dispatch-due.ts'
import { handler as placeCall } from '#functions/workers/place-call.ts'
import { callsOf } from '#shared/calling/call-store.ts'
import { getLead } from '#shared/leads/lead-store.ts'
import { now } from '#shared/platform/clock.ts'
import { inLanes } from '#shared/platform/lanes.ts'
import { SECOND } from '#shared/platform/values/durations.ts'
import { runClock } from '#test/support/clock.ts'
import { NOON } from '#test/support/samples.ts'
import { startWorld } from '#test/support/world.ts'
import { chanceFrom } from '../lateness/chance.ts'
import type { Limits } from '../limits/start-limits.ts'
import { type RaceAgent, raceAgent } from './agent.ts'
import type { Outcome } from './findings.ts'
import { type History, readHistory } from './history.ts'
import { saveOwners } from './owners.ts'
import type { Race } from './plan.ts'
import { type RaceQueue, startQueue } from './queue.ts'
import { type Course, runRace, type Stopped } from './race.ts'
import { insist, tell } from './stops.ts'
import { startWeather, type Weather } from './table-weather.ts'

export interface Pace {
  /** Most races to begin in a second. */
  readonly rate: number
  /** Real milliseconds of retries after the last race has begun. */
  readonly retries: number
  /**
   * Milliseconds between sweeps. One sweep a minute would be enough; more of them cause more duplicates. Each sweep looks at all owners, here
   * in one process, and many races have many owners.
   */
  readonly sweeps: number
  /** Least and most share of a visibility timeout until a message comes again. */
  readonly pace: readonly [number, number]
  /** The unaccepted requests that may stay unanswered: `some` of all, or only a call's `first`. */
  readonly hangs: 'some' | 'first'
}

export interface Results {
  readonly outcomes: readonly Outcome[]
  /** Faults that belong to no single race. */
  readonly faults: readonly string[]
  readonly lines: readonly string[]
}

/**
 * Races at once, until their stops are acknowledged. A slow machine therefore begins fewer races per second. With more of them, requests
 * wait for the machine until they time out.
 */
const LANES = 16
/** Milliseconds by which the clock skips ahead at the end. The service then gives up every call that was not placed. */
const REST = 45 * SECOND

interface Parts {
  readonly world: Awaited<ReturnType<typeof startWorld>>
  readonly weather: Weather
  readonly agent: RaceAgent
  readonly queue: RaceQueue
}

const startSweeps = (every: number): { stop(): Promise<void> } => {
  const ended = new AbortController()
  const run = async (): Promise<void> => {
    for (;;) {
      await sleep(every, undefined, { signal: ended.signal })
      await sweep().catch(() => undefined)
    }
  }
  const running = run().catch(() => undefined)
  return {
    stop: async () => {
      ended.abort()
      await running
    },
  }
}

/** Ends all races: delivers held messages, skips the clock ahead, and lets the agent accept everything. */
const comeToRest = async ({ agent, queue }: Parts, stopped: readonly Stopped[]): Promise<void> => {
  agent.setKind(true)
  // Otherwise a request in progress would arrive after its time limit, once the clock skips ahead.
  await queue.settle()
  runClock(now() + REST)
  for (const { subject } of stopped) {
    for (const lead of [subject.lead, subject.other?.lead ?? []].flat()) {
      for (const body of queue.release(lead)) queue.deliver(body, 0)
    }
  }
  for (let sweeps = 0; sweeps < 2; sweeps++) {
    await sweep().catch(() => undefined)
    await queue.drain()
  }
  agent.setKind(false)
}

const outcomeOf = async ({ weather, agent, queue }: Parts, history: History, stopped: Stopped): Promise<Outcome> => {
  const { lead } = stopped.subject
  const isOf = ({ callId }: { readonly callId: string }) => callId.startsWith(`${lead}-`)
  const { status, call_dnc, next_call_time, promised_time, due_list } = (await getLead(lead))!
  return {
    ...stopped,
    intents: history.intents.filter((intent) => intent.lead === lead),
    stopped: history.stopped.get(lead) ?? null,
    completed: history.completed.get(`${lead}-1`) ?? null,
    dials: weather.dials.filter(isOf),
    requests: agent.requests.filter(isOf),
    accepted: [...weather.accepted].find(([callId]) => isOf({ callId }))?.[1] ?? null,
    runs: queue.runs.flatMap((one) => (one.lead === lead ? [one.begun] : [])),
    end: { status, call_dnc, next_call_time, promised_time, due_list },
    calls: await callsOf(lead),
  }
}

const told = ({ weather: { conflicts }, queue: { counts } }: Parts): string[] => [
  `conflicts: ${conflicts.transactions} of transactions, ${conflicts.single} of single writes`,
  `messages received: ${counts.received}, of which came back: ${counts.returned}, were given up: ${counts.givenUp}`,
]

const raceAll = async (parts: Parts, races: readonly Race[], { rate, retries, sweeps: every }: Pace): Promise<Stopped[]> => {
  const course: Course = { ...parts, secret: parts.world.agentSecret }
  const sweeps = startSweeps(every)
  try {
    const began = performance.now()
    const ended: Promise<Stopped>[] = []
    await inLanes(LANES, races.entries(), async ([place, race]) => {
      await sleep(Math.max(0, began + (place * SECOND) / rate - performance.now()))
      const { ended: end } = await runRace(course, race)
      // `Promise.all` below throws this error, once all races have begun.
      end.catch(() => undefined)
      ended.push(end)
    })
    const [stopped] = await Promise.all([Promise.all(ended), sleep(retries)])
    return stopped
  } finally {
    await sweeps.stop()
  }
}

/**
 * Runs races with their own engines. Only once per process, because it replaces the process's clock and queues.
 * @param limits of the table, which must have been started
 */
export const runRaces = async (races: readonly Race[], pace: Pace, seed: number, limits: Limits): Promise<Results> => {
  const chance = chanceFrom(seed)
  const agent = raceAgent(chance, pace)
  const world = await startWorld(agent.respond)
  runClock(NOON)
  await saveOwners(races, { url: world.agent.url, secret: world.agentSecret })
  // The set-up saves hundreds of agents in a row.
  limits.begin()
  const weather = startWeather(chance)
  const queue = startQueue(`${process.env['CALL_QUEUE_URL']}`, { handler: placeCall, chance, pace: pace.pace })
  const parts: Parts = { world, weather, agent, queue }
  // A call cancelled before an answer is reported as not answered, if it is reported at all.
  agent.onCancel((callId) => {
    const tellEnd = () => tell(world.agentSecret, callId, 'call.completed', { outcome: 'no_answer' })
    if (chance.happens(0.5)) insist(tellEnd).catch(() => undefined)
  })
  try {
    const stopped = await raceAll(parts, races, pace)
    await comeToRest(parts, stopped)
    const history = await readHistory(
      world.engine.url,
      stopped.map(({ subject }) => subject),
    )
    const outcomes: Outcome[] = []
    for (const one of stopped) outcomes.push(await outcomeOf(parts, history, one))
    const lines = told(parts)
    const hot = limits.report((line) => lines.push(line))
    return { outcomes, faults: [...history.overlaps.map((overlap) => `a phone was taken for ${overlap}`), ...hot], lines }
  } finally {
    queue.stop()
    weather.stop()
    await world.stop()
  }
}
