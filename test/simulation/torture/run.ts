import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Webhook } from 'standardwebhooks'
import { checkedTable } from '#test/support/checked-table.ts'
import { freePort } from '#test/support/engine.ts'
import { type Receiver, startReceiver } from '#test/support/receiver.ts'
import type { Service } from '#test/support/service.ts'
import { startLimits } from '../limits/start-limits.ts'
import { type Created, createLeads } from './create-leads.ts'
import { type Evidence, faultsOf, type State, type Told } from './faults.ts'
import { randomFrom, startVictim, type Victim, wreak } from './mayhem.ts'
import { statisticsFaults } from './statistics-faults.ts'

export interface Plan {
  readonly kills: number
  readonly restarts: number
  readonly leads: number
  readonly seed: number
  /**
   * Seconds after the last kill until everything must be settled. A message may stay hidden for its queue's visibility timeout, several
   * times in a row.
   */
  readonly settlingSeconds: number
  /** Whether to wait for leads whose phone is in a call, which takes minutes. */
  readonly isPatient: boolean
}

interface Report {
  readonly faults: readonly string[]
  /** Leads whose phone is in a call. */
  readonly waiting: number
  readonly lines: readonly string[]
}

export interface Torture {
  readonly report: Promise<Report>
  /** Stops everything, even before there is a report. Can be repeated. */
  stop(): Promise<void>
}

const TRIGGERS = [
  'LEAD_CREATED',
  'BEFORE_CALLING',
  'CALL_COMPLETE',
  'CALL_FAILED',
  'CALL_DNC',
  'LEAD_CLOSED',
  'LEAD_LOST',
  'LEAD_SCHEDULE_COMPLETED',
  'LEAD_BAD_NUMBER',
  'LEAD_CALLBACK_TO_TRANSFER',
]

/** Lines of the demonstration's users. */
const LINES = 10
const PROGRESS_MS = 10_000
const LOOK_MS = 5_000
/** Milliseconds for an orderly end; then the service is killed. */
const ORDERLY_END_MS = 8_000

const attempt = async <T>(run: () => Promise<T>): Promise<T | undefined> => {
  try {
    return await run()
  } catch {
    return undefined
  }
}

/** Records webhooks with a valid signature. */
const startListening = async (secret: string) => {
  const told: Told[] = []
  const listening = { told, forged: 0 }
  const receiver: Receiver = await startReceiver({
    respond: ({ body, headers }) => {
      try {
        new Webhook(secret).verify(body, headers as Record<string, string>)
        told.push({ webhookId: `${headers['webhook-id']}`, payload: JSON.parse(body) })
      } catch {
        listening.forged++
      }
      return {}
    },
  })
  return { listening, receiver }
}

const subscribe = async (service: Service, url: string): Promise<void> => {
  const answer = await service.call('POST', '/api/webhooks/', { url, trigger: TRIGGERS })
  if (answer.status !== 201) throw new Error(`No subscription: ${JSON.stringify(answer.body)}`)
}

const statesOf = async (service: Service, ids: Iterable<number>): Promise<Map<number, State>> => {
  const states = new Map<number, State>()
  for (const id of ids) {
    const answer = await attempt(() => service.call('GET', `/api/leads/${id}/`))
    if (answer?.status === 200) states.set(id, answer.body as unknown as State)
  }
  return states
}

interface Run {
  readonly plan: Plan
  readonly data: string
  readonly print: (line: string) => void
  readonly signal: AbortSignal
  /** Adds a step for the end, which always runs. */
  readonly atEnd: (step: () => Promise<unknown>) => void
}

const run = async ({ plan, data, print, signal, atEnd }: Run): Promise<Report> => {
  print(`${plan.leads} leads, ${plan.kills} kills of the functions, ${plan.restarts} of the whole service; seed ${plan.seed}`)
  const limits = await startLimits({ file: join(data, 'dynamodb') })
  let victim: Victim | undefined
  atEnd(async () => {
    await attempt(async () => (await victim?.current())?.end())
    await limits.stop()
  })
  victim = await startVictim(data, await freePort(), limits, signal)
  const service = await victim.current()
  const { listening, receiver } = await startListening(service.webhookSecret)
  atEnd(receiver.close)
  await subscribe(service, receiver.url)

  const started = Date.now()
  const seconds = (since: number) => Math.round((Date.now() - since) / 1000)
  const tally = { kills: 0, restarts: 0 }
  const created: Created = { leads: new Map(), asked: new Map() }
  const progress = setInterval(() => {
    print(
      `${seconds(started)} s: ${created.leads.size} leads, ${tally.kills} kills, ${tally.restarts} restarts, ${listening.told.length} webhooks`,
    )
  }, PROGRESS_MS)
  atEnd(async () => clearInterval(progress))
  let isOver = false
  const mayhem = wreak(victim, { plan, random: randomFrom(plan.seed), signal, tally }).finally(() => {
    isOver = true
  })
  await Promise.all([createLeads(victim, plan.leads, created, () => isOver, signal), mayhem])
  clearInterval(progress)
  print(`${created.leads.size} leads acknowledged in ${seconds(started)} s, the last kill is done`)

  /** Contradictions in the table, once everything is settled. */
  const disagreements = async (): Promise<string[]> => (await checkedTable(data)).findings.map(({ kind, message }) => `${kind}: ${message}`)
  const look = async () => {
    const current = await victim.current()
    const states = await statesOf(current, created.leads.keys())
    const evidence: Evidence = { ...created, states, ...listening, dials: await current.dials(), lines: LINES, now: Date.now() }
    const report = faultsOf(evidence)
    if (report.faults.length > 0) return report
    const statistics = await statisticsFaults(data)
    return { ...report, faults: [...(await disagreements()), ...statistics.faults], lines: [...report.lines, statistics.line] }
  }
  const settled = Date.now()
  const lookAgain = async (): Promise<Report> => {
    await sleep(LOOK_MS, undefined, { signal })
    const report = (await attempt(look)) ?? { faults: ['the service does not answer'], waiting: 0, lines: [] }
    const [first] = report.faults
    print(
      `${seconds(settled)} s after the last kill: ${report.faults.length} things to come${first ? `, as ${first}` : ''}${report.waiting ? `; ${report.waiting} wait for their phone` : ''}`,
    )
    return report
  }
  const isSetSince = ({ faults, waiting }: Report) => faults.length === 0 && !(plan.isPatient && waiting > 0)
  let report = await lookAgain()
  while (!isSetSince(report) && seconds(settled) < plan.settlingSeconds) report = await lookAgain()
  for (const line of report.lines) print(line)
  return { ...report, faults: [...report.faults, ...limits.report(print)] }
}

/** Runs the plan on `data`. The report lists broken promises. */
export const startTorture = (plan: Plan, data: string, print: (line: string) => void): Torture => {
  const steps: (() => Promise<unknown>)[] = []
  const stopping = new AbortController()
  const stop = async () => {
    const ended = Promise.all(steps.splice(0).map(attempt))
    await Promise.race([ended, sleep(ORDERLY_END_MS, undefined, { ref: false })])
    stopping.abort()
  }
  const report = run({ plan, data, print, signal: stopping.signal, atEnd: (step) => void steps.push(step) }).finally(stop)
  report.catch(() => {})
  return { report, stop }
}
