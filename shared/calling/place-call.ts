import { setTimeout as sleep } from 'node:timers/promises'
import { fillAfterLast, passLineOn } from '../backlog/fill-lines.ts'
import { readOrQuarantine } from '../backlog/quarantine.ts'
import type { Lead } from '../leads/lead.ts'
import { getLead } from '../leads/lead-store.ts'
import { callId } from '../platform/keys.ts'
import { loggable, logger } from '../platform/logger.ts'
import type { DialMessage } from '../platform/queues/messages.ts'
import { askAgent } from './ask-agent.ts'
import { getCall } from './call-store.ts'
import { dial } from './dial.ts'
import { callStatus } from './rules/call-status.ts'
import { watchCall } from './watch-call.ts'

const MAX_TRIES = 8
/** Milliseconds, multiplied by a random part and the number of the try. The write that wins a race takes a few of them. */
const RACE_PAUSE = 20

/** Whether a message still names the lead's next call. */
const isDue = (lead: Lead, message: DialMessage): boolean =>
  lead.attempts + 1 === message.attempt && lead.next_call_time === message.due_at && lead.due_list !== null

/**
 * Resumes a call that a crash cut short. For every other state of a started call, the sweep is responsible.
 * @returns false when the message must come back
 */
const resumeCall = async ({ lead_id, attempt }: DialMessage): Promise<boolean> => {
  const id = callId(lead_id, attempt)
  const call = await getCall(id)
  return !call || callStatus(call) !== 'QUEUED' || (await watchCall(id))
}

/** The lead of this message needs no line: it was sent twice, is not called, or no longer exists. Sends other leads for the line. */
const fillInstead = (owner: number, message: DialMessage): Promise<void> =>
  message.fill_lines_of === undefined ? passLineOn(owner, false) : fillAfterLast(owner, message)

/** A failure must not keep the agent from being asked for the call: the sweep fills the lines later. */
const fillOrLeave = async (owner: number, message: DialMessage): Promise<void> => {
  try {
    await fillAfterLast(owner, message)
  } catch (error) {
    logger.warn('Free lines could not be filled. The sweep will fill them.', { owner, error: loggable(error) })
  }
}

/**
 * Places the call that a message names, or resumes it after a crash. A message is dropped when it no longer names the lead's next call.
 * @returns false when the message must come back
 */
export const placeDueCall = async (message: DialMessage): Promise<boolean> => {
  // Not `retryRaces`: it throws after the last race, which would count as a failed message. This message just comes back.
  for (let tries = 1; tries <= MAX_TRIES; tries++) {
    const lead = await readOrQuarantine(message.lead_id, () => getLead(message.lead_id))
    if (!lead) {
      const owner = message.owner ?? message.fill_lines_of
      if (owner !== undefined) await fillInstead(owner, message)
      return true
    }
    const isStarted = lead.attempts >= message.attempt
    if (isStarted || !isDue(lead, message)) {
      const isDone = !isStarted || (await resumeCall(message))
      await fillInstead(lead.owner, message)
      return isDone
    }
    const fill = async () => void (message.fill_lines_of !== undefined && (await fillOrLeave(lead.owner, message)))
    const dialled = await dial(lead, message.line_group).catch(async (error) => {
      // The leads behind this one have no messages of their own.
      await fill()
      throw error
    })
    if (dialled !== 'raced') await fill()
    if (dialled === 'refused') return true
    if (dialled !== 'raced') return askAgent(dialled.call, dialled.lead)
    await sleep(Math.random() * RACE_PAUSE * tries)
  }
  return false
}
