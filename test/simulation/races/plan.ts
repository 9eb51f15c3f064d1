import { type Chance, chanceFrom } from '../lateness/chance.ts'
import type { Plant } from './plants.ts'

/** The stop of a race. The last kind comes between a call and its callback. */
export const KINDS = [
  'flag on the lead',
  'flag on another lead of the phone',
  'entry on the list',
  'lead cancelled',
  'bulk update',
  'pause of all',
  'pause of the existing leads',
  'report of another call',
  'consent revoked',
  'cancelled in the call',
] as const
export type Kind = (typeof KINDS)[number]

/** One in ten races stops a lead whose call ends with a callback. */
const IN_THE_CALL = 10

/** Milliseconds in which a dial and a stop start when they should meet. Pauses start later: they are written faster than other stops. */
const DIALS = 150
const STOPS = [0, 70] as const
const PAUSES = [40, 180] as const
/** Shortest pause. Milliseconds. */
const SHORTEST = 300
/** Longest time between two copies of a message. Milliseconds. */
const COPY = 20
/** Milliseconds from a race's start. An earlier stop can meet a dial without an answer, a later one meets the retries. */
const ANSWERING = 400
/** One stop against one lead's call. Times are milliseconds from the start of the race. */
export interface Race {
  readonly index: number
  readonly kind: Kind
  /** Times of each copy of the dial message or, in a call, of the report that asks for a callback. */
  readonly starts: readonly number[]
  readonly stop: number
  /** From the stop's acknowledgement to one more copy. */
  readonly late: number
  /** From a pause's acknowledgement to its end. */
  readonly lifted: number
  /** Whether the other lead, or the list entry, belongs to the other owner of the group. */
  readonly isFellows: boolean
  readonly patch: Readonly<Record<string, unknown>>
  /** Whether the agent never accepts the call. The service then retries until the time limit or the stop. */
  readonly isFailing: boolean
  /** The condition that the lead's dial transaction lacks. */
  readonly plant: Plant | null
}

export interface Plan {
  readonly seed: number
  /** Milliseconds after a dial in which the service retries. A pause ends in about the first third of what is left of them. */
  readonly retries: number
  readonly plant?: Plant | null
  /** Index of the first race. */
  readonly index?: number
}

const BULK_STOPS = [{ call_dnc: true }, { status: 'CANCELLED' }, { status: 'LOST', call_dnc: true }] as const

/** Kinds of races that go wrong without the condition. */
const PLANTED: Readonly<Record<Plant, readonly Kind[]>> = {
  phone: ['flag on the lead', 'flag on another lead of the phone', 'entry on the list', 'report of another call', 'consent revoked'],
  lines: ['pause of all', 'pause of the existing leads'],
  lead: ['lead cancelled'],
}

/** Most stops meet the dial. The others come before the agent has answered, or before a retry. */
const stopAfter = (chance: Chance, kind: Kind, { retries, plant }: Plan): number => {
  const [least, most] = kind.startsWith('pause') ? PAUSES : STOPS
  if (plant || kind === 'cancelled in the call' || chance.happens(0.75)) return chance.between(least, most)
  return chance.happens(0.5) ? chance.between(most, ANSWERING) : chance.between(ANSWERING, retries)
}

const kindOf = (place: number, plant: Plant | null): Kind => {
  if (plant) return PLANTED[plant][place % PLANTED[plant].length]!
  if (place % IN_THE_CALL === IN_THE_CALL - 1) return 'cancelled in the call'
  return KINDS[(place - Math.floor(place / IN_THE_CALL)) % (KINDS.length - 1)]!
}

export const planRaces = (races: number, plan: Plan): Race[] => {
  const { seed, retries, plant = null, index = 0 } = plan
  const chance = chanceFrom(seed)
  return Array.from({ length: races }, (_, place): Race => {
    const kind = kindOf(place, plant)
    const first = chance.between(0, DIALS)
    const copies = chance.happens(0.45) ? [chance.between(0, COPY)] : []
    const stop = stopAfter(chance, kind, plan)
    return {
      index: index + place,
      kind,
      starts: [first, ...copies.map((after) => first + after)],
      stop,
      late: chance.between(0, 3000),
      lifted: SHORTEST + chance.between(0, 0.35) * (retries - stop),
      isFellows: chance.happens(0.4),
      patch: kind === 'bulk update' ? BULK_STOPS[Math.floor(chance.between(0, BULK_STOPS.length))]! : {},
      isFailing: stop > ANSWERING && chance.happens(0.6),
      plant,
    }
  })
}
