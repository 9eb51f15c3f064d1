import type { Agent } from '#shared/accounts/configuration.ts'
import { cancelCall, type Dial, findCall, pollCall, repeatsOf } from '#shared/agents/voice-agent.ts'
import { MINUTE, SECOND } from '#shared/platform/values/durations.ts'
import type { Instant } from '#shared/platform/values/values.ts'
import type { Output } from '../output.ts'
import type { Waiting } from '../waiting.ts'
import type { Heard } from './heard.ts'

const ASKED_EVERY = 5 * SECOND
/** The time until somebody answers. */
const RINGS_FOR = 2 * MINUTE
/** The analysis of a conversation takes a platform seconds to minutes. */
const ANALYSED_WITHIN = 3 * MINUTE
/** For an agent whose calls have no limit of their own. */
const LONGEST = 30 * MINUTE

export interface Followed {
  readonly agent: Agent
  readonly dial: Dial
  readonly output: Output
  readonly waiting: Waiting
  readonly heard: Heard
  /** Whether reports can arrive, besides the answers to polls. */
  readonly isReported: boolean
  /** Aborted by Ctrl-C. */
  readonly interrupted: AbortSignal
  /** A signal that is aborted at the next report, and by Ctrl-C. */
  readonly news: () => AbortSignal
}

/**
 * Finds out whether an unclear request placed the call. The request is never repeated.
 * @returns the platform's id of the call; undefined when nobody knows
 */
export const lookTrialUp = async (followed: Followed): Promise<string | null | undefined> => {
  const { agent, dial, output, waiting, heard, interrupted, news, isReported } = followed
  const isFindable = repeatsOf(agent).kind === 'findable'
  if (isFindable) output.note('The command asks the platform whether it has the call.')
  else if (isReported) output.note('The request is not repeated. If the call exists, its reports still arrive here.')
  else return undefined
  let failure = ''
  for (;;) {
    const isLast = waiting.now() >= dial.notAfter || interrupted.aborted
    try {
      const found = isFindable ? await findCall(agent, dial) : null
      if (found !== null) return found
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error)
      if (message !== failure) output.note(`The call could not be looked up: ${message}`)
      failure = message
    }
    // Reports arrived, so the call exists.
    if (heard.hasAny()) return heard.platformCallId()
    if (isLast) return undefined
    await waiting.pause(ASKED_EVERY, news())
  }
}

const deadline = ({ agent, dial, heard }: Followed): Instant => {
  const ended = heard.endedAt()
  const longest = agent.platform ? dial.longestSeconds * SECOND : LONGEST
  return ended === undefined ? dial.intentTime + RINGS_FOR + longest + ANALYSED_WITHIN : ended + ANALYSED_WITHIN
}

/** Prints the reports of a call until nothing more is expected. @param platformCallId null: there is nobody to ask */
export const followTrial = async (followed: Followed, platformCallId: string | null): Promise<void> => {
  const { agent, output, waiting, heard, interrupted, news } = followed
  let [answered, ongoing, waits] = [true, false, false]
  const isOver = () => heard.isComplete() || interrupted.aborted
  while (!isOver()) {
    if (agent.platform && platformCallId !== null) {
      const polled = await pollCall(agent, platformCallId, () => {})
      if (!polled && answered) output.note('The platform did not report the state of the call. The command asks again.')
      if (polled?.kind === 'gone' && answered) output.note('The platform does not know the call. The command asks again.')
      if (polled?.kind === 'ongoing' && !ongoing) output.note('The call goes on.')
      ongoing ||= polled?.kind === 'ongoing'
      answered = polled?.kind === 'ongoing' || polled?.kind === 'translated'
      if (polled?.kind === 'translated') heard.takeTranslation(polled.translation)
    }
    if (isOver() || waiting.now() >= deadline(followed)) return
    if (!waits && heard.endedAt() !== undefined) {
      waits = true
      output.note(`The call is over. Waiting up to ${ANALYSED_WITHIN / MINUTE} minutes for an outcome; Ctrl-C stops.`)
    }
    await waiting.pause(ASKED_EVERY, news())
  }
}

const CANCELLED = {
  taken: 'The agent took the request to end the call.',
  refused: 'The call could not be ended, and may go on.',
  failed: 'The request to end the call failed. The call may go on.',
} as const

/** Ends the call. @returns what happened, as a sentence */
export const endTrial = async ({ agent, dial }: Followed, platformCallId: string | null): Promise<string> => {
  const { kind, reason } = await cancelCall(agent, { callId: dial.callId, platformCallId, reason: 'The operator ended the trial.' })
  return kind === 'taken' ? CANCELLED.taken : `${CANCELLED[kind]} ${reason}`
}
