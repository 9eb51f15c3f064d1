import * as v from 'valibot'
import { CALL_OUTCOMES, CALL_STATUSES, REPORTED_OUTCOMES } from '#shared/calling/call.ts'
import {
  CALL_OUTCOME_MEANINGS,
  CALL_STATUS_MEANINGS,
  REPORTED_OUTCOME_MEANINGS,
  TRANSFER_STATUS_MEANINGS,
} from '#shared/calling/rules/meanings.ts'
import { TASK_STATUSES } from '#shared/leads/bulk/task.ts'
import { TASK_STATUS_MEANINGS } from '#shared/leads/rules/meanings.ts'
import { STATE_NAMES } from '#shared/location/rules/state.ts'
import {
  GATE_MEANINGS,
  LEAD_STATUS_MEANINGS,
  NEXT_CALL_TIME_REASON_MEANINGS,
  STATUS_DETAIL_MEANINGS,
  STATUS_REASON_MEANINGS,
  TRIGGER_MEANINGS,
  WARNING_MEANINGS,
} from '#shared/platform/values/meanings.ts'
import {
  GATE_NAMES,
  LEAD_STATUSES,
  NEXT_CALL_TIME_REASONS,
  STATUS_DETAILS,
  STATUS_REASONS,
  TRIGGERS,
  US_STATES,
} from '#shared/platform/values/values.ts'
import { WARNING_CODES } from '#shared/platform/values/warning.ts'
import { UPLOAD_STATUS_MEANINGS } from '#shared/uploads/rules/meanings.ts'
import { UPLOAD_STATUSES } from '#shared/uploads/upload.ts'
import { DELIVERY_STATUS_MEANINGS } from '#shared/webhooks/rules/meanings.ts'
import { DELIVERY_STATUSES } from '#shared/webhooks/webhook.ts'

/** A closed list of values, with what each of them means. */
export interface Meanings {
  readonly values: readonly string[]
  readonly meanings: Readonly<Record<string, string>>
}

/** The first name that is no abbreviation, such as `N H`. */
const stateMeanings = Object.fromEntries(STATE_NAMES.map(([code, ...names]) => [code, `${names.find(({ length }) => length > 3)}.`]))

const transferStatuses = Object.keys(TRANSFER_STATUS_MEANINGS)

/** The closed lists whose values are not plain words, by the names of their schemas in the API document. */
export const ENUMS = {
  LeadStatus: { values: LEAD_STATUSES, meanings: LEAD_STATUS_MEANINGS },
  StatusDetail: { values: STATUS_DETAILS, meanings: STATUS_DETAIL_MEANINGS },
  StatusReason: { values: STATUS_REASONS, meanings: STATUS_REASON_MEANINGS },
  NextCallTimeReason: { values: NEXT_CALL_TIME_REASONS, meanings: NEXT_CALL_TIME_REASON_MEANINGS },
  CallStatus: { values: CALL_STATUSES, meanings: CALL_STATUS_MEANINGS },
  CallOutcome: { values: CALL_OUTCOMES, meanings: CALL_OUTCOME_MEANINGS },
  ReportedOutcome: { values: REPORTED_OUTCOMES, meanings: REPORTED_OUTCOME_MEANINGS },
  TransferStatus: { values: transferStatuses, meanings: TRANSFER_STATUS_MEANINGS },
  DeliveryStatus: { values: DELIVERY_STATUSES, meanings: DELIVERY_STATUS_MEANINGS },
  UploadStatus: { values: UPLOAD_STATUSES, meanings: UPLOAD_STATUS_MEANINGS },
  TaskStatus: { values: TASK_STATUSES, meanings: TASK_STATUS_MEANINGS },
  Trigger: { values: TRIGGERS, meanings: TRIGGER_MEANINGS },
  GateName: { values: GATE_NAMES, meanings: GATE_MEANINGS },
  UsState: { values: US_STATES, meanings: stateMeanings },
  WarningCode: { values: WARNING_CODES, meanings: WARNING_MEANINGS },
} as const satisfies Readonly<Record<string, Meanings>>

/** The values with their meanings, as a list in Markdown. */
export const meaningsList = ({ values, meanings }: Meanings): string =>
  values.map((value) => `- \`${value}\`: ${meanings[value]}`).join('\n')

/** The schemas of the lists. */
export const enumSchemas = (): Readonly<Record<string, object>> =>
  Object.fromEntries(
    Object.entries<Meanings>(ENUMS).map(([name, list]) => [name, { type: 'string', enum: list.values, description: meaningsList(list) }]),
  )

const Node = v.record(v.string(), v.unknown())
const Listing = v.looseObject({ enum: v.array(v.string()), description: v.optional(v.string()) })

const isListOf = (values: readonly string[], list: Meanings): boolean =>
  list.values.length === values.length && list.values.every((one) => values.includes(one))

const withoutNames = (schema: Readonly<Record<string, unknown>>, names: readonly string[]) =>
  Object.fromEntries(Object.entries(schema).filter(([name]) => !names.includes(name)))

/** Makes the lists of a JSON Schema refer to their own schemas, which hold the meanings. */
export const withMeanings = (schema: unknown): unknown => {
  if (Array.isArray(schema)) return schema.map(withMeanings)
  if (!v.is(Node, schema)) return schema
  const [name, list] = Object.entries<Meanings>(ENUMS).find(([, one]) => v.is(Listing, schema) && isListOf(schema.enum, one)) ?? []
  if (!list) return Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, withMeanings(value)]))
  // A description beside a reference may hide the one that it refers to.
  if (schema['description'] !== undefined) return { ...schema, description: `${schema['description']}\n\n${meaningsList(list)}` }
  return { $ref: `#/components/schemas/${name}`, ...withoutNames(schema, ['enum', 'type']) }
}
