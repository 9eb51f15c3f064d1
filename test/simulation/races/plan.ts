import { type Chance, chanceFrom } from '../lateness/chance.ts'
import type { Plant } from './plants.ts'

/** Ways to stop calls. The last one comes between a call and its callback. */
const STOP_WAYS = [
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
type StopWay = (typeof STOP_WAYS)[number]

/** The lead type of these races demands a consent. A stop, a consent and a revocation are sent, each at its own time. */
export const OF_THREE = 'stop, consent and revocation'

/** A race is named after the way of its stop, or it has three parts. */
export const KINDS = [...STOP_WAYS, OF_THREE] as const
export type Kind = (typeof KINDS)[number]

/** Two of five races also send a consent and a revocation. */
const OF_FIVE = 5
const THREES = 2
/** One in ten of the others stops a lead whose call ends with a callback. */
const IN_THE_CALL = 10

/** Ways in which the parts of a race of three are sent. Flags are more frequent: only they can be lifted by a client. */
const WAYS = {
  stop: ['flag on the lead', 'flag on the lead', 'entry on the list', 'lead cancelled', 'bulk update'],
  consent: ['request', 'with a lead'],
  revocation: ['request', 'report of another call', 'text message'],
} as const
type Way<Part extends keyof typeof WAYS> = (typeof WAYS)[Part][number]

/** Milliseconds in which the parts of a race of three are sent. With 0, all of them are sent at the same instant. */
const SPREADS = [0, 0, 100, 300, 700, 1500] as const
/** Share of these races in which each part is sent once the one before it is done. So every order occurs on a slow machine too. */
const SEQUENCES = 0.4
export const PARTS = ['stop', 'consent', 'revocation'] as const
const STEPS = [...PARTS, 'dial'] as const
/** Longest time from the acknowledgements to the lift of a flag. Milliseconds. */
const FLAGGED = 500

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

/** The consent and the revocation of a race. Times are milliseconds from its start. */
interface Three {
  readonly consent: { readonly at: number; readonly way: Way<'consent'> }
  readonly revocation: { readonly at: number; readonly way: Way<'revocation'> }
  /** The order of the parts and of the dial, if each waits for the one before it. Null: each has its own time. */
  readonly sequence: readonly (typeof STEPS)[number][] | null
  /** Whether another consent is recorded before the race, so that the lead may be called from its start. */
  readonly isConsented: boolean
  /** Whether a client lifts the flags afterwards. Then only the records of consent can forbid a call. */
  readonly isLifted: boolean
}

/** One stop against one lead's call. Times are milliseconds from the start of the race. */
export interface Race {
  readonly index: number
  readonly kind: Kind
  /** How its stop is sent. */
  readonly way: StopWay
  /** Times of each copy of the dial message or, in a call, of the report that asks for a callback. None in a sequence. */
  readonly starts: readonly number[]
  readonly stop: number
  /** From the stop's acknowledgement to one more copy. */
  readonly late: number
  /** The other parts of a race of three. */
  readonly three: Three | null
  /** From the acknowledgement of a pause, or of a flag and a revocation, to its end. */
  readonly lifted: number
  /** Whether the other lead, or the list entry, belongs to the other owner of the group. */
  readonly isFellows: boolean
  readonly patch: Readonly<Record<string, unknown>>
  /** Whether the agent never accepts the call. The service then retries until the time limit or the stop. */
  readonly isFailing: boolean
  /** The condition that the lead's dial transaction lacks, or the demand that its lead type lacks. */
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

/** Kinds of races that go wrong without the condition, or without the demand. */
const PLANTED: Readonly<Record<Plant, readonly Kind[]>> = {
  phone: ['flag on the lead', 'flag on another lead of the phone', 'entry on the list', 'report of another call', 'consent revoked'],
  lines: ['pause of all', 'pause of the existing leads'],
  lead: ['lead cancelled'],
  demand: [OF_THREE],
}

/** Most stops meet the dial. The others come before the agent has answered, or before a retry. */
const stopAfter = (chance: Chance, kind: Kind, { retries, plant }: Plan): number => {
  const [least, most] = kind.startsWith('pause') ? PAUSES : STOPS
  if (plant || kind === 'cancelled in the call' || chance.happens(0.75)) return chance.between(least, most)
  return chance.happens(0.5) ? chance.between(most, ANSWERING) : chance.between(ANSWERING, retries)
}

const kindOf = (index: number, plant: Plant | null): Kind => {
  if (plant) return PLANTED[plant][index % PLANTED[plant].length]!
  if (index % OF_FIVE < THREES) return OF_THREE
  const place = Math.floor(index / OF_FIVE) * (OF_FIVE - THREES) + (index % OF_FIVE) - THREES
  if (place % IN_THE_CALL === IN_THE_CALL - 1) return 'cancelled in the call'
  return STOP_WAYS[(place - Math.floor(place / IN_THE_CALL)) % (STOP_WAYS.length - 1)]!
}

const oneOf = <T>(chance: Chance, list: readonly T[]): T => list[Math.floor(chance.between(0, list.length))]!

const shuffled = <T>(chance: Chance, list: readonly T[]): T[] =>
  list
    .map((one) => ({ one, place: chance.next() }))
    .toSorted((one, other) => one.place - other.place)
    .map(({ one }) => one)

/** The parts of a race of three, with the time and the way of its stop. */
const drawThree = (chance: Chance): { readonly three: Three; readonly stop: number; readonly way: StopWay } => {
  const spread = oneOf(chance, SPREADS)
  const around = chance.between(0, DIALS)
  const at = (): number => around + chance.between(0, spread)
  const way = oneOf(chance, WAYS.stop)
  const revocation = { at: at(), way: oneOf(chance, WAYS.revocation) }
  const three = {
    consent: { at: at(), way: oneOf(chance, WAYS.consent) },
    revocation,
    sequence: chance.happens(SEQUENCES) ? shuffled(chance, STEPS) : null,
    isConsented: chance.happens(0.5),
    isLifted: way === 'flag on the lead' && revocation.way !== 'request',
  }
  return { three, stop: at(), way }
}

export const planRaces = (races: number, plan: Plan): Race[] => {
  const { seed, retries, plant = null, index = 0 } = plan
  const chance = chanceFrom(seed)
  return Array.from({ length: races }, (_, place): Race => {
    const kind = kindOf(place, plant)
    const first = chance.between(0, DIALS)
    const copies = chance.happens(0.45) ? [chance.between(0, COPY)] : []
    const drawn = kind === OF_THREE ? drawThree(chance) : { three: null, stop: stopAfter(chance, kind, plan), way: kind }
    const { three, stop, way } = drawn
    return {
      index: index + place,
      kind,
      way,
      starts: three?.sequence ? [] : [first, ...copies.map((after) => first + after)],
      stop,
      three,
      late: chance.between(0, 3000),
      lifted: three ? chance.between(0, FLAGGED) : SHORTEST + chance.between(0, 0.35) * (retries - stop),
      isFellows: chance.happens(0.4),
      patch: way === 'bulk update' ? oneOf(chance, BULK_STOPS) : {},
      isFailing: stop > ANSWERING && chance.happens(0.6),
      plant,
    }
  })
}
