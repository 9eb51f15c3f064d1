import { DAY, HOUR, MINUTE, SECOND } from './durations.ts'
import type { Instant } from './values.ts'

/** A time in which a zone's clock does not change: `from` is included, `until` is not. */
export interface Stretch {
  /** Milliseconds that the clock is ahead of UTC; negative west of Greenwich. */
  readonly offset: number
  readonly from: Instant
  readonly until: Instant
}

interface Zone {
  readonly clock: Intl.DateTimeFormat | undefined
  /** The known stretches, by number of their block since 1970. */
  readonly blocks: Map<number, readonly Stretch[]>
  /** The stretch that was used last: it is often used again. */
  latest: Stretch
}

/** Since 1970, no clock was changed and changed back within this time. The shortest summer time, in Brazil in 2000, lasted a week. */
const SAMPLE = 4 * DAY

/** About a year. A block is examined as a whole when a time in it is first needed. */
const BLOCK = 92 * SAMPLE

/** Clients choose the names, and may write each in any mix of upper and lower case. */
const MOST_ZONES = 1000

const NEVER: Stretch = { offset: 0, from: 0, until: 0 }
const UTC: Zone = { clock: undefined, blocks: new Map(), latest: { offset: 0, from: -Infinity, until: Infinity } }

const zones = new Map<string, Zone>([['UTC', UTC]])

const makeClock = (timeZone: string): Intl.DateTimeFormat | undefined => {
  // Offsets such as +05:00 are not zones: they have no summer time.
  if (!/^[A-Za-z]/.test(timeZone)) return undefined
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' })
  } catch {
    return undefined
  }
}

/** Undefined when this runtime does not know the zone. Making a clock costs a thousand times as much as reading it. */
const zoneOf = (name: string): Zone | undefined => {
  const known = zones.get(name)
  if (known) return known
  const clock = makeClock(name)
  if (!clock) return undefined
  const zone = { clock, blocks: new Map(), latest: NEVER }
  if (zones.size >= MOST_ZONES) zones.clear()
  zones.set(name, zone)
  return zone
}

/** Whether this runtime knows the name from the time-zone database. */
export const isZone = (name: string): boolean => zoneOf(name) !== undefined

const OFFSET = /GMT(?:([+-])(\d\d):(\d\d)(?::(\d\d))?)?$/

const readOffset = (clock: Intl.DateTimeFormat, at: Instant): number => {
  const text = clock.format(at)
  const found = OFFSET.exec(text)
  if (!found) throw new Error(`No UTC offset in: ${text}.`)
  const [, sign, hours = '0', minutes = '0', seconds = '0'] = found
  return (sign === '-' ? -1 : 1) * (Number(hours) * HOUR + Number(minutes) * MINUTE + Number(seconds) * SECOND)
}

/**
 * The first instant at which the clock is no longer `offset` ahead. The offset is valid at `low` and not at `high`. Clocks change on whole
 * seconds.
 */
const changeBetween = (clock: Intl.DateTimeFormat, offset: number, low: Instant, high: Instant): Instant => {
  let [same, other] = [low / SECOND, high / SECOND]
  while (other - same > 1) {
    const middle = Math.floor((same + other) / 2)
    if (readOffset(clock, middle * SECOND) === offset) same = middle
    else other = middle
  }
  return other * SECOND
}

const stretchesFrom = (clock: Intl.DateTimeFormat, start: Instant): readonly Stretch[] => {
  const found: Stretch[] = []
  let [from, offset] = [start, readOffset(clock, start)]
  for (let sample = start + SAMPLE; sample <= start + BLOCK; sample += SAMPLE) {
    const sampled = readOffset(clock, sample)
    for (let low = sample - SAMPLE; offset !== sampled; low = from) {
      const until = changeBetween(clock, offset, low, sample)
      found.push({ offset, from, until })
      from = until
      offset = readOffset(clock, until)
    }
  }
  return [...found, { offset, from, until: start + BLOCK }]
}

const findStretch = ({ clock, blocks }: Zone, at: Instant): Stretch | undefined => {
  const block = Math.floor(at / BLOCK)
  const stretches = blocks.get(block) ?? (clock && stretchesFrom(clock, block * BLOCK))
  if (stretches) blocks.set(block, stretches)
  return stretches?.find(({ until }) => at < until)
}

/**
 * The stretch that contains an instant. The next stretch may have the same offset, because a stretch also ends with its block.
 * @throws Error for an unknown zone
 */
export const stretchAt = (name: string, at: Instant): Stretch => {
  const zone = zoneOf(name)
  if (zone && zone.latest.from <= at && at < zone.latest.until) return zone.latest
  const stretch = zone && findStretch(zone, at)
  if (!stretch) throw new Error(`There is no time zone ${name}.`)
  zone.latest = stretch
  return stretch
}

/** Milliseconds that the zone's clock is ahead of UTC at an instant; negative west of Greenwich. @throws Error for an unknown zone */
export const zoneOffset = (zone: string, at: Instant): number => stretchAt(zone, at).offset
