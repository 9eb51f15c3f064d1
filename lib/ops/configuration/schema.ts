import * as v from 'valibot'
import { AccountHours, LeadType, Throttle, User } from '#shared/accounts/configuration.ts'
import { PLATFORM_NAMES } from '#shared/agents/platforms/adapters.ts'
import { DEMANDED_TYPES } from '#shared/consents/consent.ts'
import { IngestionUrl, Source } from '#shared/ingestion/ingestion.ts'
import { Id, US_STATES } from '#shared/platform/values/values.ts'
import { BoundedCadence, BoundedEscalation, BoundedHandOver, BoundedReengagement, LineCount, meaningOf } from './bounded.ts'
import { ColumnsMapping, OneLine, PathsMapping } from './narrower.ts'

/** The shape of a configuration file. The schema of each whole entity checks required fields. */

/** An optional setting. Missing: the stored value stays. Null: as if it had never been set. */
const setting = <S extends v.GenericSchema>(schema: S, description: string) => v.pipe(v.nullish(schema), v.description(description))

const Key = v.pipe(
  v.string(),
  v.regex(/^[a-z][a-z0-9_-]{0,49}$/, 'A key has at most 50 characters of a-z, 0-9, _ and -, a letter first.'),
  v.description('Key of this item. In every file that you apply, the same key means the same item.'),
)

const AgentKey = v.pipe(
  v.string(),
  v.regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,49}$/, 'The key of an agent has at most 50 characters: letters, digits, ., _ and -.'),
  v.description('The key by which lead types refer to the agent.'),
)

/** A secret comes from the environment, because more people read the file than may know the secret. */
const SecretOfEnvironment = v.pipe(
  v.string(),
  v.regex(/^\$\{[A-Za-z_][A-Za-z0-9_]*\}$/, `A secret must come from the environment: write \${NAME}.`),
)

/** A key, or an id when there is no key. */
const Reference = v.union([Key, Id], 'The key of a lead type of this user is required.')

const existing = <S extends v.GenericSchema>(id: S, what: string) =>
  setting(id, `Id of ${what} that exists already. Set it only to give this item a key.`)

const E164 = v.pipe(v.string(), v.regex(/^\+[1-9]\d{6,14}$/, 'Write the number in E.164, such as +12125550123.'))

/** A number, with the platform's own id of it where the platform needs that. */
const CallerNumberEntry = v.union(
  [E164, v.object({ number: E164, id: v.optional(OneLine) })],
  'Write a number in E.164, such as +12125550123, or { number: +12125550123, id: … } with the id that the platform gave it.',
)

export const AgentEntry = v.object({
  key: AgentKey,
  url: setting(
    v.pipe(v.string(), v.url()),
    'URL of the voice agent. On a voice platform: the address of its API, if this is not the usual address.',
  ),
  platform: setting(
    v.picklist(PLATFORM_NAMES, `The known platforms are ${PLATFORM_NAMES.join(', ')}. Leave it out for an agent with our own protocol.`),
    'The voice platform that the agent is on. Leave it out for an agent with our own protocol.',
  ),
  assistant: setting(OneLine, 'On a voice platform: what speaks, such as the id of an assistant.'),
  from: setting(
    v.pipe(v.array(CallerNumberEntry), v.minLength(1)),
    'On a voice platform: the numbers to call from. A lead is called from a number of its area code or state, if there is such a number, and always from the same number.',
  ),
  api_key: setting(SecretOfEnvironment, 'On a voice platform: its API key. It is stored encrypted. Amazon Connect has none.'),
  callback_secret: setting(SecretOfEnvironment, 'On a voice platform: the secret or public key that verifies the reports of the platform.'),
  settings: setting(v.record(v.string(), v.nullable(v.string())), 'On a voice platform: further settings that only this platform has.'),
  longest_call_seconds: setting(
    v.pipe(v.number(), v.integer(), v.minValue(30), v.maxValue(7200)),
    'On a voice platform: a conversation ends after this time. Default: 1800.',
  ),
  secrets: setting(
    v.pipe(v.array(SecretOfEnvironment), v.minLength(1)),
    'Standard Webhooks secrets that sign requests in both directions, the newest first. Without a secret, the tool creates one and shows it once.',
  ),
})

