import * as v from 'valibot'
import { Count, DateTime } from '../../http/responses/values.ts'
import { formatInstant } from '../../platform/values/time.ts'
import { GATE_NAMES, Id } from '../../platform/values/values.ts'
import type { Preview } from '../rules/explain/preview.ts'

/** When the leads of a lead type would be called. */
export const PreviewResponse = v.strictObject({
  lead_type: Id,
  leads: v.pipe(Count, v.description('Leads that are open or wait for a callback. 1,000 stands for 1,000 or more.')),
  looked_at: v.pipe(Count, v.description('How many of them the preview looked at: those that changed last.')),
  callable_now: v.pipe(Count, v.description('Leads that may be called now.')),
  by_hour: v.pipe(
    v.array(v.strictObject({ hour: DateTime, leads: Count })),
    v.description(
      'Further leads, by the hour in which their next call may start, in UTC. Free lines do not count: a lead may wait longer.',
    ),
  ),
  skipped: v.pipe(
    v.array(v.strictObject({ gate: v.picklist(GATE_NAMES), leads: Count })),
    v.description('Leads that are not called until somebody changes something, by the gate that refuses them.'),
  ),
})

interface LookedAt extends Preview {
  readonly lookedAt: number
  readonly leads: number
}

export const representPreview = (leadType: number, preview: LookedAt): v.InferOutput<typeof PreviewResponse> => ({
  lead_type: leadType,
  leads: preview.leads,
  looked_at: preview.lookedAt,
  callable_now: preview.callableNow,
  by_hour: preview.byHour.map(({ hour, leads }) => ({ hour: formatInstant(hour), leads })),
  skipped: preview.skipped.map((skipped) => ({ ...skipped })),
})
