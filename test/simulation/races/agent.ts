import type { ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { now } from '#shared/platform/clock.ts'
import type { ReceivedRequest, ReceiverAnswer, ReceiverOptions } from '#test/support/receiver.ts'
import type { Chance } from '../lateness/chance.ts'

/** A request that reached the agent. */
export interface AgentRequest {
  readonly callId: string
  readonly kind: 'dial' | 'cancel'
  /** `performance.now()`. */
  readonly arrived: number
  /** When it was sent, by the service's clock, in epoch milliseconds. For a cancel: its arrival, with an infinite `notAfter`. */
  readonly time: number
  readonly notAfter: number
  /** `performance.now()` of the answer; null until there is one. */
  answered: number | null
  answer: 'accepted' | 'refused' | 'failed' | 'none'
}

export interface RaceAgent {
  readonly requests: AgentRequest[]
  readonly respond: NonNullable<ReceiverOptions['respond']>
  /** Whether to accept every request from now on. `favour` does this for one call. */
  setKind(isKind: boolean): void
  favour(callId: string): void
  /** Never accepts this call from now on. */
  fail(callId: string): void
  /** Sets a callback for cancels that the agent accepts. */
  onCancel(action: (callId: string) => void): void
}

/** Shortest and longest time until the agent answers a dial request, in milliseconds. */
const ANSWERS = [0, 300] as const
/** The same for a request to cancel. */
const CANCELS = [0, 50] as const

const NEVER = new Promise<never>(() => undefined)
const ACCEPTED = { status: 200, body: '{"provider_call_id":"p-1"}' }
const STATUS = { refused: 422, failed: 500 } as const

/** @param hangs which unaccepted requests may stay unanswered: `some` of all requests, or only a call's `first` */
export const raceAgent = (chance: Chance, { hangs }: { readonly hangs: 'some' | 'first' }): RaceAgent => {
  const requests: AgentRequest[] = []
  const asked = new Map<string, number>()
  const favoured = new Set<string>()
  const failing = new Set<string>()
  let isKind = false
  let cancelled: (callId: string) => void = () => undefined

  const draw = (callId: string, tries: number): AgentRequest['answer'] => {
    if (isKind || favoured.has(callId)) return 'accepted'
    const mood = failing.has(callId) ? chance.between(0.8, 1) : chance.next()
    if (mood < (tries === 1 ? 0.78 : 0.6)) return 'accepted'
    if (mood < 0.8) return tries === 1 ? 'refused' : 'failed'
    if (mood < 0.9) return 'failed'
    return tries === 1 || hangs === 'some' ? 'none' : 'failed'
  }
  const place = async (request: AgentRequest, response: ServerResponse): Promise<ReceiverAnswer> => {
    const tries = (asked.get(request.callId) ?? 0) + 1
    asked.set(request.callId, tries)
    const answer = draw(request.callId, tries)
    if (answer === 'none') return NEVER
    await sleep(chance.between(...ANSWERS))
    // The service has given up waiting: for it, there was no answer.
    if (response.destroyed) return NEVER
    Object.assign(request, { answer, answered: performance.now() })
    return answer === 'accepted' ? ACCEPTED : { status: STATUS[answer] }
  }
  const cancel = async (request: AgentRequest): Promise<ReceiverAnswer> => {
    await sleep(chance.between(...CANCELS))
    const isTaken = isKind || chance.happens(0.9)
    Object.assign(request, { answer: isTaken ? 'accepted' : 'failed', answered: performance.now() })
    if (isTaken) cancelled(request.callId)
    return { status: isTaken ? 200 : 503 }
  }
  return {
    requests,
    respond: ({ path, body }: ReceivedRequest, _, response) => {
      const asked = JSON.parse(body) as { call_id: string; not_after?: string; requested_time?: string }
      const callId = asked.call_id
      const kind = path.endsWith('/cancel') ? 'cancel' : 'dial'
      const notAfter = kind === 'dial' ? Date.parse(`${asked.not_after}`) : Number.POSITIVE_INFINITY
      const time = kind === 'dial' ? Date.parse(`${asked.requested_time}`) : now()
      const request: AgentRequest = { callId, kind, arrived: performance.now(), time, notAfter, answered: null, answer: 'none' }
      requests.push(request)
      return kind === 'dial' ? place(request, response) : cancel(request)
    },
    setKind: (kind) => {
      isKind = kind
    },
    favour: (callId) => void favoured.add(callId),
    fail: (callId) => void failing.add(callId),
    onCancel: (action) => {
      cancelled = action
    },
  }
}
