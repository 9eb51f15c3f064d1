import type { Call } from '../../schema/call.ts'

/** What a call holds before anybody has told anything of it. */
export const UNTOLD = {
  asked_time: null,
  heard_time: null,
  accepted_time: null,
  provider_call_id: null,
  answered_time: null,
  transfer_initiated_time: null,
  transfer_connected_time: null,
  ended_time: null,
  completed_time: null,
  refused_time: null,
  unknown_time: null,
  settled_time: null,
  failure: null,
  reported_outcome: null,
  outcome: null,
  is_contact: null,
  summary: null,
  callback_time: null,
  appointment: null,
  transfer: null,
  representative: null,
  external_ids: null,
  duration_seconds: null,
} as const satisfies Partial<Call>
