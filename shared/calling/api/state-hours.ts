import * as v from 'valibot'
import { DateTime, OptionalDateTime } from '../../http/responses/values.ts'
import { formatInstant } from '../../platform/values/time.ts'
import type { Instant } from '../../platform/values/values.ts'
import { CONFIDENCES } from '../rules/calling-rules.ts'
import type { StateHours } from '../rules/hours/state-hours.ts'
import { shownInstant } from './explanation.ts'

const Zone = v.strictObject({
  timezone: v.string(),
  open: v.pipe(v.boolean(), v.description('Whether a call may start in this time zone.')),
  window: v.pipe(
    v.nullable(
      v.strictObject({
        from: v.pipe(DateTime, v.description('The first instant at which a call may start.')),
        until: v.pipe(DateTime, v.description('Just after the last instant at which a call may start.')),
      }),
    ),
    v.description('When calls may start on the local day. Null if they may not start on this day.'),
  ),
  next_time: v.pipe(
    OptionalDateTime,
    v.description('The first time, not before `at`, at which a call may start. Null if there is none within 400 days.'),
  ),
})

const LocalDate = v.nullable(v.string())

const RuleInForce = v.strictObject({
  rule: v.pipe(v.string(), v.description('`federal`, the code of a state, or `account`.')),
  from: v.pipe(LocalDate, v.description('The first local day of this text of the rule. Null: since before the data begins.')),
  until: v.pipe(LocalDate, v.description('The local day on which another text replaces it. Null: none is known.')),
})

const State = v.strictObject({
  state: v.pipe(v.string(), v.description('The two-letter code.')),
  name: v.string(),
  open: v.pipe(v.boolean(), v.description('Whether a call may start in every time zone of the state.')),
  detail: v.string(),
  rule: v.pipe(v.nullable(v.string()), v.description('The rules that decided, as `explain` names them.')),
  citation: v.pipe(v.nullable(v.string()), v.description('Where the rules are written.')),
  confidence: v.pipe(v.picklist(CONFIDENCES), v.description('How reliable the sources of the state’s rule are.')),
  rules: v.pipe(v.array(RuleInForce), v.description('The rules that are in force at `at`.')),
  next_time: v.pipe(
    OptionalDateTime,
    v.description('The first time, not before `at`, at which a call may start in every time zone. Null if there is none within 400 days.'),
  ),
  timezones: v.pipe(v.array(Zone), v.minLength(1)),
})

/** Who may be called at an instant, by state. */
export const StateHoursResponse = v.strictObject({
  at: DateTime,
  states: v.pipe(v.array(State), v.description('The states, the District of Columbia and the territories.')),
})

const windowShown = ([from, until]: readonly [Instant, Instant]) => {
  const [first, end] = [shownInstant(from), shownInstant(until)]
  return first === null || end === null ? null : { from: first, until: end }
}

/** The calling hours of the API. */
export const representStateHours = (at: Instant, states: readonly StateHours[]): v.InferOutput<typeof StateHoursResponse> => ({
  at: formatInstant(at),
  states: states.map(({ code, name, confidence, rules, verdict: { passed, detail, rule, citation, next_time }, zones }) => ({
    state: code,
    name,
    open: passed,
    detail,
    rule,
    citation,
    confidence,
    rules: [...rules],
    next_time: passed ? formatInstant(at) : shownInstant(next_time),
    timezones: zones.map(({ zone, isOpen, window, next }) => ({
      timezone: zone,
      open: isOpen,
      window: window && windowShown(window),
      next_time: shownInstant(next),
    })),
  })),
})
