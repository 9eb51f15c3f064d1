import type { Deployment } from './deployment.ts'
import { bound, type Finding, told } from './finding.ts'
import type { Journal, Spent } from './journal.ts'
import { calledTwice, handOvers, lateness } from './measure.ts'
import { morningFindings } from './morning-findings.ts'
import type { Plan } from './plan.ts'
import type { RunningService } from './service.ts'
import { steadyFindings } from './steady-findings.ts'

/** Bounds for late calls in milliseconds: for the p99, and for other owners while one owner has a crowd waiting. */
const P99 = 2000
const OTHERS = 5000
/** Milliseconds from the first sweep after an outage until everybody is called: the next sweep must reach them. */
const AFTER_OUTAGE = 65_000
/** Milliseconds that a line may be idle between a call's end and the next dial, while leads wait. */
const HAND_OVER = 1000
/** Write units that one lead waiting for a line may cost in a day's window. */
const WAITING_UNITS = 4
/** Share of a function's memory that the data of a run may have. As objects, data takes several times its size. */
const DATA_SHARE = 1 / 8

const lateFindings = (
  journal: Journal,
  plan: Plan,
  whose: string,
  isMeant: Parameters<typeof lateness>[1],
  limit: { readonly p99?: number; readonly max?: number },
): Finding[] => {
  const late = lateness(journal, isMeant, { from: plan.resumed ?? 0, end: plan.end - 60_000 })
  if (late.count + late.missed === 0) return []
  const limited = (what: string, value: number, most: number | undefined) =>
    most === undefined ? told(what, value, 'ms') : bound(what, value, 'ms', most)
  return [
    told(`${whose}: calls`, late.count, ''),
    told(`${whose}: late, p50`, late.p50, 'ms'),
    limited(`${whose}: late, p99`, late.p99, limit.p99),
    limited(`${whose}: late, most`, late.max, limit.max),
    bound(`${whose}: early`, late.early, 'calls', 0),
    bound(`${whose}: due and not called`, late.missed, 'leads', 0),
  ]
}

/** Findings on the owner with a crowd of waiting leads. */
const crowdFindings = (journal: Journal, plan: Plan): Finding[] => {
  const { crowd } = plan
  if (!crowd) return []
  const lines = plan.linesOf(crowd.owner)
  const isCrowd = (lead: number): boolean => journal.due.get(lead)?.owner === crowd.owner
  const dials = journal.asked.filter(({ lead }) => isCrowd(lead)).map(({ instant }) => instant)
  const ends = journal.ended.filter(({ lead }) => isCrowd(lead)).map(({ instant }) => instant)
  const leads = plan.leads.filter(({ owner }) => owner === crowd.owner).length
  const isEmpty = dials.length >= leads
  const until = isEmpty ? Math.max(...dials) : Math.min(crowd.lastStart, plan.end)
  const { gaps, first, idle, idleShare } = handOvers(dials, ends, { lines, from: Math.max(crowd.due, plan.resumed ?? 0), until })
  const { open, closed, turnedAway, runs } = waitingCosts(journal.spent, crowd.owner)
  const waiting = Math.max(1, leads - lines)
  const carried = leads - dials.length
  const early = dials.filter((instant) => instant < crowd.due).length
  return [
    told('the crowd: leads', leads, ''),
    told('the crowd: called', dials.length, 'leads'),
    bound('the crowd: early', early, 'calls', 0),
    bound('the crowd: called after the window', dials.filter((instant) => instant > crowd.lastStart).length, 'calls', 0),
    bound('the crowd: lines filled after', first.max, 'ms', plan.resumed ? AFTER_OUTAGE : OTHERS),
    told('the crowd: hand-overs of a line', gaps.count, ''),
    told('the crowd: idle at a hand-over, p50', gaps.p50, 'ms'),
    told('the crowd: idle at a hand-over, p99', gaps.p99, 'ms'),
    bound('the crowd: idle at a hand-over, most', gaps.max, 'ms', HAND_OVER),
    told('the crowd: idle in all', idle / 1000, 'line-seconds'),
    told('the crowd: share of its lines’ time', 100 * idleShare, '%'),
    bound('the crowd: written in its window, a waiting lead', open / waiting, 'units', WAITING_UNITS),
    // The first cost of the next window. In that window, these leads are in the backlog from the start.
    bound('the crowd: written to carry a lead to the next window', carried > 0 ? closed / carried : 0, 'units', WAITING_UNITS),
    told('the crowd: writes that were turned away, a waiting lead', turnedAway / waiting, 'units'),
    told('the crowd: messages, a lead', runs / leads, ''),
  ]
}

