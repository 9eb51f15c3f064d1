import * as v from 'valibot'
import { DateTime, OptionalDateTime } from '../../http/responses/values.ts'
import { GATE_NAMES, Id, NEXT_CALL_TIME_REASONS } from '../../platform/values/values.ts'

const Gate = v.strictObject({
  gate: v.picklist(GATE_NAMES),
  passed: v.boolean(),
  detail: v.pipe(v.string(), v.description('Of `due`: also the setting that holds the lead back.')),
  inputs: v.pipe(v.record(v.string(), v.unknown()), v.description('What it went by.')),
  rule: v.pipe(
    v.nullable(v.string()),
    v.description(
      'The rules that decided. Those of the calling rules (`federal`, a state) are followed by the version of that data; what the account or the deployment has set has none.',
    ),
  ),
  citation: v.pipe(v.nullable(v.string()), v.description('Where the rules are written.')),
  next_time: v.pipe(OptionalDateTime, v.description('When it will pass, if by time alone.')),
})

/** Why a lead is called or not. */
export const ExplanationResponse = v.strictObject({
  lead_id: Id,
  at: DateTime,
  callable: v.pipe(v.boolean(), v.description('Whether all gates pass, `due` aside.')),
  next_callable_time: v.pipe(OptionalDateTime, v.description('Null when something has to change first.')),
  location: v.strictObject({
    state: v.nullable(v.string()),
    zip: v.nullable(v.string()),
    source: v.pipe(
      v.nullable(v.picklist(['us_state', 'state', 'property_state', 'zip', 'property_zip'])),
      v.description('What told the state.'),
    ),
  }),
  timezones: v.array(v.string()),
  timezone_source: v.nullable(v.picklist(['timezone', 'zip', 'state', 'property_zip', 'property_state', 'ip', 'default'])),
  gates: v.pipe(v.array(Gate), v.length(GATE_NAMES.length)),
})

/** The result of an order to call a lead. */
export const ScheduledCallResponse = v.strictObject({
  id: Id,
  scheduled: v.boolean(),
  next_call_time: v.pipe(OptionalDateTime, v.description('When the lead is called next, by this order or as it was.')),
  next_call_time_reason: v.nullable(v.picklist(NEXT_CALL_TIME_REASONS)),
  detail: v.string(),
})
