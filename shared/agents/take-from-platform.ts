import type { Agent } from '../accounts/configuration.ts'
import { requestCancel } from '../backlog/dispatch.ts'
import type { Call } from '../calling/call.ts'
import { getCall, recordMilestones } from '../calling/call-store.ts'
import { cancelIfStopped, stopAgainst, stopOfConversation } from '../calling/cancel.ts'
import { mayBeTalking } from '../calling/rules/call-status.ts'
import { applyOnlyStops, applyTranslation } from '../calling/take-report.ts'
import { type ErasedCall, getCallEver } from '../erasure/erased-call-store.ts'
import { now } from '../platform/clock.ts'
import { logger } from '../platform/logger.ts'
import { DAY } from '../platform/values/durations.ts'
import type { Instant } from '../platform/values/values.ts'
import { getAgent } from './agent-store.ts'
import { answerTool } from './answer-tools.ts'
import { isToOther } from './platforms/own-call.ts'
import { reportOfTool, toolOf } from './platforms/tools.ts'
import { calledNumberIn, callIdIn, pollCall, type ToolAnswer, type ToolCall, type ToolResult, type Translation } from './voice-agent.ts'

/** Longest id of an agent. The table refuses very long keys. */
const LONGEST_KEY = 50

/** The agent of a path, if it is on a voice platform. */
export const agentOnPlatform = async (key: string): Promise<Agent | undefined> => {
  const agent = key.length > LONGEST_KEY ? undefined : await getAgent(key)
  return agent?.platform ? agent : undefined
}

interface Taken {
  /** `ignored`: the event concerns no call of the agent, or calls tools of a call that ended more than a day ago. */
  readonly status: 'accepted' | 'ignored'
  /** One result for each tool that the event called. */
  readonly results: readonly ToolResult[]
}

/** Most tools that one event may call. An assistant calls one tool at a time, or a few. */
const MOST_TOOLS = 10

/** Tools of a call work for this long after its end: an assistant's code may report the outcome late. */
const TOOLS_END_AFTER = DAY

const isLongOver = (call: Call, at: Instant): boolean => {
  const { ended_time, completed_time, refused_time, unknown_time } = call
  const ends = [ended_time, completed_time, refused_time, unknown_time].filter((time) => time !== null)
  return ends.length > 0 && Math.max(...ends) + TOOLS_END_AFTER < at
}

const resultsOf = (asks: readonly ToolCall[], answer: ToolAnswer): ToolResult[] => asks.map((call) => ({ call, answer }))

/** The answer to a tool of an unknown call. It does not reveal whether the call exists. */
const NO_CALL: ToolAnswer = { ok: false, message: 'This call is not known. Nothing was done.' }
const TOO_MANY: ToolAnswer = { ok: false, message: 'Nothing was done: too many tools at once. Call this one again.' }

const STOP = 'This person must not be called: say goodbye and end the call.'

const STOP_RECORDED: ToolAnswer = { ok: true, message: `Recorded. ${STOP}` }

/** Each answer says that a person must not be called, because some platforms cannot end a call. */
const withStop = async (call: Call, results: readonly ToolResult[]): Promise<readonly ToolResult[]> => {
  if (results.length === 0 || (await stopOfConversation(call)) === null) return results
  return results.map(({ call: asked, answer }) => ({ call: asked, answer: { ...answer, message: `${answer.message} ${STOP}` } }))
}

const answers = (agent: Agent, call: Call | ErasedCall, asks: readonly ToolCall[], text: string): Promise<ToolResult[]> =>
  Promise.all(
    asks.map(async (asked, index) => ({ call: asked, answer: index < MOST_TOOLS ? await answerTool(agent, call, asked, text) : TOO_MANY })),
  )

const isOtherCall = ({ provider_call_id: first }: Call, second: string | null): boolean =>
  second !== null && first !== null && first !== second

