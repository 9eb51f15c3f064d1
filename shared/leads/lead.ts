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
 * The list of a lead with a next call. `CALL`: its owner's. `HELD`: that of an agent that does not answer, or of a setting or a pause that
 * prevents the call. Until version 1.0.2, also `WAIT` without a free line and `PARKED` during a pause.
 */
const DUE_LISTS = ['CALL', 'WAIT', 'PARKED', 'HELD'] as const

/** Why a lead was last written. Events are derived from this and from the changed fields. */
const LEAD_CAUSES = ['create', 'update', 'reengage', 'schedule', 'dial', 'collect', 'outcome', 'stop', 'inbound'] as const

/** The effect of an uploaded file's row on a lead. */
const ROW_OUTCOMES = ['created', 'reengaged', 'updated'] as const

/**
 * Records that a row of an upload was handled, in the write that changed the lead. A retry of the row finds the mark, counts the row in the
 * same way, and changes nothing.
 */
const RowMark = v.object({
  upload: v.string(),
  row: v.number(),
  /** Line of the file where the row begins. It is not stored: only the memory of a dry run has it. */
  line: v.optional(v.number()),
  outcome: v.picklist(ROW_OUTCOMES),
  /** The lane of the upload that took the row. Absent: the upload has no lanes. */
  lane: v.optional(v.number()),
})
export type RowMark = v.InferOutput<typeof RowMark>

/** Accepts any key. The schema library's `record` leaves some keys out. */
const InstantByKey = v.custom<Record<string, Instant>>(
  (value) => v.is(JsonObject, value) && Object.values(value).every((at) => v.is(Instant, at)),
)

/** A value that was reported in a call, and when. */
const CollectedValue = v.object({ at: Instant, value: v.unknown() })
export type CollectedValue = v.InferOutput<typeof CollectedValue>

/** Values that calls reported for one field of the lead. */
const CollectedField = v.object({
  /** The value that filled the field. Null: no call has filled it. */
  first: v.nullable(CollectedValue),
  /** The latest collected value. */
  last: CollectedValue,
  /** The latest value that differs from `last`. */
  other: v.nullable(CollectedValue),
})
export type CollectedField = v.InferOutput<typeof CollectedField>

/** A lead in the service. API fields have the API's names; `*_time` are epoch milliseconds. */
export const Lead = v.object({
  id: Id,
  owner: Id,
  /** Grows by one with every write. */
  version: v.number(),
  /** Position in the owner's list, from 1, in order of creation. */
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
  /** Names the create of the last reengagement; until version 1.0.2, by an id. A retry of the request finds the lead by it. */
  reengaged_for: absentAsNull(v.union([v.string(), Id])),

  next_call_time: absentAsNull(Instant),
  next_call_time_reason: absentAsNull(v.picklist(NEXT_CALL_TIME_REASONS)),
  due_list: absentAsNull(v.picklist(DUE_LISTS)),
  /**
   * The agent or setting that a held lead waits for, named as in `holders.ts`. The lead's next call is the one it will get when released.
   * Clients do not see that call while a setting holds the lead.
   */
  held_by: absentAsNull(v.string()),
  /** When the person was promised a callback. Kept until that call is dialled or nobody waits for it any more. */
  promised_time: absentAsNull(Instant),

  /** Calls placed over the lead's life. The next attempt number is one more. */
  attempts: v.optional(v.number(), 0),
  /** Calls placed since the lead was created, reengaged or reopened. The cadence counts these. */
  round_attempts: v.optional(v.number(), 0),
  /** Refusals in a row by the provider, since the lead was created, reengaged or reopened. No phone rang in any of them. */
  refusals: v.optional(v.number(), 0),
  /** Acceptance sequences of the last updates, by field. An older update does not overwrite a newer one. */
  field_times: v.optional(v.record(v.string(), v.string()), {}),
  /** Acceptance sequence of the update that gave the lead its phone number. Absent: the lead was created with it. */
  phone_changed: v.optional(v.string()),
  /** When each metadata key that a call collected was reported. */
  collected_times: v.optional(InstantByKey, {}),
  /** Values that calls collected for the lead's own fields, by field name. */
  collected_fields: v.optional(v.record(v.string(), CollectedField), {}),
  /** When the latest outbound call was dialled. */
  dialled_time: absentAsNull(Instant),
  /** Id of the call whose outcome may still change this lead. */
  current_call: absentAsNull(v.string()),
  /** Id of the last call with news of the person: data that it collected, or that the person called in. */
  told_by: absentAsNull(v.string()),
  /** JSON text: the lead's location before an agent collected another one. Both locations count until the next call is planned. */
  former_place: absentAsNull(v.string()),
  first_inbound_time: absentAsNull(Instant),
  /** Id of the latest completed call. */
  last_chat: absentAsNull(v.string()),
  /** Rows of recent uploads that wrote the lead. */
  ingested: v.optional(v.array(RowMark), []),
})
export type Lead = v.InferOutput<typeof Lead>

/** A lead as events show it. Leaves out the bookkeeping of updates, calls and uploads, which can be larger than all the rest. */
export const PublishedLead = v.omit(Lead, [
  'field_times',
  'phone_changed',
  'collected_times',
  'collected_fields',
  'former_place',
  'ingested',
])
export type PublishedLead = v.InferOutput<typeof PublishedLead>
