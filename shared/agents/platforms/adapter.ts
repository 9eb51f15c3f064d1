import type { Instant } from '../../platform/values/values.ts'
import type { Health } from '../rules/breaker.ts'
import type { OpenReport } from './open-report.ts'
import type { ToolCall, ToolUse } from './tool-use.ts'
import type { OfferedTool, ToolName } from './tools.ts'

/**
 * A voice platform behind one interface. An adapter translates between the platform and our open protocol. It is pure: it builds requests
 * and reads answers, and the caller sends them. So one caller keeps every promise (at most one dial, no request to a private address), and
 * a test needs no network.
 */

/** An HTTP request to a platform. */
export interface PlatformRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** Without it, no body is sent. */
  readonly body?: string
  /** Signs the request with the function's AWS role, for this service in this region. */
  readonly awsSigned?: { readonly service: string; readonly region: string }
}

/** The answer of a platform. A redirect is an answer too: it is not followed. */
export interface PlatformAnswer {
  readonly status: number
  readonly text: string
  readonly contentType?: string | undefined
}

/** A setting of an agent that no request can be made with. The message names it, and every user of the agent may read it. */
export class MalformedSetting extends Error {}

/** Sends a request. @throws when the platform does not answer in time */
export type Ask = (request: PlatformRequest) => Promise<PlatformAnswer>

/** A number that calls are made from. */
export interface CallerNumber {
  /** In E.164. */
  readonly number: string
  /** The platform's own id of the number, where requests need it. */
  readonly id: string | null
}

/** An agent's account on a platform, with its secrets opened. */
export interface Connection {
  /** For our own protocol only: Standard Webhooks secrets that sign in both directions, the newest first. */
  readonly secrets?: readonly string[]
  /** The base URL of the platform's API, without a trailing slash. */
  readonly api: string
  /** The speaker in the call: an assistant's id, or the platform's equivalent (a pathway, a TwiML URL, a contact flow). */
  readonly assistant: string
  readonly apiKey: string
  /** The secret (or public key) that verifies callbacks. Null: the platform signs with the API key, or not at all. */
  readonly callbackSecret: string | null
  /** Further settings that only this platform has, such as Twilio's account id. */
  readonly settings: Readonly<Record<string, string>>
  /** For a check of an agent on Amazon Connect only: the ARNs of the instances that the deployment may use. */
  readonly permitted?: readonly string[]
}

/** A call to place. If the request is repeated, all fields have the same values. */
export interface Dial {
  readonly callId: string
  /** In E.164. */
  readonly to: string
  readonly from: CallerNumber
  /** Texts for the assistant to say or use: the lead's fields and metadata, and the script. */
  readonly variables: Readonly<Record<string, string>>
  /** For our own protocol only: the whole request. */
  readonly briefing?: unknown
  /** URL for reports of this call: the path names the agent, the query the call. Null: no platform can reach the service. */
  readonly callbackUrl: string | null
  /** When the service decided to place this call, before it asked the platform. */
  readonly intentTime: Instant
  readonly notAfter: Instant
  /** Seconds after which the platform must end the conversation. */
  readonly longestSeconds: number
}

export interface Reason {
  readonly reason: string
  readonly words?: string
}

/**
 * The meaning of an answer to a dial.
 * - `accepted`: the platform places the call, or has placed it. `warning`: why it cannot take more calls of the account now.
 * - `refused`: certainly, no phone rings for this request. `fault` says what must change: the number does not exist; the platform cannot
 *   take any call of the account now (credentials, balance, concurrency, rate limit, its caller number); or only this call was refused.
 *   `isWhole`: a status or a documented code says that every call of the account is refused. Otherwise, `account` is a guess by words.
 * - `unclear`: the call may have been placed.
 *
 * `reason`: a sentence of ours, which every user of the agent may read. `words`: the platform's own, which may name a person.
 * `health`: what the answer shows of the agent as a whole, if it is not what the kind shows.
 */
export type DialAnswer = { readonly health?: Health } & (
  | { readonly kind: 'accepted'; readonly platformCallId: string; readonly warning?: string }
  | ({ readonly kind: 'refused'; readonly fault: 'number' | 'account' | 'call'; readonly isWhole?: boolean } & Reason)
  | ({ readonly kind: 'unclear' } & Reason)
)

/** Why a platform did not place a call that it had accepted, when a documented code blames the account. */
export interface LateRefusal {
  /** A sentence of ours, which every user of the agent may read. */
  readonly reason: string
  /** The code says that every call of the account is refused: its subscription, credit or limit of calls. */
  readonly isWhole: boolean
}

