import * as v from 'valibot'
import { AccountHours, LeadType, Throttle, User } from '#shared/accounts/configuration.ts'
import { IngestionUrl, Source } from '#shared/ingestion/ingestion.ts'
import { Id } from '#shared/platform/values/values.ts'
import { BoundedCadence, BoundedEscalation, BoundedHandOver, BoundedReengagement, LineCount, meaningOf } from './bounded.ts'
import { ColumnsMapping, OneLine, PathsMapping } from './narrower.ts'

/** The shape of a configuration file. The schema of each whole entity checks required fields. */

/** An optional setting. Missing: the stored value stays. Null: as if it had never been set. */
const setting = <S extends v.GenericSchema>(schema: S, description: string) => v.pipe(v.nullish(schema), v.description(description))

const Key = v.pipe(
  v.string(),
  v.regex(/^[a-z][a-z0-9_-]{0,49}$/, 'A key is made of a-z, 0-9, _ and -, a letter first, at most 50 of them.'),
  v.description('What the file calls it by. It stands for the same thing in every file that is applied.'),
)

const AgentKey = v.pipe(
  v.string(),
  v.regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,49}$/, 'The key of an agent is made of letters, digits, ., _ and -, at most 50 of them.'),
  v.description('What lead types call it by.'),
)

/** A secret comes from the environment, because more people read the file than may know the secret. */
const SecretOfEnvironment = v.pipe(
  v.string(),
  v.regex(/^\$\{[A-Za-z_][A-Za-z0-9_]*\}$/, `A secret is taken from the environment: write \${NAME}.`),
)

/** A key, or an id when there is no key. */
const Reference = v.union([Key, Id], 'The key of a lead type of this user is required.')

const existing = <S extends v.GenericSchema>(id: S, what: string) =>
  setting(id, `Only to give a key to ${what} that is there already: its id.`)

export const AgentEntry = v.object({
  key: AgentKey,
  url: setting(v.pipe(v.string(), v.url()), 'Where the voice agent is reached.'),
  secrets: setting(
    v.pipe(v.array(SecretOfEnvironment), v.minLength(1)),
    'Standard Webhooks secrets that sign both ways, the newest first. Without any, one is made and shown once.',
  ),
})

const { entries: type } = LeadType

const { entries: calendar } = type.calendar.wrapped.wrapped
const { wrapped: representative, default: first } = calendar.representative_field
const representative_field = v.optional(v.pipe(OneLine, meaningOf(representative)), first)

const Calendar = v.object({
  ...v.partial(v.object({ ...calendar, representative_field })).entries,
  secret: setting(SecretOfEnvironment, 'Signs the requests. Without it one is made and shown once; null: they are not signed.'),
})

const { item: field } = type.lead_metadata_fields.wrapped

const MetadataField = v.object({
  ...v.partial(field).entries,
  key: v.pipe(OneLine, meaningOf(field.entries.key)),
})

export const LeadTypeEntry = v.object({
  key: Key,
  id: existing(Id, 'a lead type'),
  name: setting(OneLine, 'For people.'),
  active: setting(type.active.wrapped, 'Whether its leads are called. Default: true.'),
  agent: setting(AgentKey, 'Key of the voice agent that calls.'),
  international: setting(type.international.wrapped, 'Whether numbers outside the North American plan are called. Default: false.'),
  script: setting(type.script.wrapped, 'What the agent is told to say.'),
  consent_field: setting(OneLine, 'Metadata key that proves consent; without its value no lead is called.'),
  calendar: setting(Calendar, 'Where appointments are found and booked.'),
  inbound_numbers: setting(type.inbound_numbers.wrapped, 'Whoever calls one of these, in E.164, gets this agent.'),
  lead_metadata_fields: setting(v.array(MetadataField), 'Metadata that is of use to the campaign.'),
  cadence: setting(v.partial(BoundedCadence), 'When a lead is called again: delays in seconds.'),
  reengagement: setting(v.partial(BoundedReengagement), 'When a duplicate of a closed lead reopens it.'),
  transfer: setting(v.partial(BoundedHandOver), 'How people are handed over to somebody who is there.'),
  escalation: setting(v.partial(BoundedEscalation), 'How people are handed over in any case.'),
})

