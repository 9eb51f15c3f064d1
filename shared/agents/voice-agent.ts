import type { Agent } from '../accounts/configuration.ts'
import { awsSignature } from '../platform/aws-signature.ts'
import { realNow } from '../platform/clock.ts'
import { setting } from '../platform/environment.ts'
import { loggable, logger } from '../platform/logger.ts'
import { guardedPost, type PostAnswer } from '../platform/safe-fetch/guarded-post.ts'
import { isHostOf } from '../platform/safe-fetch/public-addresses.ts'
import { SECOND } from '../platform/values/durations.ts'
import { openCredentials } from './credentials.ts'
import {
  type Adapter,
  type Ask,
  type Cancel,
  type Cancelled,
  type Connection,
  type Dial,
  type DialAnswer,
  MalformedSetting,
  type PlatformAnswer,
  type PlatformCallback,
  type PlatformRequest,
  type Polled,
  type Reason,
  type Translation,
} from './platforms/adapter.ts'
import { adapterOf } from './platforms/adapters.ts'
import type { ToolAnswer, ToolCall, ToolResult } from './platforms/tool-use.ts'
import { withoutNumbers } from './rules/answer-reason.ts'
import type { Health } from './rules/breaker.ts'

export type { Dial, Polled, ToolAnswer, ToolCall, ToolResult, Translation }

export type Repeats = Adapter['repeats']

/**
 * The answer to a request to place a call.
 * - `accepted`: the call is placed. `warning`: why the agent cannot take more calls now.
 * - `refused`: certainly, no phone rings. `fault`: what must change. `isWhole`: certainly, every call of the agent is refused.
 * - `unsent`: no phone rings either, because no byte of the request was sent.
 * - `unclear`: the call may have been placed.
 * - `reason`: a sentence that every user of the agent may read. `words`: the platform's own, which only the call keeps.
 * - `health`: the health that the answer shows of the agent as a whole. `isProvisional`: a refusal of the account may still follow.
 */
export type AgentAnswer = { readonly health: Health; readonly isProvisional?: boolean } & (
  | { readonly kind: 'accepted'; readonly platformCallId: string; readonly warning?: string }
  | ({ readonly kind: 'refused'; readonly fault: 'number' | 'account' | 'call'; readonly isWhole?: boolean } & Reason)
  | ({ readonly kind: 'unsent' | 'unclear' } & Reason)
)

/** Milliseconds. A request with a shorter timeout that gets no answer does not count as a failure of the agent. */
const FAIR_TIME = 2 * SECOND

/** Timeout in milliseconds of each request, except the one that places a call. */
const TIMEOUT = 5 * SECOND
/**
 * Timeout in milliseconds for all requests of one poll, and for all of one cancel. One look at a call may need both. Together they must end
 * within 10 seconds, when the message about the call is handled again.
 */
const ALL_TIMEOUT = 4 * SECOND
/** A record of a call holds its transcript. */
const MOST_RECORD_BYTES = 4 * 1024 * 1024

/** An agent's adapter with its connection. */
export interface Connected {
  readonly adapter: Adapter
  readonly connection: Connection
}

const OPEN = { name: 'open', assistant: '', settings: {} } as const

/** Opens the connection to an agent, or returns the reason why the agent cannot be asked. */
export const connect = async ({ id, url, secrets, platform }: Agent): Promise<Connected | { readonly failure: string }> => {
  const { name, assistant, settings } = platform ?? OPEN
  const adapter = adapterOf(name)
  if (!adapter) return { failure: `This version does not know the platform ${name}.` }
  const connection = { api: url, assistant, secrets, settings, apiKey: '', callbackSecret: null }
  if (!platform) return { adapter, connection }
  try {
    const { api_key, callback_secret } = await openCredentials(id, platform.credentials)
    return { adapter, connection: { ...connection, apiKey: api_key, callbackSecret: callback_secret } }
  } catch {
    return { failure: 'The API key of the agent could not be opened.' }
  }
}

const send = ({ url, ...request }: PlatformRequest, timeout: number, mostBytes?: number): Promise<PostAnswer> =>
  guardedPost({ body: '', ...request, url: new URL(url), timeout, ...(mostBytes && { mostBytes }) })

const post = async ({ awsSigned, ...request }: PlatformRequest, timeout: number, mostBytes?: number): Promise<PostAnswer> => {
  if (!awsSigned) return send(request, timeout, mostBytes)
  try {
    const headers = await awsSignature(request, awsSigned, realNow())
    return send({ ...request, headers }, timeout, mostBytes)
  } catch (error) {
    return { kind: 'unsent', reason: `The request could not be signed. ${error instanceof Error ? error.message : ''}` }
  }
}

const askWithin = async (request: PlatformRequest, timeout: number): Promise<PlatformAnswer> => {
  const answer = await post(request, timeout, MOST_RECORD_BYTES)
  if (answer.kind === 'answered') return answer
  throw new Error(`The agent could not be reached: ${answer.reason}`)
}

/** Sends a request that places no call. */
export const ask: Ask = (request) => askWithin(request, TIMEOUT)

/** As `ask`, with one timeout for all requests together. */
const askQuickly = (): Ask => {
  const end = realNow() + ALL_TIMEOUT
  return (request) => askWithin(request, Math.max(1, end - realNow()))
}

const HEALTH: Readonly<Record<DialAnswer['kind'], Health>> = { accepted: 'sound', refused: 'sound', unclear: 'failing' }

const healthShown = (answer: DialAnswer): Health =>
  answer.health ?? (answer.kind === 'refused' && answer.fault === 'account' ? 'failing' : HEALTH[answer.kind])

