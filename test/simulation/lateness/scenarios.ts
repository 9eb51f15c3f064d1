import { demandOf } from '#lib/ops/quotas/demand.ts'
import { SECOND } from '#shared/platform/values/durations.ts'
import type { Calls } from './agent.ts'
import { chanceFrom } from './chance.ts'
import type { Plan } from './plan.ts'

export interface Size {
  readonly leads: number
  readonly owners: number
  readonly seed: number
  /** Simulates a third of an hour, or the first quarter of an hour of a crowd's day. */
  readonly isShort: boolean
  readonly isFair: boolean
  readonly plantedLateness: number
  /** The lines of the one owner in `lines`. */
  readonly lines?: number
  /** The length of `morning` after eight, and the time for which `lines` counts starts. */
  readonly seconds?: number
}

const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

/** Noon on a Friday and eight o'clock on a Monday, in New York. */
const FRIDAY_NOON = Date.parse('2026-11-20T17:00:00Z')
const MONDAY_EIGHT = Date.parse('2026-11-23T13:00:00Z')
/** A sweep comes ten seconds before eight, and the next one after 50 seconds: until then, lines depend on the messages of calls alone. */
const BEFORE_EIGHT = MONDAY_EIGHT - 3 * MINUTE - 10 * SECOND
/** Last minute of the window, in which no call may start. */
const MONDAY_LAST_START = Date.parse('2026-11-24T01:59:00Z')

/** Most people do not answer at such an hour: calls take about twenty seconds on average. */
const SHORT_CALLS: Calls = { answered: 0.3, ringing: [3, 10], talking: [5, 40], unanswered: [12, 22] }
/** Answered calls take some minutes: all calls take about two on average. */
const LONG_CALLS: Calls = { answered: 0.4, ringing: [3, 15], talking: [60, 420], unanswered: [20, 35] }

/** For every so many leads, one more lead is created during the run. */
const FRESH = 50
/** Leads of each owner without a crowd: due during the first hour, and due at the same time as the crowd. */
const ORDINARY = 40
const AT_EIGHT = 2
const ROUGH = { duplicates: 0.05, lostSweep: 9 }

const calm = ({ owners, isFair, plantedLateness }: Size) => ({
  owners,
  linesOf: () => 10,
  lostSweeps: new Set<number>(),
  resumed: undefined,
  duplicates: 0,
  isFair,
  plantedLateness,
})

/** Calls due at random within one hour. Ten lines per owner are enough: two or three are busy on average. */
const hour = (size: Size): Plan => {
  const chance = chanceFrom(size.seed)
  const span = size.isShort ? HOUR / 3 : HOUR
  const owner = () => 1 + Math.floor(chance.between(0, size.owners))
  const instant = () => Math.floor(FRIDAY_NOON + 4 * MINUTE + chance.between(0, span))
  const leads = Array.from({ length: size.leads }, () => ({ owner: owner(), due: instant() }))
  const fresh = Array.from({ length: Math.round(size.leads / FRESH) }, () => ({ owner: owner(), instant: instant() }))
  return {
    ...calm(size),
    name: 'hour',
    start: FRIDAY_NOON,
    end: FRIDAY_NOON + span + 6 * MINUTE,
    leads,
    fresh,
    callsOf: () => SHORT_CALLS,
    crowd: undefined,
  }
}

/** One owner has all leads due at eight; the other owners have a normal day. */
const crowd = (size: Size): Plan => {
  const chance = chanceFrom(size.seed)
  const others = Array.from({ length: size.owners - 1 }, (_, index) => index + 2)
  const span = size.isShort ? 12 * MINUTE : HOUR
  const ordinary = Math.max(1, Math.round((ORDINARY * span) / HOUR))
  const leads = [
    ...Array.from({ length: size.leads }, () => ({ owner: 1, due: MONDAY_EIGHT })),
    ...others.flatMap((owner) => [
      ...Array.from({ length: AT_EIGHT }, () => ({ owner, due: MONDAY_EIGHT })),
      ...Array.from({ length: ordinary }, () => ({ owner, due: Math.floor(MONDAY_EIGHT + chance.between(0, span)) })),
    ]),
  ]
  return {
    ...calm(size),
    name: 'crowd',
    start: MONDAY_EIGHT - 4 * MINUTE,
    end: size.isShort ? MONDAY_EIGHT + 15 * MINUTE : MONDAY_EIGHT + 24 * HOUR - 3 * MINUTE,
    leads,
    fresh: [],
    callsOf: (owner) => (owner === 1 && !size.isShort ? LONG_CALLS : SHORT_CALLS),
    crowd: { owner: 1, due: MONDAY_EIGHT, lastStart: MONDAY_LAST_START },
  }
}

const rough = (plan: Plan): Plan => ({
  ...plan,
  name: `${plan.name}, rough`,
  duplicates: ROUGH.duplicates,
  lostSweeps: new Set([3, ROUGH.lostSweep]),
})

/** Minutes from the start without a sweep, so that leads of the crowd and of the other owners become overdue. */
const OUTAGE = { from: 2, until: 14 }

