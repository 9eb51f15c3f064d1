import type { Call, CallPage, Consent, DncLookUp, Lead } from '../../client/operations.ts'

type PastStop = NonNullable<DncLookUp['history']>[number]

/** Something that happened to a lead or its phone number, or that is planned. `at`: null for a call that does not ring yet. */
export type LeadTimelineEntry = { readonly id: string; readonly at: string | null } & (
  | { readonly kind: 'created' | 'changed' | 'planned' }
  | { readonly kind: 'call'; readonly call: Call }
  | { readonly kind: 'stop'; readonly stop: PastStop }
  | { readonly kind: 'consent'; readonly consent: Consent }
)

interface Known {
  readonly lead: Lead
  /** A page of its calls. */
  readonly calls: CallPage
  readonly stops: readonly PastStop[]
  readonly consents: readonly Consent[]
}

const instantOf = ({ at }: LeadTimelineEntry): number => (at === null ? Number.POSITIVE_INFINITY : Date.parse(at))

/** The entries besides calls. Only calls have pages: the first page has all else, and the last one the creation of the lead. */
const othersOf = ({ lead, calls, stops, consents }: Known): readonly LeadTimelineEntry[] => {
  const created = calls.next === null ? [{ kind: 'created', id: 'created', at: lead.created_time } as const] : []
  if (calls.previous !== null) return created
  return [
    ...created,
    ...(lead.modified_time === lead.created_time ? [] : [{ kind: 'changed', id: 'changed', at: lead.modified_time } as const]),
    ...(lead.next_call_time === null ? [] : [{ kind: 'planned', id: 'planned', at: lead.next_call_time } as const]),
    ...stops.map((stop, place) => ({ kind: 'stop', id: `stop ${place}`, at: stop.time, stop }) as const),
    ...consents.map((consent) => ({ kind: 'consent', id: `consent ${consent.sequence}`, at: consent.time, consent }) as const),
  ]
}

/** All that is known of a lead, the latest first. */
export const timelineEntries = (known: Known): readonly LeadTimelineEntry[] =>
  [
    ...known.calls.results.map((call) => ({ kind: 'call', id: call.call_id, at: call.started_time ?? call.ended_time, call }) as const),
    ...othersOf(known),
  ].toSorted((one, other) => (instantOf(one) < instantOf(other) ? 1 : instantOf(one) > instantOf(other) ? -1 : 0))
