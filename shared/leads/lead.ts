import * as v from 'valibot'
import {
  absentAsNull,
  Id,
  Instant,
  JsonObject,
  LEAD_STATUSES,
  NEXT_CALL_TIME_REASONS,
  STATUS_DETAILS,
  STATUS_REASONS,
} from '../platform/values/values.ts'

/**
 * Which list a lead with a next call stands in: `CALL` until its instant, `WAIT` while its owner has no free line,
 * `PARKED` while its owner is paused, `HELD` while its agent does not answer or a setting keeps it from being called.
 */
export const DUE_LISTS = ['CALL', 'WAIT', 'PARKED', 'HELD'] as const

/** Why a lead was last written; the events are derived from it and from what changed. */
const LEAD_CAUSES = ['create', 'update', 'reengage', 'schedule', 'dial', 'collect', 'outcome', 'stop', 'inbound'] as const

/** What a row of an uploaded file did to a lead. */
const ROW_OUTCOMES = ['created', 'reengaged', 'updated'] as const

/** That a row of an upload has been taken up, written with what it did: a repeat of the row counts as the same and does nothing. */
const RowMark = v.object({ upload: v.string(), row: v.number(), outcome: v.picklist(ROW_OUTCOMES) })
export type RowMark = v.InferOutput<typeof RowMark>

/** Whatever the keys are called: a record of the schema library leaves some out. */
const InstantByKey = v.custom<Record<string, Instant>>(
  (value) => v.is(JsonObject, value) && Object.values(value).every((at) => v.is(Instant, at)),
)

/** A value that was told in a call, and when. */
const Telling = v.object({ at: Instant, value: v.unknown() })
export type Telling = v.InferOutput<typeof Telling>

/** What was told in calls of a field of the lead. */
const CollectedField = v.object({
  /** What the field was filled with; null: it never was. */
  first: v.nullable(Telling),
  /** The latest value. */
  last: Telling,
  /** The latest value that differs from that one. */
  other: v.nullable(Telling),
})
export type CollectedField = v.InferOutput<typeof CollectedField>

/** A lead as the service holds it. Fields of the interface bear its names; `*_time` are epoch milliseconds. */
export const Lead = v.object({
  id: Id,
  owner: Id,
  /** Grows by one with every write. */
  version: v.number(),
  /** Place in the owner's list, from 1, in order of creation. */
  position: v.number(),
  cause: v.picklist(LEAD_CAUSES),

  phone_number: v.string(),
  email: absentAsNull(v.string()),
  metadata: JsonObject,
  status: v.picklist(LEAD_STATUSES),
  status_detail: absentAsNull(v.picklist(STATUS_DETAILS)),
  status_reason: absentAsNull(v.picklist(STATUS_REASONS)),
  lead_type: absentAsNull(Id),
  representative: absentAsNull(v.number()),
  external_id: absentAsNull(v.string()),
  us_state: absentAsNull(v.string()),
  lead_source: v.optional(v.string(), ''),
  sms_dnc: v.optional(v.boolean(), false),
  call_dnc: v.optional(v.boolean(), false),

  created_time: Instant,
  modified_time: Instant,
  received_time: Instant,
  call_schedule_start_time: absentAsNull(Instant),
  reengagements_count: v.optional(v.number(), 0),
  last_reengagement_time: absentAsNull(Instant),
  /** Names the create of the last reengagement, until version 1.0.2 by an id: a repeat of the request finds the lead by it. */
  reengaged_for: absentAsNull(v.union([v.string(), Id])),

  next_call_time: absentAsNull(Instant),
  next_call_time_reason: absentAsNull(v.picklist(NEXT_CALL_TIME_REASONS)),
  due_list: absentAsNull(v.picklist(DUE_LISTS)),
  /** What a held lead waits for: its agent or a setting, as `holders.ts` names them. Its next call is what it wants, and not shown for a setting. */
  held_by: absentAsNull(v.string()),
  /** When the person was promised to be called back; until that call is dialled, or nobody waits for it any more. */
  promised_time: absentAsNull(Instant),

  /** Calls placed over the lead's life; the next one's attempt number is one more. */
  attempts: v.optional(v.number(), 0),
  /** Calls placed since the lead was created, reengaged or reopened: what the cadence counts. */
  round_attempts: v.optional(v.number(), 0),
  /** Calls in a row since then that the provider refused: nobody's phone rang. */
  refusals: v.optional(v.number(), 0),
  /** When fields changed by updates were last accepted, as acceptance sequences: an older update does not overwrite them. */
  field_times: v.optional(v.record(v.string(), v.string()), {}),
  /** When each metadata key that a call collected was told. */
  collected_times: v.optional(InstantByKey, {}),
  /** What calls collected of the lead's own fields, by their names. */
  collected_fields: v.optional(v.record(v.string(), CollectedField), {}),
  /** Id of the call whose outcome may still change this lead. */
  current_call: absentAsNull(v.string()),
  /** Id of the call that last told something of the person: data that it collected, or that it is the first one in. */
  told_by: absentAsNull(v.string()),
  /** JSON text: the place before an agent collected another one, which counts besides it until the next call is planned. */
  former_place: absentAsNull(v.string()),
  first_inbound_time: absentAsNull(Instant),
  /** Id of the latest completed call. */
  last_chat: absentAsNull(v.string()),
  /** Rows of uploads that wrote it lately. */
  ingested: v.optional(v.array(RowMark), []),
})
export type Lead = v.InferOutput<typeof Lead>

/** A lead as events tell it: without what only updates, calls and uploads compare, which can be more than all the rest. */
export const ToldLead = v.omit(Lead, ['field_times', 'collected_times', 'collected_fields', 'former_place', 'ingested'])
export type ToldLead = v.InferOutput<typeof ToldLead>