/** A crowd's morning with an outage of the sweep. Afterwards, the owners take turns with their overdue leads. */
const outage = (size: Size): Plan => {
  const plan = crowd(size)
  const chance = chanceFrom(size.seed)
  const last = plan.start + (OUTAGE.until - 1) * MINUTE
  const due = () => Math.floor(chance.between(MONDAY_EIGHT + MINUTE, last - 2 * MINUTE))
  return {
    ...plan,
    name: 'outage',
    end: last + 20 * MINUTE,
    leads: plan.leads.map((lead) => (lead.owner === plan.crowd?.owner ? lead : { ...lead, due: due() })),
    lostSweeps: new Set(Array.from({ length: OUTAGE.until - OUTAGE.from }, (_, index) => OUTAGE.from + index)),
    resumed: plan.start + OUTAGE.until * MINUTE,
  }
}

/** Share of calls to busy phones, each of which takes a second on average. Then a line is free again before the other leads are dialled. */
const BUSY = 0.1
/** Every other call takes a minute. */
const MINUTE_CALLS: Calls = { busy: BUSY, answered: 0.3, ringing: [10, 10], talking: [50, 50], unanswered: [60, 60] }
/** Leads for each line of the owner with the most lines, and the most lines. */
const LEADS_A_LINE = 250
const MOST_LINES = 2000

/** All leads of all owners become due at eight. Half of them belong to one owner. Owners have from 1 to 2,000 lines. */
const morning = (size: Size): Plan => {
  const chance = chanceFrom(size.seed)
  const half = Math.ceil(size.leads / 2)
  const most = Math.min(MOST_LINES, Math.max(1, Math.floor(half / LEADS_A_LINE)))
  const lines = new Map([[1, most]])
  for (let owner = 2; owner <= size.owners; owner++) lines.set(owner, Math.max(1, Math.floor(most ** chance.next())))
  const others = () => 2 + Math.floor(chance.between(0, size.owners - 1))
  return {
    ...calm(size),
    name: 'morning',
    linesOf: (owner) => lines.get(owner) ?? 1,
    start: BEFORE_EIGHT,
    end: MONDAY_EIGHT + (size.seconds ?? 120) * SECOND,
    leads: Array.from({ length: size.leads }, (_, index) => ({ owner: index < half ? 1 : others(), due: MONDAY_EIGHT })),
    fresh: [],
    callsOf: () => MINUTE_CALLS,
    crowd: undefined,
    allDue: MONDAY_EIGHT,
  }
}

/** Every call takes as long, except those to busy phones: so that all calls take 20 seconds on average. */
const CALL_SECONDS = 20
const LONGEST = (CALL_SECONDS - BUSY) / (1 - BUSY)
const EQUAL_CALLS: Calls = { busy: BUSY, answered: 0, ringing: [0, 0], talking: [0, 0], unanswered: [LONGEST, LONGEST] }
/** Seconds until all lines were filled, and those calls have ended. */
const RAMP_UP = 2 * CALL_SECONDS

const runsFor = (callsPerSecond: number): number =>
  demandOf({ callsPerSecond, requestsPerSecond: 0, eventsPerSecond: 0, uploads: 0 }).settings.callConcurrency
/** The target scale: lines of one owner, and the runs of a deployment for their calls. */
const TARGET = { lines: 10_000, runs: runsFor(10_000 / CALL_SECONDS) }

/** All leads of one owner become due at eight. The leads last until the end. Fewer lines have fewer runs in proportion. */
const lines = ({ lines: count = TARGET.lines, seconds = 60, ...size }: Size): Plan => {
  const ideal = count / CALL_SECONDS
  const lead = { owner: 1, due: MONDAY_EIGHT }
  const from = MONDAY_EIGHT + RAMP_UP * SECOND
  return {
    ...calm(size),
    name: 'lines',
    owners: 1,
    linesOf: () => count,
    start: BEFORE_EIGHT,
    end: from + seconds * SECOND,
    leads: Array.from({ length: Math.max(size.leads, Math.ceil(ideal * (RAMP_UP + CALL_SECONDS + seconds))) }, () => lead),
    fresh: [],
    callsOf: () => EQUAL_CALLS,
    crowd: undefined,
    allDue: MONDAY_EIGHT,
    steady: { from, ideal },
    callConcurrency: Math.ceil((TARGET.runs * count) / TARGET.lines),
  }
}

/** Fewer leads, to keep the rough forms short. */
const less = (size: Size): Size => ({ ...size, leads: Math.ceil(size.leads / 4) })

/** The simulations. The `rough` ones have duplicate messages and missing sweeps. */
export const SCENARIOS = {
  hour: (size: Size): Plan => hour(size),
  crowd: (size: Size): Plan => crowd({ ...size, leads: Math.ceil(size.leads / 2) }),
  'hour-rough': (size: Size): Plan => rough(hour(less(size))),
  'crowd-rough': (size: Size): Plan => rough(crowd({ ...less(size), isShort: true })),
  outage: (size: Size): Plan => outage({ ...size, leads: Math.ceil(size.leads / 4), isShort: true }),
  morning,
  lines,
} as const

export type ScenarioName = keyof typeof SCENARIOS
/** The scenarios of the simulation of lateness. The others are simulations of their own. */
export const LATENESS_NAMES = (Object.keys(SCENARIOS) as ScenarioName[]).filter((name) => name !== 'morning' && name !== 'lines')
