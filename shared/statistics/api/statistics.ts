import * as v from 'valibot'
import { CALL_OUTCOMES } from '../../calling/call.ts'
import { Count } from '../../http/responses/values.ts'
import { Id, LEAD_STATUSES } from '../../platform/values/values.ts'
import { COUNTED_ATTEMPTS } from '../rules/counted.ts'
import { MOST_SOURCES, OTHER_SOURCES } from '../rules/source-name.ts'
import { callsIn, leadsIn, rateOf, type Statistics, type Totals, transfersIn } from '../rules/totals.ts'

const LeadsByStatus = v.strictObject(v.entriesFromList(LEAD_STATUSES, Count))

const CallsByOutcome = v.strictObject({
  ...v.entriesFromList(CALL_OUTCOMES, Count),
  UNKNOWN: v.pipe(Count, v.description('The agent does not know the result, or the result of the call is not known.')),
  FAILED: v.pipe(Count, v.description('The voice agent refused the call, so no phone rang.')),
})

const Day = v.pipe(v.string(), v.regex(/^\d{4}-\d{2}-\d{2}$/), v.metadata({ format: 'date', examples: ['2026-11-20'] }))
const Rate = v.nullable(v.pipe(v.number(), v.minValue(0)))

const rates = {
  contacts: v.pipe(Count, v.description('Calls that reached a person, as `is_contact` says.')),
  transfers: v.pipe(Count, v.description('Calls with the outcome `COMPLETED_CLOSED_LIVE_TRANSFER`.')),
  contact_rate: v.pipe(Rate, v.description('The contacts as a share of all calls but `FAILED` ones. Null without such calls.')),
  transfer_rate: v.pipe(Rate, v.description('The transfers as a share of all calls but `FAILED` ones. Null without such calls.')),
}
const Created = v.pipe(Count, v.description('Leads that were created in the period.'))
const Calls = v.pipe(Count, v.description('Calls that began in the period and are over.'))
const Failed = v.pipe(Count, v.description('Calls that the voice agent refused. `calls` includes them.'))
const LeadsNow = v.pipe(Count, v.description('Leads as they are now, whenever they were created.'))

const small = { created: Created, calls: Calls, failed: Failed, ...rates }

/** The statistics of a period, as clients see them. */
export const StatisticsResponse = v.strictObject({
  from: v.pipe(Day, v.description('The first day of the period, in UTC.')),
  to: v.pipe(Day, v.description('The last day of the period, in UTC.')),
  leads: v.pipe(
    v.strictObject({ total: Count, by_status: LeadsByStatus }),
    v.description('The leads as they are now, whenever they were created.'),
  ),
  created: Created,
  calls: v.strictObject({
    total: Calls,
    by_outcome: v.pipe(CallsByOutcome, v.description('Calls by `outcome`.')),
    by_hour: v.pipe(
      v.array(Count),
      v.length(24),
      v.description('Calls by the hour of the day in which they began, in UTC. The first number is that of midnight.'),
    ),
    by_attempt: v.pipe(
      v.array(Count),
      v.length(COUNTED_ATTEMPTS),
      v.description(
        `Calls by \`attempt\`. The first number is that of the first call of a lead. The last one is that of the ${COUNTED_ATTEMPTS}th and all further calls.`,
      ),
    ),
    ...rates,
  }),
  by_day: v.pipe(
    v.array(v.strictObject({ date: Day, ...small, by_outcome: CallsByOutcome })),
    v.description('Every day of the period, in UTC. A call belongs to the day on which it began.'),
  ),
  by_lead_type: v.pipe(
    v.array(v.strictObject({ lead_type: v.nullable(Id), leads: LeadsNow, ...small })),
    v.description('The lead types with the most calls first.'),
  ),
  by_lead_source: v.pipe(
    v.array(v.strictObject({ lead_source: v.string(), leads: LeadsNow, ...small })),
    v.description(
      `The lead sources with the most calls first. Leads without a source have an empty one. After the first ${MOST_SOURCES} sources, all further ones count as \`${OTHER_SOURCES}\`.`,
    ),
  ),
})

const ratesOf = (totals: Totals) => ({
  contacts: totals.contacts,
  transfers: transfersIn(totals),
  contact_rate: rateOf(totals.contacts, totals),
  transfer_rate: rateOf(transfersIn(totals), totals),
})

const smallOf = (totals: Totals) => ({
  created: totals.created,
  calls: callsIn(totals),
  failed: totals.calls.FAILED,
  ...ratesOf(totals),
})

/** A part of the statistics, such as a lead type. */
export const representPart = (totals: Totals) => ({ leads: leadsIn(totals), ...smallOf(totals) })

export const representStatistics = ({
  period,
  all,
  byDay,
  byLeadType,
  bySource,
}: Statistics): v.InferOutput<typeof StatisticsResponse> => ({
  from: period.from,
  to: period.to,
  leads: { total: leadsIn(all), by_status: all.leads },
  created: all.created,
  calls: { total: callsIn(all), by_outcome: all.calls, by_hour: [...all.hours], by_attempt: [...all.attempts], ...ratesOf(all) },
  by_day: byDay.map(({ day, totals }) => ({ date: day, ...smallOf(totals), by_outcome: totals.calls })),
  by_lead_type: byLeadType.map(({ leadType, totals }) => ({ lead_type: leadType, ...representPart(totals) })),
  by_lead_source: bySource.map(({ source, totals }) => ({ lead_source: source, ...representPart(totals) })),
})
