import { Webhook } from 'standardwebhooks'
import * as v from 'valibot'
import type { Chance } from './chance.ts'
import type { VirtualTime } from './virtual-time.ts'

/** Durations of calls, in seconds. A call begins with the request. */
export interface Calls {
  /** Share of calls that end within two seconds, such as those to a busy phone. Default: none. */
  readonly busy?: number
  /** Share of answered calls. */
  readonly answered: number
  readonly ringing: readonly [number, number]
  readonly talking: readonly [number, number]
  /** Time until an unanswered call ends. */
  readonly unanswered: readonly [number, number]
}

/** Seconds until a call to a busy phone ends. */
const BUSY = [0, 2] as const
/** Milliseconds until the agent answers a request. */
const ANSWER = [100, 200] as const
/** Milliseconds until a report reaches the function. */
const WAY = [10, 30] as const
const REPORT_TRIES = 5
const REPORT_PAUSE = 1000

export interface Asked {
  readonly callId: string
  readonly lead: number
  readonly instant: number
}

export interface AgentOptions {
  readonly time: VirtualTime
  readonly chance: Chance
  readonly secret: string
  readonly callsOf: (lead: number) => Calls
  /** Delivers a report to the service. @returns the status of the answer */
  readonly report: (callId: string, headers: Record<string, string>, body: string) => Promise<number>
  readonly asked: (asked: Asked) => void
  /** Called when the person has hung up, or nobody answered. */
  readonly ended: (lead: number, instant: number) => void
}

const Request = v.pipe(v.string(), v.parseJson(), v.object({ call_id: v.string() }))

/** Answers the service's requests, and simulates the calls. */
export const startAgent = ({ time, chance, secret, callsOf, report, asked, ended }: AgentOptions) => {
  const counts = { requests: 0, repeats: 0, cancels: 0, lostReports: 0 }
  const calls = new Set<string>()
  const webhook = new Webhook(secret)

  const tell = async (callId: string, type: string, data: unknown = {}): Promise<void> => {
    const at = new Date(time.now())
    const body = JSON.stringify({ type, call_id: callId, time: at.toISOString(), provider_call_id: `p-${callId}`, data })
    for (let tries = 0; tries < REPORT_TRIES; tries++) {
      await time.sleep(chance.between(...WAY))
      const sent = new Date(time.now())
      const headers = {
        'webhook-id': `${callId}-${type}`,
        'webhook-timestamp': `${Math.floor(sent.getTime() / 1000)}`,
        'webhook-signature': webhook.sign(`${callId}-${type}`, sent, body),
      }
      if ((await report(callId, headers, body)) === 200) return
      await time.sleep(REPORT_PAUSE)
    }
    counts.lostReports++
  }

  const live = async (callId: string, lead: number): Promise<void> => {
    const { busy, answered, ringing, talking, unanswered } = callsOf(lead)
    const isBusy = busy !== undefined && chance.happens(busy)
    const isAnswered = !isBusy && chance.happens(answered)
    const seconds = (range: readonly [number, number]) => time.sleep(1000 * chance.between(...range))
    await seconds(isBusy ? BUSY : isAnswered ? ringing : unanswered)
    if (isAnswered) {
      void tell(callId, 'call.answered')
      await seconds(talking)
    }
    ended(lead, time.now())
    await tell(callId, 'call.ended')
    await tell(callId, 'call.completed', { outcome: isBusy ? 'busy' : isAnswered ? 'not_interested' : 'no_answer', summary: 'A call.' })
  }

  const answer = async (url: URL, key: string, text: string): Promise<unknown> => {
    if (url.pathname.endsWith('/cancel')) {
      counts.cancels++
      return {}
    }
    const { call_id: callId } = v.parse(Request, text)
    const lead = Number(callId.split('-')[0])
    if (key !== callId) throw new Error(`The key is ${key}, the call ${callId}.`)
    counts.requests++
    const isNew = !calls.has(callId)
    if (isNew) asked({ callId, lead, instant: time.now() })
    else counts.repeats++
    calls.add(callId)
    if (isNew) void live(callId, lead)
    await time.sleep(chance.between(...ANSWER))
    return { provider_call_id: `p-${callId}` }
  }

  return { counts, answer }
}
