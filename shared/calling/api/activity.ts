import * as v from 'valibot'
import type { User } from '../../accounts/configuration.ts'
import { Count, DateTime, OptionalDateTime } from '../../http/responses/values.ts'
import { formatInstant, formatOptional } from '../../platform/values/time.ts'
import { Id } from '../../platform/values/values.ts'
import { type Activity, HOLD_REASONS, MOST_COUNTED_NOW, MOST_SHOWN, type PlannedLead } from '../rules/explain/activity.ts'
import { CallResponse, representCall } from './call.ts'

const Leads = v.pipe(Count, v.maxValue(MOST_COUNTED_NOW), v.description(`${MOST_COUNTED_NOW} stands for ${MOST_COUNTED_NOW} or more.`))

/** What happens to the leads of a user at this moment. It does not contain the time, so that equal answers have equal tags. */
export const ActivityResponse = v.strictObject({
  paused: v.boolean(),
  paused_existing_leads: v.boolean(),
  lines: v.strictObject({ limit: Count, in_use: Count }),
  calls: v.pipe(
    v.array(CallResponse),
    v.maxLength(MOST_SHOWN),
    v.description(`Calls in progress, at most ${MOST_SHOWN} of them. \`lines.in_use\` counts all.`),
  ),
  overdue: v.pipe(Leads, v.description(`Leads that are due and not called yet, because no line is free or something holds them back.`)),
  due_in_next_hour: Leads,
  next_leads: v.pipe(
    v.array(v.strictObject({ lead: Id, call_time: DateTime, attempt: v.pipe(v.number(), v.integer()) })),
    v.maxLength(MOST_SHOWN),
    v.description('The leads that come next, those that are overdue first.'),
  ),
  holds: v.pipe(
    v.array(
      v.strictObject({
        reason: v.picklist(HOLD_REASONS),
        lead_type: v.pipe(v.nullable(Id), v.description('Null: leads of all lead types.')),
        leads: v.pipe(
          v.nullable(Leads),
          v.description('Null for an agent and for a do-not-call list: their leads stay due, or wait together with those of others.'),
        ),
        until: v.pipe(OptionalDateTime, v.description('When the agent is tried again.')),
        detail: v.nullable(v.string()),
      }),
    ),
    v.description('Why many leads are not called, with an entry for each lead type. `explain` says why a single lead is not called.'),
  ),
})

const entry = ({ lead, instant, attempt }: PlannedLead) => ({ lead, call_time: formatInstant(instant), attempt })

export const representActivity = (
  { lines: limit }: Pick<User, 'lines'>,
  { lines, inUse, calls, overdue, nextHour, holds }: Activity,
): v.InferOutput<typeof ActivityResponse> => ({
  paused: lines.paused,
  paused_existing_leads: lines.paused_upto > 0,
  lines: { limit, in_use: inUse },
  calls: calls.map(representCall),
  overdue: overdue.length,
  due_in_next_hour: nextHour.length,
  next_leads: [...overdue, ...nextHour].slice(0, MOST_SHOWN).map(entry),
  holds: holds.map(({ reason, leadType, leads, until, detail }) => ({
    ...{ reason, lead_type: leadType, leads, detail },
    until: formatOptional(until),
  })),
})
