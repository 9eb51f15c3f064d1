import { LATEST } from '../../http/fields/date-time.ts'
import type { Location } from '../../location/rules/locate.ts'
import { formatInstant } from '../../platform/values/time.ts'
import type { Instant } from '../../platform/values/values.ts'
import type { Explanation } from '../rules/dial/explain.ts'
import type { Verdict } from '../rules/verdict.ts'

const shown = (instant: Instant | null): string | null => (instant === null || instant > LATEST ? null : formatInstant(instant))

/** An input named `*_time` is an instant. */
const shownInput = ([name, value]: [string, unknown]): [string, unknown] =>
  name.endsWith('_time') && typeof value === 'number' ? [name, shown(value)] : [name, value]

const representVerdict = ({ gate, passed, detail, inputs, rule, citation, next_time }: Verdict) => ({
  gate,
  passed,
  detail,
  inputs: Object.fromEntries(Object.entries(inputs).map(shownInput)),
  rule,
  citation,
  next_time: shown(next_time),
})

/** The explanation object of the API. */
export const representExplanation = (lead: number, { state, zip, source, timezones, timezoneSource }: Location, told: Explanation) => ({
  lead_id: lead,
  at: shown(told.at),
  callable: told.callable,
  next_callable_time: shown(told.nextCallableTime),
  location: { state, zip, source },
  timezones,
  timezone_source: timezoneSource,
  gates: told.verdicts.map(representVerdict),
})
