import { Webhook } from 'standardwebhooks'
import type { ReportedOutcome } from '#shared/calling/call.ts'
import { callbackSender } from './callbacks.ts'
import { type Emulator, listen, type Reply, type Rung, type Seen } from './emulator.ts'

export interface OpenOptions {
  /** The secret that signs in both directions. */
  readonly secret: string
  /** How the calls to a number end. Undefined: they go on until `finish`. */
  readonly script: (to: string) => ReportedOutcome | undefined
  readonly now: () => number
  /** Dials for every request, as a platform without idempotency keys does. */
  readonly isForgetful?: boolean
}

export interface OpenEmulator extends Emulator {
  readonly finish: (platformCallId: string, outcome: ReportedOutcome) => void
}

interface OpenCall {
  readonly id: string
  readonly callId: string
  readonly url: string
  isOver: boolean
}

/** Outcomes of calls that nobody answers. */
const UNANSWERED: readonly ReportedOutcome[] = ['no_answer', 'busy', 'failed', 'disconnected']

/** An agent of our own protocol, whose calls a test ends. */
export const startOpenEmulator = async ({ secret, script, now, isForgetful = false }: OpenOptions): Promise<OpenEmulator> => {
  const calls: OpenCall[] = []
  const rung: Rung[] = []
  const callbacks = callbackSender()
  const webhook = new Webhook(secret)

  const tell = ({ id, callId, url }: OpenCall, type: string, data: object = {}): void => {
    const eventId = `${type}-${id}`
    const report = { type, call_id: callId, provider_call_id: id, event_id: eventId, time: new Date(now()).toISOString(), data }
    const body = JSON.stringify(report)
    // Signatures go by the machine's clock.
    const at = new Date()
    const headers = {
      'content-type': 'application/json',
      'webhook-id': eventId,
      'webhook-timestamp': `${Math.floor(at.getTime() / 1000)}`,
      'webhook-signature': webhook.sign(eventId, at, body),
    }
    callbacks.send(emulator.callbackFault, url, headers, body)
  }

  const finish = (call: OpenCall, outcome: ReportedOutcome): void => {
    if (call.isOver) return
    call.isOver = true
    if (!UNANSWERED.includes(outcome)) tell(call, 'call.answered')
    tell(call, 'call.ended')
    tell(call, 'call.completed', { outcome })
  }

  const dial = (text: string): Reply | undefined => {
    const { dialFault } = emulator
    if (typeof dialFault === 'object') return dialFault
    if (dialFault === 'lost-before') return undefined
    const { call_id: callId, callback_url: url, lead } = JSON.parse(text)
    const known = isForgetful ? undefined : calls.find((call) => call.callId === callId)
    const call = known ?? { id: `open-${calls.length + 1}`, callId, url, isOver: false }
    if (!known) {
      calls.push(call)
      rung.push({ platformCallId: call.id, to: lead.phone_number, from: '', callId })
      const outcome = script(lead.phone_number)
      if (outcome) finish(call, outcome)
    }
    return dialFault === 'lost-after' ? undefined : { status: 200, body: { provider_call_id: call.id } }
  }

  const cancel = (text: string): Reply => {
    const { call_id: callId } = JSON.parse(text)
    for (const call of calls.filter((one) => one.callId === callId)) finish(call, 'no_answer')
    return { status: 200, body: {} }
  }

  const server = await listen(({ path, body }: Seen) => (path.endsWith('/cancel') ? cancel(body) : dial(body)))
  const emulator: OpenEmulator = {
    url: server.url,
    seen: server.seen,
    rung,
    dialFault: 'none',
    callbackFault: 'none',
    settled: callbacks.settled,
    close: server.close,
    finish: (platformCallId, outcome) => {
      for (const call of calls.filter(({ id }) => id === platformCallId)) finish(call, outcome)
    },
  }
  return emulator
}
