import type { Outcome } from './findings.ts'
import { OF_THREE, PARTS } from './plan.ts'
import type { Stopped } from './race.ts'

/** The orders in which a stop, a consent and a revocation are acknowledged, and the place of the dial among them. */

type Parts = NonNullable<Stopped['parts']>
type Part = keyof Parts

const ORDERS = PARTS.flatMap((first) =>
  PARTS.flatMap((second) => PARTS.flatMap((third) => (new Set([first, second, third]).size === 3 ? [[first, second, third]] : []))),
)

const nameOf = (order: readonly Part[]): string => order.join(', ')

/** A race of three, by acknowledgements. */
interface Placed {
  readonly order: string
  /** Parts that were acknowledged before the intent of the first call was written; null without a call. */
  readonly dialled: number | null
  /** Whether each part was sent before any of them was acknowledged. */
  readonly isAtOnce: boolean
  readonly isLifted: boolean
  /** Whether an intent was written after the lift. */
  readonly isCalledThen: boolean
}

const placedOf = ({ parts, dials, lifted }: Outcome): Placed[] => {
  if (!parts) return []
  const times = PARTS.map((part) => parts[part].acknowledged)
  const written = dials.flatMap(({ result, answered }) => (result === 'committed' ? [answered] : []))
  const first = Math.min(...written)
  return [
    {
      order: nameOf(PARTS.toSorted((one, other) => parts[one].acknowledged - parts[other].acknowledged)),
      dialled: written.length === 0 ? null : times.filter((time) => time < first).length,
      isAtOnce: Math.max(...PARTS.map((part) => parts[part].asked)) < Math.min(...times),
      isLifted: lifted !== null,
      isCalledThen: lifted !== null && written.some((time) => time > lifted),
    },
  ]
}

const COLUMNS: readonly (readonly [string, (placed: Placed) => boolean])[] = [
  ['races', () => true],
  ['at once', ({ isAtOnce }) => isAtOnce],
  ['dial 1st', ({ dialled }) => dialled === 0],
  ['2nd', ({ dialled }) => dialled === 1],
  ['3rd', ({ dialled }) => dialled === 2],
  ['last', ({ dialled }) => dialled === 3],
  ['no dial', ({ dialled }) => dialled === null],
  ['lifted', ({ isLifted }) => isLifted],
  ['dial then', ({ isCalledThen }) => isCalledThen],
]

const row = (name: string, cells: readonly (string | number)[]): string =>
  `${name.padEnd(36)}${cells.map((cell) => `${cell}`.padStart(10)).join('')}`

/** Lines of the report: how often each order occurred, and where the dial came. The last two columns: flags that were lifted afterwards. */
export const orderLines = (outcomes: readonly Outcome[]): string[] => {
  const placed = outcomes.flatMap(placedOf)
  const lineOf = (name: string, some: readonly Placed[]) =>
    row(
      name,
      COLUMNS.map(([, is]) => some.filter(is).length),
    )
  return [
    row(
      'acknowledged in this order',
      COLUMNS.map(([head]) => head),
    ),
    ...ORDERS.map(nameOf).map((name) =>
      lineOf(
        name,
        placed.filter(({ order }) => order === name),
      ),
    ),
    lineOf('all', placed),
  ]
}

/** From this many races of three on, every order must have occurred, and all three at once. */
const ENOUGH = 200

/** Orders that never occurred, so that the races prove nothing about them. */
export const missingOrders = (outcomes: readonly Outcome[]): string[] => {
  const placed = outcomes.flatMap(placedOf)
  if (placed.length < ENOUGH) return []
  const missing = ORDERS.map(nameOf).filter((name) => !placed.some(({ order }) => order === name))
  return [
    ...missing.map((name) => `${OF_THREE}: the order ${name} never occurred, which shows nothing`),
    ...(placed.some(({ isAtOnce }) => isAtOnce) ? [] : [`${OF_THREE}: they were never sent at once, which shows nothing`]),
    ...(placed.some(({ isCalledThen }) => isCalledThen) ? [] : [`${OF_THREE}: no lift led to a call, which shows nothing`]),
  ]
}
