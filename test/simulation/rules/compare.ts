import { attemptCapAt, hoursAt } from '#shared/calling/rules/calling-hours.ts'
import { type Hours, mayStart, nextStart } from '#shared/calling/rules/hours/hours.ts'
import { DAY } from '#shared/platform/values/durations.ts'
import { CODES, POLICY, placeAt } from '../../unit/rules/fixtures/calling-data.ts'
import { changesOfRules } from '../../unit/rules/fixtures/changes.ts'
import { isLawful, lowestCap, type Question } from '../../unit/rules/fixtures/slow-reference.ts'
import { ODD_ZONES, US_ZONES } from '../../unit/rules/fixtures/zones.ts'
import { type Chance, chanceFrom } from '../lateness/chance.ts'

export const MOST_FAULTS = 20

const ZONES = [...US_ZONES, ...US_ZONES, ...ODD_ZONES]
const [FIRST, LAST] = [Date.UTC(2019, 0), Date.UTC(2031, 0)]

const pick = <Item>(all: readonly Item[], chance: Chance): Item => all[Math.floor(chance.next() * all.length)]!

const changes = changesOfRules()

interface Drawn {
  readonly question: Question
  readonly at: number
}

/** Half of the instants are within ten days of a change, in the place that it is about. */
const draw = (chance: Chance): Drawn => {
  const change = chance.happens(0.5) ? pick(changes, chance) : undefined
  const zones = [change ? pick(change.zones, chance) : pick(ZONES, chance), ...(chance.happens(0.3) ? [pick(ZONES, chance)] : [])]
  const codes = [change ? change.code : pick(CODES, chance), ...(chance.happens(0.3) ? [pick(CODES, chance)] : [])]
  const at = change ? Date.parse(change.from) + chance.between(-10 * DAY, 10 * DAY) : chance.between(FIRST, LAST)
  return { question: { zones: [...new Set(zones)], codes: [...new Set(codes)], account: null }, at: Math.floor(at) }
}

type Decide = (hours: readonly Hours[], at: number) => boolean

const textOf = ({ question: { zones, codes }, at }: Drawn): string => `${codes} in ${zones} at ${new Date(at).toISOString()}`

export interface Comparison {
  /** The first ones. */
  readonly faults: readonly string[]
  /** Number of instants at which a call may start. */
  readonly lawful: number
  readonly planned: number
}

/** @param decide whether a call may start, by default as the service does. Tests plant a defect. */
export const compareMany = (instants: number, seed: number, decide: Decide = mayStart): Comparison => {
  const chance = chanceFrom(seed)
  const faults: string[] = []
  const note = (drawn: Drawn, fault: string): void => {
    if (faults.length < MOST_FAULTS) faults.push(`${textOf(drawn)}: ${fault}`)
  }
  let [lawful, planned] = [0, 0]
  for (let index = 0; index < instants; index++) {
    const drawn = draw(chance)
    const { question, at } = drawn
    const hours = hoursAt(placeAt(question.zones, question.codes), POLICY)
    const said = decide(hours, at)
    if (said) lawful++
    if (said !== isLawful(question, at)) note(drawn, `the service says ${said}`)
    const cap = attemptCapAt(hours, at)?.max ?? null
    if (cap !== lowestCap(question, at)) note(drawn, `the service says a cap of ${cap}`)
    const next = said ? null : nextStart(hours, at)
    if (next === null) continue
    planned++
    if (!isLawful(question, next)) note(drawn, `${new Date(next).toISOString()} is planned, and not lawful`)
    if (isLawful(question, next - 1)) note(drawn, `${new Date(next).toISOString()} is planned, but the time before it is lawful`)
  }
  return { faults, lawful, planned }
}
