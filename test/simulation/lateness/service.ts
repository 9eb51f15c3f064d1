import { MINUTE } from '#shared/platform/values/durations.ts'
import { send as sendRequest } from '#test/support/api-event.ts'
import { startAgent } from './agent.ts'
import type { Chance } from './chance.ts'
import { type Consumer, startConsumer } from './consumer.ts'
import type { Deployment } from './deployment.ts'
import { type Invocation, invocation, invoke } from './invocations.ts'
import { emptyJournal, type Journal, spend } from './journal.ts'
import type { Plan } from './plan.ts'
import { type QueueMessage, type VirtualQueue, virtualQueue } from './queue.ts'
import { AGENT_SECRET, keyOf, requestOf } from './seed.ts'
import { connectAgent, connectQueue } from './surroundings.ts'
import type { VirtualTime } from './virtual-time.ts'

/** Milliseconds after the full minute until the sweep starts. */
const SCHEDULE = [500, 5000] as const

interface Parts {
  readonly time: VirtualTime
  readonly chance: Chance
  readonly plan: Plan
  readonly deployment: Deployment
}

export interface RunningService {
  readonly journal: Journal
  readonly queue: VirtualQueue
  readonly consumer: Consumer
  readonly agent: ReturnType<typeof startAgent>
}

/** Kind and owner of a message, to account for its costs. */
const about = ({ body, group }: QueueMessage, called: ReadonlySet<number>): Pick<Invocation, 'kind' | 'owner'> => {
  const { type, lead_id } = JSON.parse(body) as { type: string; lead_id?: number }
  const owner = Number(group) || undefined
  if (type === 'dial') return { kind: lead_id !== undefined && called.has(lead_id) ? 'again' : 'dial', owner }
  return { kind: type === 'watch' ? type : 'fill, look or probe', owner }
}

/** Runs the real handlers for sweeps, queue messages, the agent's reports and creates. */
export const startService = async ({ time, chance, plan, deployment }: Parts): Promise<RunningService> => {
  const [{ handler: sweep }, { handler: placeCall }, { handler: report }, { handler: create }, { phoneHash }] = await Promise.all([
    import('#functions/workers/dispatch-due.ts'),
    import('#functions/workers/place-call.ts'),
    import('#functions/agents/call-events.ts'),
    import('#functions/leads/create.ts'),
    import('#shared/stops/phone-hash.ts'),
  ])
  // Loads the secret before the virtual clock starts.
  await phoneHash('+12125550100')
  const journal = emptyJournal()
  for (const [index, { owner, due }] of plan.leads.entries()) journal.due.set(index + 1, { owner, instant: due, isFresh: false })
  const ended = (run: Invocation): void => spend(journal.spent, run, time.now() <= (plan.crowd?.lastStart ?? plan.end))
  const called = new Set<number>()
  const ownerOf = (lead: number): number => journal.due.get(lead)?.owner ?? 0

  const { isFair, duplicates, plantedLateness: lateness } = plan
  const queue = virtualQueue({ time, chance, ...deployment, isFair, duplicates, lateness })
  connectQueue(queue, time, chance)
  const consumer = startConsumer({
    time,
    chance,
    queue,
    ...deployment,
    run: (event, message) => {
      const end = time.now() + deployment.placeCallTimeoutSeconds * 1000
      const context = { getRemainingTimeInMillis: () => end - time.now() }
      return invoke(about(message, called), () => placeCall(event, context), ended)
    },
  })

  const agent = startAgent({
    time,
    chance,
    secret: AGENT_SECRET,
    callsOf: (lead) => plan.callsOf(ownerOf(lead)),
    report: async (callId, headers, body) => {
      const ask = () => sendRequest(report, { path: `/api/agents/calls/${callId}/events/`, params: { call_id: callId }, headers, body })
      const { status, json } = await invoke({ kind: 'report', owner: ownerOf(Number(callId.split('-')[0])) }, ask, ended)
      if (status !== 200) journal.faults.push(`A report of ${callId} was answered ${status}: ${JSON.stringify(json)}`)
      return status
    },
    asked: (one) => {
      called.add(one.lead)
      journal.asked.push(one)
    },
    ended: (lead, instant) => journal.ended.push({ lead, instant }),
  })
  connectAgent((...request) => {
    const own = invocation()
    if (own) own.hasAsked = true
    return agent.answer(...request)
  })

  const runSweep = async (): Promise<void> => {
    const started = time.now()
    await invoke({ kind: 'sweep' }, () => sweep(), ended).catch((error) => journal.faults.push(`A sweep failed: ${error}`))
    journal.sweeps.run++
    journal.sweeps.longest = Math.max(journal.sweeps.longest, time.now() - started)
  }
  for (let minute = 0; plan.start + minute * MINUTE < plan.end; minute++) {
    if (plan.lostSweeps.has(minute)) journal.sweeps.lost++
    else time.at(plan.start + minute * MINUTE + chance.between(...SCHEDULE), () => void runSweep())
  }

  const createOne = async (owner: number, index: number): Promise<void> => {
    const headers = { Authorization: `Token ${keyOf(owner)}` }
    const { status, json } = await invoke({ kind: 'create' }, () => sendRequest(create, { headers, body: requestOf(index) }), ended)
    if (status === 201) journal.due.set(json.id, { owner, instant: Date.parse(json.next_call_time), isFresh: true })
    else journal.faults.push(`A creation was answered ${status}: ${JSON.stringify(json)}`)
  }
  for (const [place, { owner, instant }] of plan.fresh.entries()) {
    time.at(instant, () => void createOne(owner, plan.leads.length + place))
  }
  return { journal, queue, consumer, agent }
}
