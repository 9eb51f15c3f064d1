import * as v from 'valibot'
import type { Lead } from '../../leads/lead.ts'

/** Metadata that tells where a lead is. */
const PLACE_KEYS = ['timezone', 'us_state', 'state', 'property_state', 'zip', 'property_zip', 'ip_address', 'ip']

type Placed = Pick<Lead, 'us_state' | 'metadata'>

const Place = v.object({ us_state: v.nullable(v.string()), metadata: v.record(v.string(), v.unknown()) })

/** With what tells whether the next call is still the one that was planned, or not planned yet, at the time. */
const FormerPlace = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({ ...Place.entries, next_call_time: v.nullable(v.number()), attempts: v.number() }),
)

type Planned = Partial<Pick<Lead, 'former_place' | 'next_call_time' | 'attempts'>>

/**
 * The place of a lead before an agent collected another one. Until the next call is planned, the rules of both places apply: collected data
 * must not widen the lawful hours of a call that is planned or in progress. Undefined when there is none.
 */
export const formerPlace = ({ former_place, next_call_time = null, attempts }: Planned): Placed | undefined => {
  const read = v.safeParse(FormerPlace, former_place)
  if (!read.success) return undefined
  const { us_state, metadata, ...planned } = read.output
  return planned.next_call_time === next_call_time && planned.attempts === attempts ? { us_state, metadata } : undefined
}

const placeOf = ({ us_state, metadata }: Placed) => ({
  us_state,
  metadata: Object.fromEntries(Object.entries(metadata).filter(([key]) => PLACE_KEYS.includes(key))),
})

/** `collected`: the lead with what an agent has just collected. The place before it is kept; the first one when there are several. */
export const keepingFormerPlace = <L extends Lead>(before: Lead, collected: L): L => {
  const place = placeOf(before)
  if (formerPlace(before) || JSON.stringify(place) === JSON.stringify(placeOf(collected))) return collected
  const { next_call_time, attempts } = before
  return { ...collected, former_place: JSON.stringify({ ...place, next_call_time, attempts }) }
}
