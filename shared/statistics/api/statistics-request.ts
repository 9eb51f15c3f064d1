import * as v from 'valibot'
import { dateField } from '../../http/fields/date-time.ts'
import { Dictionary, field, fieldErrors, fields, refuse } from '../../http/fields/field.ts'
import { idField } from '../../http/fields/number.ts'
import { invalid } from '../../platform/values/errors.ts'
import type { Instant } from '../../platform/values/values.ts'
import { faultOfPeriod, type Period, periodAsked } from '../rules/period.ts'
import { sourceName } from '../rules/source-name.ts'
import type { StatisticsFilter } from '../rules/totals.ts'

const sourceField = () =>
  field((value) => sourceName(`${value}`) || refuse('This field may not be blank. Leave the parameter out for leads of any source.'), {
    type: 'string',
  })

const PARAMETERS = {
  from: v.optional(dateField()),
  to: v.optional(dateField()),
  lead_type: v.optional(idField()),
  lead_source: v.optional(sourceField()),
}

/** The query parameters of a request for statistics. */
export const STATISTICS_PARAMETERS = Object.keys(PARAMETERS)

const StatisticsRequest = v.pipe(Dictionary, fields(PARAMETERS))

export interface StatisticsAsked extends StatisticsFilter {
  readonly period: Period
}

/** The statistics that a query asks for. @throws ServiceError of each wrong parameter */
export const statisticsAsked = (query: Readonly<Record<string, string>>, now: Instant): StatisticsAsked => {
  const { success, output, issues } = v.safeParse(StatisticsRequest, query)
  if (!success) throw invalid(fieldErrors(issues))
  const { from, to, lead_type, lead_source } = output
  const period = periodAsked({ ...(from !== undefined && { from }), ...(to !== undefined && { to }) }, now)
  const fault = faultOfPeriod(period)
  if (fault) throw invalid({ [fault.name]: [fault.message] })
  return { period, leadType: lead_type, source: lead_source }
}