const MOVED_CLOCK =
  'The clock of the service was moved with --now, so it does not call through agents on other machines. Start it without --now.'

/**
 * Whether an agent could really ring a phone while the test clock is moved, at a time that is lawful only by that clock. A simulated agent
 * runs on this machine.
 */
const isOutOfTime = ({ url }: Agent): boolean => setting('CLOCK_OFFSET_MS') !== 0 && !isHostOf(setting('PRIVATE_AGENT_HOSTS'), new URL(url))

/** Asks an agent to place a call. Without an answer within `timeout` milliseconds, the result is unclear. */
export const placeCall = async (agent: Agent, dial: Dial, timeout: number): Promise<AgentAnswer> => {
  const connected = isOutOfTime(agent) ? { failure: MOVED_CLOCK } : await connect(agent)
  if ('failure' in connected) return { kind: 'unsent', health: 'failing', reason: connected.failure }
  const { adapter, connection } = connected
  const requested = (() => {
    try {
      return adapter.request(connection, dial, realNow())
    } catch (error) {
      return error instanceof MalformedSetting ? error.message : 'A setting or a secret of the agent is malformed.'
    }
  })()
  if (typeof requested === 'string') return { kind: 'unsent', health: 'failing', reason: requested }
  const answer = await post(requested, timeout)
  if (answer.kind === 'answered') {
    const meant = adapter.classify(answer)
    const shown = { health: healthShown(meant), isProvisional: adapter.refusesLate === true }
    return meant.kind === 'accepted' ? { ...meant, ...shown } : { ...meant, ...shown, reason: withoutNumbers(meant.reason) }
  }
  const health = timeout < FAIR_TIME ? 'unsaid' : 'failing'
  return { kind: answer.kind, health, reason: `The provider could not be reached: ${answer.reason}` }
}

/** An agent without a platform speaks our own protocol. */
type OnPlatform = Pick<Agent, 'platform'>

const adapterFor = ({ platform }: OnPlatform): Adapter | undefined => adapterOf((platform ?? OPEN).name)

/** The next step after an unclear answer. An agent whose platform is no longer supported is not asked again. */
export const repeatsOf = (agent: OnPlatform): Repeats => adapterFor(agent)?.repeats ?? { kind: 'neither' }

/** @returns the platform's id of a call that may have been placed; null when the platform has none. @throws when it cannot tell */
export const findCall = async (agent: Agent, dial: Dial): Promise<string | null> => {
  const connected = await connect(agent)
  if ('failure' in connected) throw new Error(connected.failure)
  const { adapter, connection } = connected
  if (!adapter.find) throw new Error('The platform cannot look calls up.')
  return adapter.find(ask, connection, dial)
}

/** Whether the platform of an agent can end a call. */
export const canCancel = (agent: OnPlatform): boolean => adapterFor(agent)?.cancel !== undefined

export interface CancelAnswer {
  readonly kind: Cancelled
  readonly reason: string
}

/** Asks an agent to end a call. Safe to repeat. */
export const cancelCall = async (agent: Agent, call: Omit<Cancel, 'at'>): Promise<CancelAnswer> => {
  const connected = await connect(agent)
  if ('failure' in connected) return { kind: 'failed', reason: connected.failure }
  const { adapter, connection } = connected
  if (!adapter.cancel) return { kind: 'refused', reason: 'The platform cannot end a call.' }
  try {
    const kind = await adapter.cancel(askQuickly(), connection, { ...call, at: realNow() })
    return { kind, reason: kind === 'taken' ? '' : 'The provider did not take the request.' }
  } catch (error) {
    return { kind: 'failed', reason: error instanceof Error ? error.message : 'The request failed.' }
  }
}

const logFailedPoll = (agent: Agent, error: unknown): void =>
  logger.warn('A platform could not be asked about a call.', { agent: agent.id, error: loggable(error) })

/** Asks a platform how a call went whose callbacks may be lost. @returns undefined when the agent cannot be asked, or did not answer */
export const pollCall = async (agent: Agent, platformCallId: string, onFailure = logFailedPoll): Promise<Polled | undefined> => {
  const connected = await connect(agent)
  if ('failure' in connected || !connected.adapter.poll) return undefined
  try {
    return await connected.adapter.poll(askQuickly(), connected.connection, platformCallId, realNow())
  } catch (error) {
    onFailure(agent, error)
    return undefined
  }
}

/** Our id of a call in the result of a poll; null when the result has none. */
export const callIdIn = (polled: Polled | undefined): string | null => {
  if (polled?.kind === 'translated') return polled.translation.callId
  return (polled?.kind === 'ongoing' && polled.callId) || null
}

/** The called number in the result of a poll; null when the result has none. */
export const calledNumberIn = (polled: Polled | undefined): string | null => {
  if (polled?.kind === 'translated') return polled.translation.calledNumber ?? null
  return (polled?.kind === 'ongoing' && polled.calledNumber) || null
}

/** A platform's callback as reports of ours. Undefined when its body is malformed. */
export const translateCallback = (agent: OnPlatform, callback: PlatformCallback): Translation | undefined => {
  try {
    return adapterFor(agent)?.translate(callback)
  } catch {
    return undefined
  }
}

/** Whether the conversations of an agent are the customer's own code. */
export const isOwnCode = (agent: OnPlatform): boolean => adapterFor(agent)?.tools?.isOwnCode === true

/** The platform's form of an answer to an event that called tools. */
export const answerToTools = (agent: OnPlatform, results: readonly ToolResult[]): unknown => adapterFor(agent)?.tools?.answer?.(results)
