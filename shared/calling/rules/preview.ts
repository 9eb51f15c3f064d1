import * as v from 'valibot'
import { HOUR } from '../../platform/values/durations.ts'
import { GATE_NAMES, type GateName, Instant } from '../../platform/values/values.ts'

/** Hours that a preview counts one by one. A lead may name any start, and previews of large files must stay small. */
export const MOST_HOURS = 14 * 24

const Leads = v.pipe(v.number(), v.integer(), v.minValue(0))

const Gate = v.picklist(GATE_NAMES)

/** How many leads would be called when. */
export const Preview = v.object({
  callable_now: Leads,
  /** By the start of the hour, the earliest first. Leads that may be called now are not here. */
  by_hour: v.array(v.object({ hour: Instant, leads: Leads })),
  /** Leads of the hours after these. */
  later: Leads,
  /** In the order of the gates. A newer version may have stored gates that this one does not know. */
  skipped: v.pipe(
    v.array(v.object({ gate: v.string(), leads: Leads })),
    v.transform((all) => all.flatMap(({ gate, leads }) => (v.is(Gate, gate) ? [{ gate, leads }] : []))),
  ),
})
export type Preview = v.InferOutput<typeof Preview>

/** When a lead would be called, or the gate that refuses it until somebody changes something. */
export type Prospect = { readonly time: Instant } | { readonly gate: GateName }

export const NO_LEADS: Preview = { callable_now: 0, by_hour: [], later: 0, skipped: [] }

const sum = (counts: readonly number[]): number => counts.reduce((all, count) => all + count, 0)

const sums = <K>(counts: readonly (readonly [K, number])[]): Map<K, number> => {
  const found = new Map<K, number>()
  for (const [key, count] of counts) found.set(key, (found.get(key) ?? 0) + count)
  return found
}

/** Adds up previews, in any order. The earliest hours stay exact: an hour that was moved to `later` is also too late for every later sum. */
export const addedUp = (previews: readonly Preview[]): Preview => {
  const hours = [...sums(previews.flatMap(({ by_hour }) => by_hour.map(({ hour, leads }) => [hour, leads] as const)))]
    .map(([hour, leads]) => ({ hour, leads }))
    .sort((one, other) => one.hour - other.hour)
  const gates = sums(previews.flatMap(({ skipped }) => skipped.map(({ gate, leads }) => [gate, leads] as const)))
  return {
    callable_now: sum(previews.map(({ callable_now }) => callable_now)),
    by_hour: hours.slice(0, MOST_HOURS),
    later: sum([...previews.map(({ later }) => later), ...hours.slice(MOST_HOURS).map(({ leads }) => leads)]),
    skipped: GATE_NAMES.map((gate) => ({ gate, leads: gates.get(gate) ?? 0 })).filter(({ leads }) => leads > 0),
  }
}

/** The number of leads that a preview counts. */
export const previewedLeads = ({ callable_now, by_hour, later, skipped }: Preview): number =>
  callable_now + later + sum([...by_hour, ...skipped].map(({ leads }) => leads))

const ofOne = (prospect: Prospect, now: Instant): Preview => {
  if ('gate' in prospect) return { ...NO_LEADS, skipped: [{ gate: prospect.gate, leads: 1 }] }
  if (prospect.time <= now) return { ...NO_LEADS, callable_now: 1 }
  return { ...NO_LEADS, by_hour: [{ hour: Math.floor(prospect.time / HOUR) * HOUR, leads: 1 }] }
}

export const previewOf = (prospects: readonly Prospect[], now: Instant): Preview =>
  addedUp(prospects.map((prospect) => ofOne(prospect, now)))
