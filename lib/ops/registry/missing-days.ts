import { dayOf } from '#shared/platform/values/day.ts'
import { DAY } from '#shared/platform/values/durations.ts'
import type { Registry } from '#shared/registries/registry.ts'
import { dayNumber, type Hashed } from './read-files.ts'

const FULL_LIST_INSTEAD = 'If changes between are missing, import the full list. If no number changed between'

/** The most gaps that a message names. */
const MOST_NAMED = 10

const dayText = (day: number): string => dayOf(day * DAY)

const gapText = (from: number, to: number): string => (from === to ? dayText(from) : `${dayText(from)} to ${dayText(to)}`)

/** The days without a change between two days with one, as texts. @param days sorted */
const gapsBetween = (days: readonly number[]): string[] =>
  days.slice(1).flatMap((day, at) => {
    const before = days[at] ?? day
    return day > before + 1 ? [gapText(before + 1, day - 1)] : []
  })

/**
 * The days without a change between the day of the list and the new day: probably, a file was forgotten. Undefined when there are none. The
 * text is the beginning of a sentence that ends with what confirms that no change is missing.
 */
export const missingDaysText = ({ days }: Pick<Hashed, 'days'>, asOf: string, { list, as_of }: Registry): string | undefined => {
  const [earliest] = days
  const latest = days.at(-1)
  if (earliest === undefined || latest === undefined) {
    return `The files hold no change, but the list ${list} is as of ${as_of}. ${FULL_LIST_INSTEAD}`
  }
  const [from, to] = [dayNumber(as_of), dayNumber(asOf)]
  if (earliest > from + 1) {
    return `The earliest change is of ${dayText(earliest)}, but the list ${list} is as of ${as_of}. ${FULL_LIST_INSTEAD}`
  }
  if (latest < to - 1) return `The latest change is of ${dayText(latest)}, but --as-of is ${asOf}. ${FULL_LIST_INSTEAD}`
  const gaps = gapsBetween([from, ...days.filter((day) => day > from)])
  if (gaps.length === 0) return undefined
  const named = gaps.length > MOST_NAMED ? [...gaps.slice(0, MOST_NAMED), 'and further days'] : gaps
  return `The files hold no change of ${named.join(', ')}. If a file of these days is missing, name the files of all days in one command, or import the full list. If no number changed on these days`
}