const { entries: type } = LeadType

const { entries: calendar } = type.calendar.wrapped.wrapped
const { wrapped: representative, default: first } = calendar.representative_field
const representative_field = v.optional(v.pipe(OneLine, meaningOf(representative)), first)

const Calendar = v.object({
  ...v.partial(v.object({ ...calendar, representative_field })).entries,
  secret: setting(
    SecretOfEnvironment,
    'Secret that signs the requests. Without this setting, the tool creates a secret and shows it once. null: requests are not signed.',
  ),
})

const { item: field } = type.lead_metadata_fields.wrapped

const MetadataField = v.object({
  ...v.partial(field).entries,
  key: v.pipe(OneLine, meaningOf(field.entries.key)),
})

export const LeadTypeEntry = v.object({
  key: Key,
  id: existing(Id, 'a lead type'),
  name: setting(OneLine, 'Name for people.'),
  active: setting(type.active.wrapped, 'Whether its leads are called. Default: true.'),
  agent: setting(AgentKey, 'Key of the voice agent that calls.'),
  international: setting(type.international.wrapped, 'Whether numbers outside the North American plan are called. Default: false.'),
  script: setting(type.script.wrapped, 'What the agent should say.'),
  consent_field: setting(OneLine, 'Metadata key that proves consent. A lead without a value for it is not called.'),
  consent_type: setting(
    type.consent_type.wrapped.wrapped,
    'The least consent that must be recorded for the phone: `oral`, `written` or `written_seller`. Default: none.',
  ),
  consent_by_state: setting(
    v.record(v.picklist(US_STATES), v.picklist(DEMANDED_TYPES)),
    'The least consent by state, such as `FL: written`. It counts where the lead may be, if it is stricter than `consent_type`.',
  ),
  registries: setting(
    v.partial(type.registries.wrapped.wrapped),
    'Do-not-call registries that its leads are checked against. Without this setting, none.',
  ),
  reassigned_numbers: setting(
    v.partial(type.reassigned_numbers.wrapped.wrapped),
    'How its leads are checked in the reassigned numbers database. Without this setting, they are not checked, even where a law demands it.',
  ),
  calendar: setting(Calendar, 'Calendar in which appointments are found and booked.'),
  inbound_numbers: setting(type.inbound_numbers.wrapped, 'Phone numbers in E.164. Calls to these numbers reach this agent.'),
  lead_metadata_fields: setting(v.array(MetadataField), 'Metadata that the campaign uses.'),
  cadence: setting(v.partial(BoundedCadence), 'When a lead is called again: delays in seconds.'),
  reengagement: setting(v.partial(BoundedReengagement), 'When a duplicate of a closed lead reopens it.'),
  second_open_lead: setting(
    type.second_open_lead.wrapped,
    'What happens to a new lead whose phone number has an open lead already. `allow`: the person gets the calls of both. `refuse`: the new lead is refused. `merge`: the open lead is updated. Default: `allow`.',
  ),
  transfer: setting(v.partial(BoundedHandOver), 'How people are transferred to somebody who is available.'),
  escalation: setting(v.partial(BoundedEscalation), 'How the agent forwards a call that it cannot handle.'),
})

export const SourceEntry = v.object({
  key: v.pipe(Source.entries.name, v.description('Its name. Uploads refer to it.')),
  lead_type: setting(Reference, "Lead type of the leads that it creates. Default: the user's default."),
  mode: setting(Source.entries.mode, 'What the service does with a row.'),
  lookup_column: setting(
    Source.entries.lookup_column.wrapped.wrapped,
    'A name of the column whose value identifies the lead of a row. Its alternative names in the mapping count too.',
  ),
  mapping: setting(ColumnsMapping, 'Maps columns to fields of a lead.'),
})