export const SourceEntry = v.object({
  key: v.pipe(Source.entries.name, v.description('Its name, which uploads give.')),
  lead_type: setting(Reference, "Of the leads that it makes. Default: the user's default."),
  mode: setting(Source.entries.mode, 'What becomes of a row.'),
  lookup_column: setting(Source.entries.lookup_column.wrapped.wrapped, 'Its value names the lead of a row.'),
  mapping: setting(ColumnsMapping, 'From columns to fields of a lead.'),
})

export const UrlEntry = v.object({
  key: Key,
  id: existing(IngestionUrl.entries.id, 'an ingestion URL'),
  lead_type: setting(Reference, "Of the leads that it makes. Default: the user's default."),
  mapping: setting(PathsMapping, "From paths of the provider's payload to fields of a lead."),
  token_required: setting(IngestionUrl.entries.token_required.wrapped, "Whether its owner's API key is asked for. Default: true."),
  throttle: setting(v.partial(Throttle), 'What it takes without a token. Default: 120 a minute, 10,000 a day.'),
})

const { entries: user } = User

export const UserEntry = v.object({
  key: Key,
  id: existing(Id, 'a user'),
  name: setting(OneLine, 'For people.'),
  is_staff: setting(
    user.is_staff.wrapped,
    'Whether the user is of the staff, and may act for other users with each of its keys. Default: false.',
  ),
  default_lead_type: setting(Reference, 'Of leads that name none.'),
  dnc_group: setting(
    v.pipe(v.string(), v.minLength(1)),
    'Whom the do-not-call list is shared with: one of dnc_groups. It cannot be changed.',
  ),
  lines: setting(LineCount, 'Calls in progress at the same time, at most. Default: 10.'),
  calling_hours: setting(v.partial(AccountHours), 'Narrows the lawful hours, by the clock where the person is.'),
  throttle: setting(v.partial(Throttle), 'How many requests the user may make. Default: 600 a minute, 100,000 a day.'),
})

export const GroupEntry = v.object({ key: Key })

const listOf = <S extends v.GenericSchema>(entry: S, description: string) => setting(v.array(entry), description)

const PhoneNumbers = v.array(v.string())

const Belonging = v.pipe(v.string(), v.regex(/^[^/]+\/[^/]+$/, 'What a user has is named with its user: acme/daily.'))

export const ConfigurationFile = v.object({
  dnc_groups: listOf(GroupEntry, 'Users of one group share their do-not-call list.'),
  agents: listOf(AgentEntry, 'Voice agents.'),
  users: listOf(
    v.object({
      ...UserEntry.entries,
      lead_types: listOf(LeadTypeEntry, 'Campaigns.'),
      sources: listOf(SourceEntry, 'What files of leads are.'),
      ingestion_urls: listOf(UrlEntry, 'What payloads of providers are.'),
    }),
    'Users of the API, whom leads, calls and subscriptions belong to.',
  ),
  litigators: setting(
    v.object({
      file: setting(v.string(), 'File of phone numbers, one a line, from the folder of this one.'),
      add: setting(PhoneNumbers, 'Phone numbers.'),
    }),
    'People who sue callers, and are never called. Whoever is on the list stays there unless removed.',
  ),
  emergencies: setting(v.array(v.string()), 'States in which a declared emergency bars all calls: these, and no others.'),
  remove: setting(
    v.object({
      sources: setting(v.array(Belonging), 'As user/source.'),
      ingestion_urls: setting(v.array(Belonging), 'As user/url.'),
      agents: setting(v.array(AgentKey), 'Agents that no lead type has any more.'),
      litigators: setting(PhoneNumbers, 'Phone numbers.'),
    }),
    'What is to go. Everything else that is not in the file stays as it is.',
  ),
})

export type AgentEntry = v.InferOutput<typeof AgentEntry>
export type LeadTypeEntry = v.InferOutput<typeof LeadTypeEntry>
export type SourceEntry = v.InferOutput<typeof SourceEntry>
export type UrlEntry = v.InferOutput<typeof UrlEntry>
export type UserEntry = v.InferOutput<typeof UserEntry>
