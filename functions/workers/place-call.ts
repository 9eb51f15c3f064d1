import { fillQueued } from '#shared/backlog/fill-lines.ts'
import { lookAtOwners } from '#shared/backlog/look-at-owners.ts'
import { probeAgent } from '#shared/backlog/probe-agent.ts'
import { checkPromise } from '#shared/backlog/promises.ts'
import { planHeld } from '#shared/backlog/release/plan-held.ts'
import { getCall } from '#shared/calling/call-store.ts'
import { cancelIfStopped } from '#shared/calling/cancel.ts'
import { placeDueCall } from '#shared/calling/place-call.ts'
import { AGENT_TIMEOUT } from '#shared/calling/rules/dial/intent.ts'
import { watchCall } from '#shared/calling/watch-call.ts'
import { realNow } from '#shared/platform/clock.ts'
import { setting } from '#shared/platform/environment.ts'
import { loggable, logger } from '#shared/platform/logger.ts'
import { CallMessage } from '#shared/platform/queues/messages.ts'
import { consume, type Further, RetryMessage } from '#shared/platform/queues/queue-consumer.ts'
import { type QueueRecord, takeRecords } from '#shared/platform/queues/queue-records.ts'
import { returnIn } from '#shared/platform/queues/queues.ts'
import { onceNotBusy, SHORT_PAUSE } from '#shared/platform/table/busy.ts'
import { SECOND } from '#shared/platform/values/durations.ts'

/** Seconds until an interrupted message is handled again: well within the time in which an agent may be asked. */
const SOON = 10

/** How long to retry a busy table, well within `SOON`. Calls come first: files and bulk requests wait for longer after a refusal. */
const PATIENCE = 4 * SECOND

/** If this fails, the message still comes back after the queue's visibility timeout. */
const askBackSoon = async ({ receiptHandle, messageId }: QueueRecord): Promise<void> => {
  try {
    await returnIn(setting('CALL_QUEUE_URL'), receiptHandle, SOON)
  } catch (error) {
    logger.warn('The early return of a message could not be set. If it is interrupted, it returns only after the visibility timeout.', {
      message_id: messageId,
      error: loggable(error),
    })
  }
}

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
    case 'release':
      return done(probeAgent(message.agent))
    case 'retry-held':
      return done(planHeld(message))
    case 'look':
      return done(lookAtOwners(message.owners))
    case 'fill':
      return done(fillQueued(message.owner, message.fill_time))
  }
}

/**
 * Handles a message so that every interruption (an unclear answer, a crash, a timeout) brings it back in seconds. All of them take the same
 * path, with the same idempotency key.
 */
const retrySoon = async (message: CallMessage, record: QueueRecord): Promise<void> => {
  // With thousands of lines, a look takes longer than this. A second look beside it would send the same leads.
  const isLook = message.type === 'look'
  // Do this first. After a crash, the message must return in the time in which the request may be repeated. Otherwise the attempt is lost.
  if (!isLook) await askBackSoon(record)
  try {
    const isDone = await onceNotBusy(realNow() + PATIENCE, () => handle(message), SHORT_PAUSE)
    if (!isDone) throw new RetryMessage('The agent has not confirmed the call yet.')
  } catch (error) {
    if (isLook) await askBackSoon(record)
    throw error
  }
}

/** Milliseconds after which a message counts as slow: mostly its agent has not answered yet. */
const SLOW_AFTER = SECOND
/** Most slow messages that one run waits for while it takes further ones. */
const MOST_OPEN = 50
/**
 * Milliseconds that a message may take, besides one request to its agent: a busy table is retried before and after it, and a poll may be
 * followed by a cancel.
 */
const BESIDES_REQUEST = 12 * SECOND

/** While a run waits for slow agents, it takes further messages. So one owner's slow agents do not delay the calls of other owners. */
const furtherMessages = (): Further => {
  const queueUrl = setting('CALL_QUEUE_URL')
  return {
    queueUrl,
    slowAfter: SLOW_AFTER,
    mostOpen: MOST_OPEN,
    leastTime: AGENT_TIMEOUT + BESIDES_REQUEST,
    take: () => takeRecords(queueUrl),
  }
}

/** Places due calls, and handles calls in progress, promised callbacks, due leads of owners, and agents. */
export const handler = consume(CallMessage, retrySoon, furtherMessages)