export const UrlEntry = v.object({
  key: Key,
  id: existing(IngestionUrl.entries.id, 'an ingestion URL'),
  lead_type: setting(Reference, "Lead type of the leads that it creates. Default: the user's default."),
  mapping: setting(PathsMapping, "Maps paths of the provider's payload to fields of a lead."),
  token_required: setting(
    IngestionUrl.entries.token_required.wrapped,
    "Whether requests need the API key of the URL's owner. Default: true.",
  ),
  throttle: setting(v.partial(Throttle), 'Rate limit of requests without a token. Default: 120 a minute, 10,000 a day.'),
})

const { entries: user } = User

export const UserEntry = v.object({
  key: Key,
  id: existing(Id, 'a user'),
  name: setting(OneLine, 'Name for people.'),
  is_staff: setting(user.is_staff.wrapped, 'Whether the user is staff, and may act for other users with each of its keys. Default: false.'),
  default_lead_type: setting(Reference, 'Lead type of leads that are created without a lead type.'),
  dnc_group: setting(
    v.pipe(v.string(), v.minLength(1)),
    'Group that shares one do-not-contact list: one of dnc_groups. It cannot be changed.',
  ),
  lines: setting(LineCount, 'Maximum number of calls in progress at the same time. Default: 10.'),
  calling_hours: setting(v.partial(AccountHours), 'Narrows the lawful hours, in the local time of the person.'),
  throttle: setting(v.partial(Throttle), 'Rate limit of requests of the user. Default: 600 a minute, 100,000 a day.'),
})

export const GroupEntry = v.object({ key: Key })

const listOf = <S extends v.GenericSchema>(entry: S, description: string) => setting(v.array(entry), description)

const PhoneNumbers = v.array(v.string())

const Belonging = v.pipe(v.string(), v.regex(/^[^/]+\/[^/]+$/, 'Put the user before the name, as in acme/daily.'))

export const ConfigurationFile = v.object({
  dnc_groups: listOf(GroupEntry, 'Users of one group share their do-not-contact list.'),
  agents: listOf(AgentEntry, 'Voice agents.'),
  users: listOf(
    v.object({
      ...UserEntry.entries,
      lead_types: listOf(LeadTypeEntry, 'Campaigns.'),
      sources: listOf(SourceEntry, 'How files of leads are read.'),
      ingestion_urls: listOf(UrlEntry, 'How payloads of providers are read.'),
    }),
    'Users of the API. Leads, calls and subscriptions belong to them.',
  ),
  litigators: setting(
    v.object({
      file: setting(v.string(), 'File of phone numbers, one per line. Its path is relative to the folder of this configuration file.'),
      add: setting(PhoneNumbers, 'Phone numbers.'),
    }),
    'People who sue callers. They are never called. A number stays on the list until it is removed.',
  ),
  emergencies: setting(v.array(v.string()), 'The complete list of states in which a declared emergency bars all calls.'),
  remove: setting(
    v.object({
      sources: setting(v.array(Belonging), 'Sources, written as user/source.'),
      ingestion_urls: setting(v.array(Belonging), 'Ingestion URLs, written as user/url.'),
      agents: setting(v.array(AgentKey), 'Agents that no lead type uses any more.'),
      litigators: setting(PhoneNumbers, 'Phone numbers.'),
    }),
    'Things to remove. Everything else that is not in the file stays as it is.',
  ),
})

export type AgentEntry = v.InferOutput<typeof AgentEntry>
export type LeadTypeEntry = v.InferOutput<typeof LeadTypeEntry>
export type SourceEntry = v.InferOutput<typeof SourceEntry>
export type UrlEntry = v.InferOutput<typeof UrlEntry>
export type UserEntry = v.InferOutput<typeof UserEntry>
