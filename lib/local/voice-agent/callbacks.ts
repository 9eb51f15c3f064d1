import { createHash } from 'node:crypto'
import { CANCELLED_STEPS } from './behaviours.ts'
import type { AgentCall } from './ledger.ts'
import type { CallStep } from './steps.ts'

/** One transmission of one event. Callbacks with the same `eventId` have the same body. */
export interface Callback {
  /** Unique within the call, and stable over restarts. */
  readonly id: string
  readonly eventId: string
  readonly body: string
  /** Real time in epoch milliseconds. */
  readonly dueAt: number
}

const SCRAMBLED_PITCH_MS = 100

/** A cancelled call ends without an answer. A silent call stays silent. */
const stepsOf = (call: AgentCall): readonly CallStep[] =>
  call.cancelledAt !== undefined && call.behaviour.steps.length > 0 ? CANCELLED_STEPS : call.behaviour.steps

/** When the first callback is due. From then on the call cannot be cancelled. Infinity when there are no callbacks. */
export const cancellableUntil = (call: AgentCall, speed: number): number =>
  Math.min(...call.behaviour.steps.map((step) => call.firstRequestAt + step.at / speed))

const scramble = (call: AgentCall, callbacks: readonly Callback[], speed: number): readonly Callback[] => {
  const orderOf = (callback: Callback) => createHash('sha256').update(`${call.key} ${callback.id}`).digest('hex')
  const lastDue = Math.max(...callbacks.map((callback) => callback.dueAt))
  return callbacks
    .flatMap((callback) => [callback, { ...callback, id: `${callback.id} again` }])
    .sort((a, b) => (orderOf(a) < orderOf(b) ? -1 : 1))
    .map((callback, index) => ({ ...callback, dueAt: lastDue + (index * SCRAMBLED_PITCH_MS) / speed }))
}

/** All callbacks of a call, acknowledged ones included. */
export const callbacksOf = (call: AgentCall, speed: number): readonly Callback[] => {
  const dial = { serviceTime: call.firstRequestAt + call.offset, destination: call.destination, isBooked: call.isBooked }
  const startedAt = call.cancelledAt ?? call.firstRequestAt
  const callbacks = stepsOf(call).map((step): Callback => {
    const dueAt = startedAt + step.at / speed
    const eventId = `evt-${call.key}-${step.type.replace('.', '-')}`
    const body = JSON.stringify({
      type: step.type,
      event_id: eventId,
      call_id: call.key,
      provider_call_id: call.providerCallId,
      time: new Date(dueAt + call.offset).toISOString(),
      data: step.data(dial),
    })
    return { id: step.type, eventId, body, dueAt }
  })
  return call.behaviour.scrambled && call.cancelledAt === undefined ? scramble(call, callbacks, speed) : callbacks
}
