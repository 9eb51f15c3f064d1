import * as v from 'valibot'

/** The closed lists of values in the API. */

export const LEAD_STATUSES = [
  'UNKNOWN',
  'NEW',
  'OPEN',
  'CALLBACK_TO_TRANSFER',
  'CLOSED',
  'CLOSED_INCOMPLETE',
  'LOST',
  'SCHEDULE_COMPLETED',
  'OUT_OF_TERRITORY',
  'BAD_NUMBER',
  'CANCELLED',
] as const
export type LeadStatus = (typeof LEAD_STATUSES)[number]

export const STATUS_DETAILS = [
  'blind_transfer',
  'warm_transfer',
  'appointment_booked',
  'live_handoff_unavailable',
  'escalation',
  'has_call_dnc',
  'tcpa_litigator',
  'LEAD_ASSIGNED',
  'application_link_sms',
] as const
export type StatusDetail = (typeof STATUS_DETAILS)[number]

export const STATUS_REASONS = ['UNKNOWN', 'WEBHOOK', 'MANUAL', 'CHAT', 'REENGAGEMENT'] as const

export const NEXT_CALL_TIME_REASONS = [
  'FIRST_CALL',
  'NEXT_AVAILABLE_SLOT',
  'CALLBACK',
  'SCHEDULED',
  'REENGAGEMENT',
  'RESUMED',
  'OUTSIDE_WINDOW',
  'CAPACITY',
  'ATTEMPT_CAP',
] as const
export type NextCallTimeReason = (typeof NEXT_CALL_TIME_REASONS)[number]

export const US_STATES = [
  ...['AL', 'AK', 'AS', 'AZ', 'AR', 'AA', 'AE', 'AP', 'CA', 'CO', 'CT', 'DE', 'DC', 'FL', 'GA', 'GU', 'HI', 'ID', 'IL', 'IN'],
  ...['IA', 'KS', 'KY', 'LA', 'ME', 'MD', 'MA', 'MI', 'MN', 'MS', 'MO', 'MT', 'NE', 'NV', 'NH', 'NJ', 'NM', 'NY', 'NC', 'ND'],
  ...['MP', 'OH', 'OK', 'OR', 'PA', 'PR', 'RI', 'SC', 'SD', 'TN', 'TX', 'UT', 'VT', 'VI', 'VA', 'WA', 'WV', 'WI', 'WY'],
]

/** The gates of a call, in the order in which they are asked and shown. */
export const GATE_NAMES = [
  ...(['status', 'paused', 'dnc', 'litigator', 'registry', 'lead_type', 'consent', 'reassigned'] as const),
  ...(['start_time', 'due', 'window', 'attempt_cap', 'call_in_progress', 'capacity'] as const),
]
export type GateName = (typeof GATE_NAMES)[number]

/** Gates that are asked only if the lead type uses them. */
export const OPTIONAL_GATES: readonly GateName[] = ['registry', 'reassigned']

/** Event kinds that a subscription may name. */
export const TRIGGERS = [
  'LEAD_CREATED',
  'LEAD_UPDATED',
  'LEAD_CLOSED',
  'LEAD_CLOSED_INCOMPLETE',
  'LEAD_LOST',
  'LEAD_SCHEDULE_COMPLETED',
  'LEAD_LATE_CALLBACK',
  'LEAD_OUT_OF_TERRITORY',
  'LEAD_BAD_NUMBER',
  'LEAD_CANCELLED',
  'LEAD_CALLBACK_TO_TRANSFER',
  'LEAD_BEFORE_REENGAGEMENT',
  'LEAD_REENGAGEMENT',
  'LEAD_FIRST_INBOUND',
  'CALL_COMPLETE',
  'BEFORE_CALLING',
  'CALL_FAILED',
  'CALL_ENDED',
  'CALL_TRANSFER_INITIATED',
  'SMS_COMPLETE',
  'SMS_DNC',
  'CALL_DNC',
] as const
export type Trigger = (typeof TRIGGERS)[number]

export const WEBHOOK_METHODS = ['GET', 'POST', 'PUT', 'PATCH'] as const

/** A positive integer below 2^31, unique across the service. */
export const Id = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(2 ** 31 - 1))

/** Epoch milliseconds. */
export const Instant = v.pipe(v.number(), v.integer())
export type Instant = number

/** An attribute that the table leaves out when it is null. */
export const absentAsNull = <T extends v.GenericSchema>(schema: T) => v.optional(v.nullable(schema), null)

/** JSON that the table stores as text: exact to the byte, with any keys, numbers and characters. */
export const JsonObject = v.custom<Record<string, unknown>>(
  (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  'Expected an object.',
)

/** Whether two values are the same JSON, with keys in the same order. */
export const isSameJson = (one: unknown, other: unknown): boolean => one === other || JSON.stringify(one) === JSON.stringify(other)
