import * as v from 'valibot'
import { LATEST } from '../../http/fields/date-time.ts'
import { DateTime, OptionalDateTime } from '../../http/responses/values.ts'
import type { Location } from '../../location/rules/locate.ts'
import { formatInstant } from '../../platform/values/time.ts'
import { GATE_NAMES, Id, type Instant, NEXT_CALL_TIME_REASONS, OPTIONAL_GATES } from '../../platform/values/values.ts'
import { WARNING_CODES, type Warning } from '../../platform/values/warning.ts'
import type { Explanation } from '../rules/dial/explain.ts'
import type { Verdict } from '../rules/verdict.ts'
import { type Disclosure, DisclosureResponse } from './disclosure.ts'

const Gate = v.strictObject({
  gate: v.picklist(GATE_NAMES),
  passed: v.boolean(),
  detail: v.pipe(v.string(), v.description('For the gate `due`, also the setting that holds the lead back.')),
  inputs: v.pipe(v.record(v.string(), v.unknown()), v.description('The data that the gate used.')),
  rule: v.pipe(
    v.nullable(v.string()),
    v.description(
      'The rules that decided. A legal calling rule (`federal`, a state) is followed by the version of the calling rules. A rule of the account or the deployment has no version.',
    ),
  ),
  citation: v.pipe(v.nullable(v.string()), v.description('Where the rules are written.')),
  next_time: v.pipe(OptionalDateTime, v.description('When the gate will pass, if only time is needed.')),
})

const Remark = v.strictObject({
  code: v.picklist(WARNING_CODES),
  field: v.string(),
  hint: v.pipe(v.optional(v.string()), v.description('As in the header `X-Warnings`.')),
  detail: v.string(),
})

/** Why a lead is called or not. */
export const ExplanationResponse = v.strictObject({
  lead_id: Id,
  at: DateTime,
  callable: v.pipe(
    v.boolean(),
    v.description('Whether all gates except `due` pass, and the lead does not wait for the outcome of a call.'),
  ),
  next_callable_time: v.pipe(
    OptionalDateTime,
    v.description('Null when something must change first, or when a do-not-call list or an answer will be too old then: see the gates.'),
  ),
  location: v.strictObject({
    state: v.nullable(v.string()),
    zip: v.nullable(v.string()),
    source: v.pipe(
      v.nullable(v.picklist(['us_state', 'state', 'property_state', 'zip', 'property_zip'])),
      v.description('The field that the state comes from.'),
    ),
  }),
  timezones: v.array(v.string()),
  timezone_source: v.nullable(v.picklist(['timezone', 'zip', 'state', 'property_zip', 'property_state', 'ip', 'default'])),
  gates: v.pipe(v.array(Gate), v.minLength(GATE_NAMES.length - OPTIONAL_GATES.length), v.maxLength(GATE_NAMES.length)),
  disclosures: v.pipe(
    v.optional(v.array(DisclosureResponse)),
    v.description('What the agent must say in a call at this time, by jurisdiction. Only present with `disclosures=true`.'),
  ),
  remarks: v.pipe(v.optional(v.array(Remark)), v.description('Warnings about the lead, whatever the time. Only present if there are any.')),
})

/** The result of an order to call a lead. */
export const ScheduledCallResponse = v.strictObject({
  id: Id,
  scheduled: v.boolean(),
  next_call_time: v.pipe(OptionalDateTime, v.description('When the lead is called next: by this request, or as planned before.')),
  next_call_time_reason: v.nullable(v.picklist(NEXT_CALL_TIME_REASONS)),
  detail: v.string(),
})

/** Null for an instant that no answer can show. */
export const shownInstant = (instant: Instant | null): string | null =>
  instant === null || instant > LATEST ? null : formatInstant(instant)

/** An input named `*_time` is an instant. */
const shownInput = ([name, value]: [string, unknown]): [string, unknown] =>
  name.endsWith('_time') && typeof value === 'number' ? [name, shownInstant(value)] : [name, value]

const representVerdict = ({ gate, passed, detail, inputs, rule, citation, next_time }: Verdict) => ({
  gate,
  passed,
  detail,
  inputs: Object.fromEntries(Object.entries(inputs).map(shownInput)),
  rule,
  citation,
  next_time: shownInstant(next_time),
})

/** The explanation object of the API. */
export const representExplanation = (
  lead: number,
  { state, zip, source, timezones, timezoneSource }: Location,
  explanation: Explanation,
  disclosures: readonly Disclosure[] | undefined,
  warnings: readonly Warning[],
): v.InferOutput<typeof ExplanationResponse> => ({
  lead_id: lead,
  at: formatInstant(explanation.at),
  callable: explanation.callable,
  next_callable_time: shownInstant(explanation.nextCallableTime),
  location: { state, zip, source },
  timezones: [...timezones],
  timezone_source: timezoneSource,
  gates: explanation.verdicts.map(representVerdict),
  ...(disclosures && { disclosures: [...disclosures] }),
  ...(warnings.length > 0 && {
    remarks: warnings.map(({ code, field, hint, detail }) => ({ code, field, ...(hint !== undefined && { hint }), detail })),
  }),
})