/** A platform's event, or its record of a call, as reports in our protocol. An event without reports still shows that the call is alive. */
export interface Translation {
  /** Our id of the call; null when the event does not have it. */
  readonly callId: string | null
  /** The event does not have our id, but the platform's record of the call has it. */
  readonly isIdInRecord?: boolean
  /** The platform's id of the call; null when the event concerns no call. */
  readonly platformCallId: string | null
  /** The number that was called, from platforms that send the calls of all deployments to each deployment. */
  readonly calledNumber?: string | null
  readonly reports: readonly OpenReport[]
  /** Set when no phone rang. The call then counts as refused. Of its reports, only requests to stop calling are applied. */
  readonly refusal?: LateRefusal
  /** The tools that the event calls. */
  readonly asks?: readonly ToolCall[]
  /** An event type or an end reason that the adapter does not know, for the log. */
  readonly unknown?: string
}

/** A platform's callback. Its signature is checked before anything in it is believed. */
export interface PlatformCallback {
  /** The full URL, as the platform was given it. */
  readonly url: string
  readonly rawBody: string
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>
  /** When it arrived. */
  readonly at: Instant
}

/**
 * The result of a poll. `gone`: the platform does not know the call. `callId` and `calledNumber`: as in a translation, for a call in
 * progress. `isWaiting`: the platform's record shows that nobody has answered the call yet.
 */
export type Polled =
  | { readonly kind: 'translated'; readonly translation: Translation }
  | ({ readonly kind: 'ongoing'; readonly isWaiting?: true } & Partial<Pick<Translation, 'callId' | 'calledNumber'>>)
  | { readonly kind: 'gone' }

/** Something an operator should change on the platform. */
export interface Advice {
  readonly problem: string
  /** The exact text to paste. */
  readonly paste?: string
  /** The tool that is missing. */
  readonly tool?: ToolName
}

/** A call to end, and why. */
export interface Cancel {
  readonly callId: string
  /** Null when the platform has never sent it. */
  readonly platformCallId: string | null
  readonly reason: string
  readonly at: Instant
}

/** `failed`: the request may be repeated. */
export type Cancelled = 'taken' | 'refused' | 'failed'

/** The form of a value, and the sentence for people whose value has another form. */
export interface ValueForm {
  readonly pattern: RegExp
  readonly rule: string
}

/** A setting that only agents on one platform have. */
export interface PlatformSetting {
  /** Its meaning, as a sentence. */
  readonly about: string
  readonly isOptional?: true
  /** The only values that it takes. */
  readonly values?: readonly string[]
  readonly form?: ValueForm
}

export interface Adapter {
  /** The platform's public API. */
  readonly api: string
  /** Set when agents have neither an API key nor a callback secret, because AWS knows the service by its role. */
  readonly isKeyless?: true
  /** Null: agents have no callback secret. */
  readonly callbackSecret?: ValueForm | null
  /** Set when requests name a caller number by the platform's own id of the number. */
  readonly needsNumberId?: true
  readonly assistantForm?: ValueForm
  /** The further settings that agents on this platform have. */
  readonly settings?: Readonly<Record<string, PlatformSetting>>
  /**
   * The next step after an unclear answer.
   * - `repeatable`: ask again with the same key within `seconds` of the first request; the platform ignores the repeat.
   * - `findable`: look the call up with `find`; never ask again.
   * - `neither`: give up at once.
   */
  readonly repeats: { readonly kind: 'repeatable'; readonly seconds: number } | { readonly kind: 'findable' } | { readonly kind: 'neither' }
  /** The platform may still refuse a call because of the account after it has accepted it: see `Translation.refusal`. */
  readonly refusesLate?: true
  /** `at`: now, for a signature with a time. @throws when a setting or a secret is malformed; MalformedSetting names the setting */
  readonly request: (connection: Connection, dial: Dial, at?: Instant) => PlatformRequest
  readonly classify: (answer: PlatformAnswer) => DialAnswer
  /** Looks a dialled call up by our id. @returns the platform's id; null when the platform has no such call. @throws when it cannot tell */
  readonly find?: (ask: Ask, connection: Connection, dial: Dial) => Promise<string | null>
  /** Ends a call: while it rings, or during the conversation where the platform can. @throws when there is no answer */
  readonly cancel?: (ask: Ask, connection: Connection, cancel: Cancel) => Promise<Cancelled>
  readonly verify: (connection: Connection, callback: PlatformCallback) => boolean
  /** @throws SyntaxError when the body is not what the platform documents */
  readonly translate: (callback: Pick<PlatformCallback, 'url' | 'rawBody' | 'at'>) => Translation
  /** Undefined: agents send reports and requests for appointments to routes of their own. */
  readonly tools?: ToolUse
  readonly poll?: (ask: Ask, connection: Connection, platformCallId: string, at: Instant) => Promise<Polled>
}

/**
 * Finds what is wrong with credentials, assistant, numbers, analysis, callbacks and tools of an agent, with read requests only. Empty:
 * nothing is wrong. `callbackUrl`: null when no platform can reach the service. Callbacks and tools are then not checked.
 */
export type Check = (
  ask: Ask,
  connection: Connection,
  from: readonly CallerNumber[],
  callbackUrl: string | null,
  tools: readonly OfferedTool[],
) => Promise<readonly Advice[]>
