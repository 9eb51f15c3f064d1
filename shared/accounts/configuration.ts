import * as v from 'valibot'
import { REPORTED_OUTCOMES } from '../calling/call.ts'
import { CalendarDate, HolidayChoice, WeekWindows } from '../calling/rules/calling-rules.ts'
import { DemandedConsent } from '../consents/consent.ts'
import { absentAsNull, Id, Instant } from '../platform/values/values.ts'
import { ReassignedUse } from '../reassigned/reassigned-use.ts'
import { RegistryUse } from '../registries/registry-use.ts'
import { Reengagement } from './reengagement.ts'

/** The operator's settings: users, keys, lead types, agents. */

/** Rate limits of an API user, or of an ingestion URL without a token. Both limits apply. */
export const Throttle = v.object({
  sustained_per_day: v.optional(
    v.pipe(
      v.number(),
      v.integer(),
      v.minValue(0),
      v.description('Maximum number of requests in a UTC day. With 0, all requests are refused.'),
    ),
    100_000,
  ),
  burst_per_minute: v.optional(
    v.pipe(
      v.number(),
      v.integer(),
      v.minValue(0),
      v.description('Maximum number of requests in a clock minute. With 0, all requests are refused.'),
    ),
    600,
  ),
})
export type Throttle = v.InferOutput<typeof Throttle>

export const DEFAULT_THROTTLE: Throttle = v.parse(Throttle, {})

/** The limits of an ingestion URL without a token. They are low, because anybody who knows the URL can send requests. */
export const DEFAULT_INGESTION_THROTTLE: Throttle = { sustained_per_day: 10_000, burst_per_minute: 120 }

/** Narrows an account's lawful calling hours, in the person's local time. It can never widen them. */
export const AccountHours = v.object({
  windows: absentAsNull(
    v.pipe(
      WeekWindows,
      v.description('All seven days, each with two times of day, or null for a day without calls. Without this setting, all lawful hours.'),
    ),
  ),
  holidays: v.optional(
    v.pipe(HolidayChoice, v.description('Days without calls. Holidays with a fixed date are observed like the federal ones.')),
    'none',
  ),
  closed_dates: v.optional(v.pipe(v.array(CalendarDate), v.description('Further days without calls.')), []),
})
export type AccountHours = v.InferOutput<typeof AccountHours>

export const User = v.object({
  id: Id,
  name: v.string(),
  /** Whether the user may act for other users, with each of its keys. */
  is_staff: v.optional(v.boolean(), false),
  default_lead_type: absentAsNull(Id),
  /** Users of one group share their do-not-contact list. */
  dnc_group: v.string(),
  /** Most calls in progress at the same time. */
  lines: v.optional(v.number(), 10),
  calling_hours: v.optional(v.nullable(AccountHours)),
  throttle: v.optional(Throttle),
  /** Standard Webhooks secrets, the newest first; two during a rotation. */
  webhook_secrets: v.array(v.string()),
  /** When the older secret stops working. Null: it works until somebody removes it. */
  older_secret_until: absentAsNull(Instant),
  /** Names the request that made the newest secret (until version 1.0.2, by an id). Null when that request cannot be repeated. */
  rotation: absentAsNull(v.union([v.string(), Id])),
})
export type User = v.InferOutput<typeof User>

/** A key has only the rights of its user. Items of version 1.0.2 or before hold an unused `is_staff`. */
export const ApiKey = v.object({
  user: Id,
  /** The key's purpose, as the operator describes it. */
  name: v.optional(v.string(), ''),
  created_time: Instant,
  revoked_time: absentAsNull(Instant),
})
export type ApiKey = v.InferOutput<typeof ApiKey>

/** Seconds. Shorter delays would harass a person, and would retry a refusing provider in a tight loop. */
export const SHORTEST_DELAY = 60

/** Seconds (a year). Longer delays count as this, because a later instant could be invalid and fail each outcome. */
export const LONGEST_DELAY = 365 * 86_400

/** Delays in seconds before the 2nd, 3rd, … call; the last one repeats. At least one. */
export const Delay = v.pipe(v.number(), v.minValue(SHORTEST_DELAY))
const Delays = v.pipe(v.array(Delay), v.minLength(1))

export const Cadence = v.object({
  delays: v.optional(
    v.pipe(Delays, v.description('Seconds before the second call, the third call and so on. The last delay repeats.')),
    [1800, 7200, 14400, 86400],
  ),
  delays_by_outcome: v.optional(
    v.pipe(
      v.partial(v.object(v.entriesFromList(REPORTED_OUTCOMES, Delays))),
      v.description('Delays that replace `delays`, by the outcome that the agent reports.'),
    ),
    {},
  ),
  max_attempts: v.optional(
    v.pipe(
      v.number(),
      v.integer(),
      v.minValue(1),
      v.description('Maximum number of calls since creation, the last reengagement or the last reopening.'),
    ),
    8,
  ),
  transfer_unavailable_delay: v.optional(
    v.pipe(Delay, v.description('Seconds before the next call, after a transfer that found nobody.')),
    1800,
  ),
})
export type Cadence = v.InferOutput<typeof Cadence>

