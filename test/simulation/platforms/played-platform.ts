import type { CallerNumber } from '#shared/agents/platforms/adapter.ts'
import type { Emulator, Seen } from '#test/support/platforms/emulator.ts'
import { CALLER } from '#test/support/platforms/sample-dial.ts'

/** Purpose of a request to a platform: to place a call, to list calls, to show one, or to end one. */
export type RequestKind = 'dial' | 'search' | 'read' | 'cancel'

/** An account of an emulated platform, as an operator's file has it. */
interface PlayedAccount {
  readonly assistant: string
  readonly settings?: Readonly<Record<string, string>>
  readonly apiKey: string
  readonly callbackSecret?: string
  /** Secrets of our own protocol, which has no account. */
  readonly secrets?: readonly string[]
  /** The number to call from. Default: `FROM`. */
  readonly from?: CallerNumber
}

export interface Stage {
  readonly now: () => number
  /** Where a platform reports whose calls do not name an address for reports. */
  readonly callbackUrl: string
  /** Takes an event of EventBridge, as JSON, from a platform that reports there. */
  readonly onEvent: (event: string) => void
  /** The end of calls to a number. Undefined: they ring until `end`. */
  readonly endOf: (to: string) => string | undefined
}

export interface Played {
  readonly emulator: Emulator
  readonly account: PlayedAccount
  /** Ends a call that rings. */
  readonly end: (platformCallId: string, end: string) => void
}

/** An emulated platform, in the terms that all simulations share. A new platform is one of these, and a line in `all-platforms.ts`. */
export interface PlayedPlatform {
  readonly name: string
  /** All ends of calls that the emulator can play, by the platform's own words for them. */
  readonly ends: readonly string[]
  /** The end of a conversation, by which costs are measured. */
  readonly typical: string
  /** It cannot be asked how a call goes. */
  readonly isNeverPolled?: boolean
  /** Only its reports have our id of a call. Without them, nobody knows for which call to ask. */
  readonly isKnownByReports?: boolean
  readonly start: (stage: Stage) => Promise<Played>
  readonly kindOf: (request: Seen) => RequestKind
}

/** The number that all of them call from. */
export const FROM = CALLER

/** The first entry that fits a request. Each is the start of `METHOD path`. */
export const kindBy =
  (entries: readonly (readonly [pattern: RegExp, kind: RequestKind])[]) =>
  ({ method, path }: Seen): RequestKind => {
    const kind = entries.find(([pattern]) => pattern.test(`${method} ${path}`))?.[1]
    if (!kind) throw new Error(`The request ${method} ${path} has no kind.`)
    return kind
  }

/** The script of an end. @throws when there is none */
export const scriptIn =
  <T>(scripts: Readonly<Record<string, T>>) =>
  (end: string): T => {
    const script = scripts[end]
    if (!script) throw new Error(`There is no end ${end}.`)
    return script
  }
