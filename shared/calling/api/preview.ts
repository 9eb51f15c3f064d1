import * as v from 'valibot'
import { Count, DateTime } from '../../http/responses/values.ts'
import { formatInstant } from '../../platform/values/time.ts'
import { GATE_NAMES, Id } from '../../platform/values/values.ts'
import { MOST_HOURS, type Preview } from '../rules/preview.ts'

/** How many leads would be called when, and why the others would not. */
export const CallPreviewResponse = v.strictObject({
  callable_now: v.pipe(Count, v.description('Leads that may be called now.')),
  by_hour: v.pipe(
    v.array(v.strictObject({ hour: DateTime, leads: Count })),
    v.maxLength(MOST_HOURS),
    v.description(
      `Further leads, by the hour in which their next call may start, in UTC. Only the first ${MOST_HOURS} hours. Free lines do not count: a lead may wait longer.`,
    ),
  ),
  later: v.pipe(Count, v.description('Leads whose next call may start in an hour after these.')),
  skipped: v.pipe(
    v.array(v.strictObject({ gate: v.picklist(GATE_NAMES), leads: Count })),
    v.description('Leads that are not called until somebody changes something, by the gate that refuses them.'),
  ),
})

/** When the leads of a lead type would be called. */
export const PreviewResponse = v.strictObject({
  lead_type: Id,
  leads: v.pipe(Count, v.description('Leads that are open or wait for a callback. 1,000 stands for 1,000 or more.')),
  looked_at: v.pipe(Count, v.description('How many of them the preview looked at: those that changed last.')),
  ...CallPreviewResponse.entries,
})

export const representCalls = ({ by_hour, ...preview }: Preview): v.InferOutput<typeof CallPreviewResponse> => ({
  ...preview,
  by_hour: by_hour.map(({ hour, leads }) => ({ hour: formatInstant(hour), leads })),
})

interface LookedAt {
  readonly leads: number
  readonly lookedAt: number
  readonly preview: Preview
}

export const representPreview = (leadType: number, { leads, lookedAt, preview }: LookedAt): v.InferOutput<typeof PreviewResponse> => ({
  lead_type: leadType,
  leads,
  looked_at: lookedAt,
  ...representCalls(preview),
})
