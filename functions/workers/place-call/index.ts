import { probeAgent, releaseHeld, retryHeld } from '#shared/backlog/held.ts'
import { checkPromise } from '#shared/backlog/promises.ts'
import { unpark } from '#shared/backlog/unpark.ts'
import { getCall } from '#shared/calling/call-store.ts'
import { cancelIfStopped } from '#shared/calling/cancel.ts'
import { CallMessage } from '#shared/platform/queues/messages.ts'
import { consume } from '#shared/platform/queues/queue-consumer.ts'
import { placeDueCall } from './place.ts'
import { retrySoon } from './retry-soon.ts'
import { watchCall } from './watch.ts'

const cancel = async (callId: string): Promise<boolean> => {
  const call = await getCall(callId)
  return call ? cancelIfStopped(call) : true
}

const done = async (work: Promise<void>): Promise<true> => {
  await work
  return true
}

/** @returns false when the message must come back */
const handle = (message: CallMessage): Promise<boolean> => {
  switch (message.type) {
    case 'dial':
      return placeDueCall(message)
    case 'watch':
      return watchCall(message.call_id)
    case 'cancel':
      return cancel(message.call_id)
    case 'timer':
      return done(checkPromise(message.lead_id, message.promised_time))
    case 'probe':
      return done(probeAgent(message.agent))
    case 'release':
      return done(releaseHeld(message))
    case 'retry-held':
      return done(retryHeld(message))
    case 'unpark':
      return done(unpark(message.owner, message.turn))
  }
}

/** Places due calls, and handles calls in progress, promised callbacks, parked leads and agents. */
export const handler = consume(CallMessage, (message, record) => retrySoon(record, () => handle(message)))
