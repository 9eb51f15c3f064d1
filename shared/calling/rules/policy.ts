import type { AccountHours } from '../../accounts/configuration.ts'

/** The place of an IP address, according to a database. */
export interface IpPlace {
  /** Two-letter code of a jurisdiction. */
  readonly state: string | null
  /** A name of the time-zone database. */
  readonly timezone: string | null
}

/** The settings that decide, besides the lead itself, where it is. */
export interface PlacePolicy {
  /** For leads whose location is unknown. */
  readonly defaultTimezone: string
  readonly placeOfIp: (address: string) => IpPlace | undefined
}

/** The settings that decide, besides the lead itself, when it may be called. */
export interface CallingPolicy extends PlacePolicy {
  /** For leads whose location is unknown. Minutes from midnight in the default zone: from the first one, before the second. */
  readonly defaultWindow: readonly [start: number, end: number]
  /** The account's own hours, which narrow the lawful windows. */
  readonly account: AccountHours | null
  /** Jurisdictions in which a declared emergency bars all calls. */
  readonly emergencies: ReadonlySet<string>
}