export const DEFAULT_CADENCE: Cadence = v.parse(Cadence, {})

/** The calendar that finds and books appointments of a lead type's representatives. */
const Calendar = v.object({
  url: v.pipe(v.string(), v.url(), v.description('URL of the calendar. Requests go to `slots` and `book` below it.')),
  /** Signs the requests, as Standard Webhooks; without it they are not signed. */
  secret: absentAsNull(v.string()),
  representative_field: v.optional(
    v.pipe(v.string(), v.description('The lead field or metadata key that names the representative, such as `representative`.')),
    'representative',
  ),
})
export type Calendar = v.InferOutput<typeof Calendar>

const E164 = v.pipe(v.string(), v.regex(/^\+[1-9]\d{6,14}$/, 'A phone number in E.164 is required.'))

/** A phone number in E.164, or a URI: `sip:queue@example.com`. */
const Destination = v.union(
  [E164, v.pipe(v.string(), v.regex(/^[a-z][a-z0-9+.-]*:\S+$/i))],
  'A phone number in E.164 or a URI is required.',
)

/** How the agent hands a person over. A warm transfer checks availability first, an escalation does not. */
const HandOver = v.object({
  mode: v.pipe(
    v.picklist(['warm', 'blind']),
    v.description('`warm`: the agent first asks whether somebody is there. `blind`: it does not ask.'),
  ),
  destinations: v.pipe(
    v.array(Destination),
    v.minLength(1),
    v.description('Where the call goes: phone numbers in E.164, or URIs such as `sip:queue@example.com`.'),
  ),
  hold_limit_seconds: v.optional(
    v.pipe(
      v.number(),
      v.integer(),
      v.minValue(1),
      v.description('Maximum number of seconds that the person may wait for somebody to take over.'),
    ),
    180,
  ),
})

export const LeadType = v.object({
  id: Id,
  owner: Id,
  name: v.string(),
  active: v.optional(v.boolean(), true),
  agent: v.string(),
  /** Whether numbers outside the North American Numbering Plan are called. Their leads need an explicit time zone. */
  international: v.optional(v.boolean(), false),
  script: v.optional(v.string(), ''),
  ...DemandedConsent.entries,
  /** Null: no registry is asked. */
  registries: absentAsNull(RegistryUse),
  /** Null: the reassigned numbers database is not asked. */
  reassigned_numbers: absentAsNull(ReassignedUse),
  calendar: absentAsNull(Calendar),
  /** A person who calls one of these numbers gets this lead type's agent. A number belongs to one lead type only. */
  inbound_numbers: v.optional(v.pipe(v.array(E164), v.maxLength(40)), []),
  lead_metadata_fields: v.optional(
    v.array(
      v.object({
        key: v.pipe(v.string(), v.description('Metadata key.')),
        label: v.pipe(v.string(), v.description('Name of the key, for people.')),
        helpText: v.pipe(v.string(), v.description('Purpose of the key, for people.')),
        type: v.pipe(v.string(), v.description('Kind of its values, for people.')),
        required: v.pipe(v.boolean(), v.description('Shown to clients. A lead without the key is still accepted.')),
      }),
    ),
    [],
  ),
  cadence: v.optional(Cadence, {}),
  reengagement: v.optional(Reengagement, {}),
  /** A create whose phone has an open lead makes another lead, is refused, or updates the open lead. */
  second_open_lead: v.optional(v.picklist(['allow', 'refuse', 'merge']), 'allow'),
  transfer: absentAsNull(HandOver),
  escalation: absentAsNull(HandOver),
})
export type LeadType = v.InferOutput<typeof LeadType>

/** An assistant on a voice platform. */
export const Assistant = v.object({
  /** The platform's name, as its adapter has it. */
  name: v.string(),
  /** The speaker in the call: an assistant's id, or the platform's equivalent. */
  assistant: v.string(),
  /** Numbers to call from, with the platform's ids of them. */
  from: v.array(v.object({ number: v.string(), id: absentAsNull(v.string()) })),
  /** The platform's API key and callback secret, sealed for this agent. */
  credentials: v.string(),
  /** A hash of the credentials. It shows whether a file that is applied again contains other ones. */
  credentials_hash: v.string(),
  /** The credentials before their last change. Until then, requests of the platform may come with them: calls from before may go on. */
  former: v.optional(v.object({ credentials: v.string(), until: Instant })),
  /** Further settings that only this platform has. */
  settings: v.optional(v.record(v.string(), v.string()), {}),
  /** The platform ends a conversation after this many seconds. */
  longest_call_seconds: v.optional(v.number(), 1800),
})
export type Assistant = v.InferOutput<typeof Assistant>

/** A voice agent. Without `platform`, it speaks our own protocol. */
export const Agent = v.object({
  id: v.string(),
  /** URL of the agent, or of the platform's API. */
  url: v.pipe(v.string(), v.url()),
  /** Standard Webhooks secrets that sign in both directions, the newest first. A platform has none. */
  secrets: v.array(v.string()),
  platform: v.optional(Assistant),
})
export type Agent = v.InferOutput<typeof Agent>
