import type { AccountHours } from '../../accounts/configuration.ts'

/** Where an address of the internet is, as far as a database of them tells. */
export interface IpPlace {
  /** Two letters of a jurisdiction. */
  readonly state: string | null
  /** A name of the time-zone database. */
  readonly timezone: string | null
}

/** What decides, besides the lead itself, when it may be called. */
export interface CallingPolicy {
  readonly defaultTimezone: string
  /** Minutes from midnight in the default zone, for leads whose location nothing tells: from the first one, before the second. */
  readonly defaultWindow: readonly [start: number, end: number]
  /** What the account narrows the lawful windows to. */
  readonly account: AccountHours | null
  /** Jurisdictions in which a declared emergency bars all calls. */
  readonly emergencies: ReadonlySet<string>
  readonly placeOfIp: (address: string) => IpPlace | undefined
}
