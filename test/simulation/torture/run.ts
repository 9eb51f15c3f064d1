import { setTimeout as sleep } from 'node:timers/promises'
import { Webhook } from 'standardwebhooks'
import { freePort } from '#test/support/engine.ts'
import { startReceiver } from '#test/support/receiver.ts'
import { type Service, until } from '#test/support/service.ts'
import { faultsOf, type Told } from './faults.ts'
import { randomFrom, startVictim, type Victim, wreak } from './mayhem.ts'

export interface Plan {
  readonly kills: number
  readonly restarts: number
  readonly leads: number
  readonly seed: number
}

const TRIGGERS = [
  'LEAD_CREATED',
  'BEFORE_CALLING',
  'CALL_COMPLETE',
  'CALL_FAILED',
  'LEAD_CLOSED',
  'LEAD_LOST',
  'LEAD_SCHEDULE_COMPLETED',
  'LEAD_BAD_NUMBER',
]

/** Endings by which the simulated agent brings a call to an end in seconds. */
const ENDINGS = ['0001', '0002', '0003', '0005', '0006', '0008', '0012']

/** After the last kill a message may be hidden for its queue's visibility time-out, more than once in a row. */
const SETTLING_MS = 8 * 60_000

/** Valid numbers, each its own: area code, exchange, and how its call ends. */
const phoneOf = (index: number): string => {
  const areas = [212, 312, 415, 617, 713]
  const ending = ENDINGS[index % ENDINGS.length]
  return `+1${areas[index % areas.length]}${200 + Math.floor(index / areas.length)}${ending}`
}

/** A zone in which it is about noon now, so that calling is lawful whenever this runs. */
const noonZone = (): string => {
  const hours = 12 - new Date().getUTCHours()
  return hours === 0 ? 'Etc/GMT' : `Etc/GMT${hours > 0 ? '-' : '+'}${Math.abs(hours)}`
}

const attempt = async <T>(run: () => Promise<T>): Promise<T | undefined> => {
  try {
    return await run()
  } catch {
    return undefined
  }
}

/** Creates leads until as many as planned were acknowledged: whoever got no 201 is not counted, whatever became of it. */
const createLeads = async (victim: Victim, count: number, isHurried: () => boolean): Promise<Map<number, string>> => {
  const acknowledged = new Map<number, string>()
  const timezone = noonZone()
  for (let index = 0; acknowledged.size < count && index < 6000; index++) {
    const phone_number = phoneOf(index)
    const service = await victim.current()
    const answer = await attempt(() => service.call('POST', '/api/leads/', { phone_number, timezone }))
    if (answer?.status === 201) acknowledged.set(answer.body.id, phone_number)
    // Spread over the time of the kills.
    await sleep(isHurried() ? 20 : 250)
  }
  return acknowledged
}

const subscribe = async (service: Service, url: string): Promise<void> => {
  const answer = await service.call('POST', '/api/webhooks/', { url, trigger: TRIGGERS })
  if (answer.status !== 201) throw new Error(`No subscription: ${JSON.stringify(answer.body)}`)
}

/** Runs the plan. @returns what of the promises was broken */
export const torture = async (plan: Plan, data: string, print: (line: string) => void): Promise<{ faults: string[] }> => {
  print(`${plan.leads} leads, ${plan.kills} kills of the functions, ${plan.restarts} of the whole service; seed ${plan.seed}`)
  const victim = await startVictim(data, await freePort())
  const service = await victim.current()
  const told: Told[] = []
  const receiver = await startReceiver({
    respond: ({ body, headers }) => {
      new Webhook(service.webhookSecret).verify(body, headers as Record<string, string>)
      told.push({ webhookId: `${headers['webhook-id']}`, payload: JSON.parse(body) })
      return {}
    },
  })
  try {
    await subscribe(service, receiver.url)
    const started = Date.now()
    let isOver = false
    const mayhem = wreak(victim, plan, randomFrom(plan.seed)).finally(() => {
      isOver = true
    })
    const [leads] = await Promise.all([createLeads(victim, plan.leads, () => isOver), mayhem])
    print(`${leads.size} leads acknowledged in ${Math.round((Date.now() - started) / 1000)} s, the last kill is done`)

    const look = async () => {
      const current = await victim.current()
      const states = new Map<number, { status: string }>()
      for (const id of leads.keys()) {
        const answer = await attempt(() => current.call('GET', `/api/leads/${id}/`))
        if (answer?.status === 200) states.set(id, answer.body)
      }
      return faultsOf({ leads, states, told, dials: await current.dials() })
    }
    const settled = Date.now()
    const lookAgain = async () => {
      await sleep(10_000)
      const report = await look()
      const since = Math.round((Date.now() - settled) / 1000)
      print(`${since} s after the last kill: ${report.faults.length} things to come${report.faults[0] ? `, as ${report.faults[0]}` : ''}`)
      return report
    }
    const report = await until(lookAgain, ({ faults }) => faults.length === 0, SETTLING_MS)
    for (const line of report.lines) print(line)
    return report
  } finally {
    await victim.end()
    await receiver.close()
  }
}
