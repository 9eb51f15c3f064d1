import * as v from 'valibot'
import type { Lead } from '../../leads/lead.ts'
import { isSameJson } from '../../platform/values/values.ts'
import { LOCATION_KEYS } from './location-keys.ts'

type Placed = Pick<Lead, 'us_state' | 'metadata'>

const Place = v.object({ us_state: v.nullable(v.string()), metadata: v.record(v.string(), v.unknown()) })

/** Where the lead was located before. It counts while the lead still has this `next_call_time` and `attempts`. */
const FormerPlace = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({ ...Place.entries, next_call_time: v.nullable(v.number()), attempts: v.number() }),
)

type Planned = Partial<Pick<Lead, 'former_place' | 'next_call_time' | 'attempts'>>

/**
 * The place of a lead before an agent collected another one; undefined when there is none. The rules of both places apply until the next
 * call is planned. Collected data must not widen the lawful hours of a call that is planned or in progress.
 */
export const formerPlace = ({ former_place, next_call_time = null, attempts }: Planned): Placed | undefined => {
  const read = v.safeParse(FormerPlace, former_place)
  if (!read.success) return undefined
  const { us_state, metadata, ...planned } = read.output
  return planned.next_call_time === next_call_time && planned.attempts === attempts ? { us_state, metadata } : undefined
}

const placeOf = ({ us_state, metadata }: Placed) => ({
  us_state,
  metadata: Object.fromEntries(Object.entries(metadata).filter(([key]) => LOCATION_KEYS.includes(key))),
})

/**
 * `collected`: the lead with the data that an agent has just collected. Keeps the place before it; the first one when there are several.
 */
export const keepingFormerPlace = <L extends Lead>(before: Lead, collected: L): L => {
  const place = placeOf(before)
  if (formerPlace(before) || isSameJson(place, placeOf(collected))) return collected
  const { next_call_time, attempts } = before
  return { ...collected, former_place: JSON.stringify({ ...place, next_call_time, attempts }) }
}
