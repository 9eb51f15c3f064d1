import * as v from 'valibot'
import { DateTime } from '../../http/responses/values.ts'
import { formatInstant } from '../../platform/values/time.ts'
import { GATE_NAMES, Id, type Instant } from '../../platform/values/values.ts'
import type { CallingTimes } from '../rules/dial/calling-times.ts'

/** When a lead may be called. */
export const CallingTimesResponse = v.strictObject({
  lead_id: Id,
  from: v.pipe(DateTime, v.description('Now.')),
  until: DateTime,
  timezones: v.pipe(v.array(v.string()), v.description('The time zones in which the rules are applied.')),
  times: v.pipe(
    v.array(
      v.strictObject({
        from: v.pipe(DateTime, v.description('The first instant at which a call may start.')),
        until: v.pipe(DateTime, v.description('Just after the last instant at which a call may start.')),
      }),
    ),
    v.description('The times in which the gates that depend on the time let a call start, the earliest first.'),
  ),
  blocked_by: v.pipe(
    v.nullable(v.strictObject({ gate: v.picklist(GATE_NAMES), detail: v.string() })),
    v.description('The first gate that refuses at any time, until somebody changes something. Null if there is none.'),
  ),
  refused_later: v.pipe(
    v.nullable(v.strictObject({ from: DateTime, gate: v.picklist(GATE_NAMES), detail: v.string() })),
    v.description(
      'When a do-not-call list, an answer about a reassigned number or an exemption becomes too old, before `until`. No calling time is later, unless it is renewed. Null if there is none.',
    ),
  ),
})

interface Period {
  readonly from: Instant
  readonly until: Instant
}

export const representCallingTimes = (
  lead: number,
  timezones: readonly string[],
  { from, until }: Period,
  { times, blockedBy, refusedLater }: CallingTimes,
): v.InferOutput<typeof CallingTimesResponse> => ({
  lead_id: lead,
  from: formatInstant(from),
  until: formatInstant(until),
  timezones: [...timezones],
  times: times.map((time) => ({ from: formatInstant(time.from), until: formatInstant(time.until) })),
  blocked_by: blockedBy === undefined ? null : { gate: blockedBy.gate, detail: blockedBy.detail },
  refused_later:
    refusedLater === undefined
      ? null
      : { from: formatInstant(refusedLater.time), gate: refusedLater.verdict.gate, detail: refusedLater.verdict.detail },
})