/** Costs of the sweeps, and of an owner's messages that led to no call. `closed`: after the window's end. */
const waitingCosts = (spent: Spent, owner: number) => {
  const costsOf = (kind: string) => spent.get(kind) ?? { runs: 0, write: 0, turnedAway: 0 }
  const [sweep, open, closed] = ['sweep', `refused ${owner} open`, `refused ${owner} closed`].map(costsOf)
  const sum = (of: 'runs' | 'turnedAway') => (open?.[of] ?? 0) + (closed?.[of] ?? 0)
  return { open: (open?.write ?? 0) + (sweep?.write ?? 0), closed: closed?.write ?? 0, turnedAway: sum('turnedAway'), runs: sum('runs') }
}

/** A run cannot keep more than what it received. So this also bounds its memory. */
const mostReceivedFinding = (spent: Spent, { memoryMb }: Deployment): Finding => {
  const most = Math.max(0, ...[...spent.values()].map(({ mostReceived }) => mostReceived))
  return bound('most data that a run received', most / 1024 ** 2, 'MiB', memoryMb * DATA_SHARE)
}

const kindFindings = (spent: Spent): Finding[] =>
  [...spent]
    .filter(([kind]) => !/\d/.test(kind))
    .flatMap(([kind, { runs, requests, read, write, turnedAway }]) => [
      told(`${kind}: runs`, runs, ''),
      told(`${kind}: requests a run`, requests / runs, ''),
      told(`${kind}: read units a run`, read / runs, ''),
      told(`${kind}: write units a run`, write / runs, ''),
      told(`${kind}: write units a run that a condition refused`, turnedAway / runs, ''),
    ])

/** All findings of a simulation. */
export const findingsOf = (plan: Plan, deployment: Deployment, { journal, queue, consumer, agent }: RunningService): Finding[] => {
  const isCrowd = (owner: number): boolean => owner === plan.crowd?.owner
  return [
    ...(plan.crowd
      ? lateFindings(journal, plan, 'the others', (due) => !isCrowd(due.owner) && !due.isFresh, {
          max: plan.resumed ? AFTER_OUTAGE : OTHERS,
        })
      : plan.allDue === undefined
        ? lateFindings(journal, plan, 'all', (due) => !due.isFresh, { p99: P99 })
        : morningFindings({ ...plan, allDue: plan.allDue }, { journal, queue })),
    ...(plan.steady ? steadyFindings({ ...plan, steady: plan.steady }, journal) : []),
    ...lateFindings(journal, plan, 'created meanwhile', (due) => due.isFresh, { p99: P99 }),
    ...crowdFindings(journal, plan),
    bound('leads called twice', calledTwice(journal), '', 0),
    bound('calls with a second key', agent.counts.requests - agent.counts.repeats - journal.asked.length, '', 0),
    bound('reports that were lost or refused', journal.faults.length + agent.counts.lostReports, '', 0),
    bound('dead letters', queue.counts.deadLetters, '', 0),
    bound('longest sweep', journal.sweeps.longest, 'ms', deployment.sweepTimeoutSeconds * 1000),
    bound('longest run for a message', consumer.counts.longest, 'ms', deployment.placeCallTimeoutSeconds * 1000),
    mostReceivedFinding(journal.spent, deployment),
    told('run for a message, mean', consumer.counts.busy / consumer.counts.runs, 'ms'),
    told('sweeps that were lost', journal.sweeps.lost, ''),
    told('messages sent', queue.counts.sent, ''),
    told('duplicates among them', queue.counts.duplicates, ''),
    told('messages received', queue.counts.received, ''),
    told('highest number of messages waiting', queue.counts.mostWaiting, ''),
    told('highest number of runs at a time', consumer.counts.mostRuns, ''),
    told('requests that repeat a key', agent.counts.repeats, ''),
    ...kindFindings(journal.spent),
  ]
}