/** Applies the stop that a tool call asks for. @returns whether it asks for one */
const applyStopAsked = async (call: Call, translation: Translation, { name, args, time }: ToolCall): Promise<boolean> => {
  const tool = toolOf(name)
  const report = tool && reportOfTool(tool, args ?? {})
  return report !== undefined && applyOnlyStops(call, { ...translation, reports: [{ ...report, time }] })
}

/** Handles a second platform id for one dial: a second call to the person, or the id of another call. Only a request to stop counts. */
const takeFromSecondCall = async (call: Call, second: string | null, translation: Translation): Promise<Taken> => {
  const ids = { call: call.call_id, first: call.provider_call_id, second }
  if (translation.platformCallId === null) logger.warn('A tool was called with the id of another call.', ids)
  else logger.error('A platform reports a second call for one attempt.', ids)
  const isStopped = await applyOnlyStops(call, translation)
  const results: ToolResult[] = []
  for (const asked of translation.asks ?? [])
    results.push({ call: asked, answer: (await applyStopAsked(call, translation, asked)) ? STOP_RECORDED : NO_CALL })
  return { status: isStopped || results.some(({ answer }) => answer.ok) ? 'accepted' : 'ignored', results }
}

interface Source {
  /** The platform's id of the call, as a sender other than the platform gave it. */
  readonly claimed?: string | null
  /** The body of the platform's request. The same body again is a repeat. */
  readonly text: string
}

/**
 * Applies what a platform reported about a call of an agent, answers the tools that it called, and ends the call if it is stopped by now. Safe
 * to repeat.
 */
export const takeAbout = async (
  call: Call | ErasedCall | undefined,
  agent: Agent,
  translation: Translation,
  { claimed = null, text }: Source,
): Promise<Taken> => {
  const { platformCallId, calledNumber = null, reports, asks = [] } = translation
  const ignored: Taken = { status: 'ignored', results: resultsOf(asks, NO_CALL) }
  if (call?.agent !== agent.id) return ignored
  if ('erased_time' in call) {
    await applyOnlyStops(call, translation)
    return { status: 'accepted', results: await answers(agent, call, asks, text) }
  }
  // Another deployment may use the same account, and its calls may have the same ids as ours.
  if (isToOther(calledNumber, call.phone_number)) {
    // Every event of the other deployment comes here, so this is not logged as a warning.
    logger.info('A platform reports a call to another number under our id of a call.', { call: call.call_id, other: platformCallId })
    return ignored
  }
  const second = platformCallId ?? claimed
  if (isOtherCall(call, second)) return takeFromSecondCall(call, second, translation)
  if (asks.length > 0 && reports.length === 0 && isLongOver(call, now())) return ignored
  const updated = await applyTranslation(call, translation, text)
  // An assistant that calls a tool is in a conversation. Some platforms report no answer before its end.
  const known = updated ?? call
  if (mayBeTalking(known) && asks.some(({ name }) => name !== 'report_outcome')) await recordMilestones(call, { talked_time: now() })
  const results = await answers(agent, known, asks, text)
  const current = asks.length === 0 ? updated : await getCall(call.call_id)
  if (!current) return { status: 'accepted', results }
  const withStops = await withStop(current, results)
  // In an answer to an event we cannot report a stop, so the call is ended by a cancel. An assistant that called a tool learns of the stop
  // from our answer.
  const isLeft = asks.length > 0 ? (await stopAgainst(current)) !== null : !(await cancelIfStopped(current))
  if (isLeft) await requestCancel({ owner: call.owner, callId: call.call_id })
  return { status: 'accepted', results: withStops }
}

/** As `takeAbout`, for the call that the translation names. */
export const takeFromPlatform = async (agent: Agent, translation: Translation, source: Source): Promise<Taken> => {
  const { callId, platformCallId, isIdInRecord } = translation
  const record = callId === null && isIdInRecord && platformCallId !== null ? await pollCall(agent, platformCallId) : undefined
  const id = callId ?? callIdIn(record)
  const calledNumber = translation.calledNumber ?? calledNumberIn(record)
  return takeAbout(id === null ? undefined : await getCallEver(id), agent, { ...translation, calledNumber }, source)
}
