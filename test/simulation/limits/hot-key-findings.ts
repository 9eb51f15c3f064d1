import { bound, type Finding, findingLine, isBroken, told } from '../lateness/finding.ts'
import type { KeyLoads, Peak } from './key-loads.ts'

/** Load on the table in a run. Fit for JSON. */
export interface SeenLoads {
  readonly peaks: readonly Peak[]
  /** Requests that were throttled. */
  readonly throttled: number
  /** All units that passed the limits. */
  readonly units: number
}

export const seenLoads = ({ peaks, throttled, units }: KeyLoads): SeenLoads => ({
  units: units.read + units.write,
  peaks: peaks(),
  throttled: [...throttled.values()].reduce((sum, count) => sum + count, 0),
})

/** Percent of its limit that a key may take. */
export const HOT = 50
/** The busiest keys to print. */
const HOTTEST = 6

/** Findings on several runs, each with its own table. The peak of a key is the highest of all runs. */
export const hotKeyFindings = (runs: readonly SeenLoads[]): Finding[] => {
  const peaks = runs.flatMap((run) => run.peaks).toSorted((one, other) => other.share - one.share)
  const [...keys] = Map.groupBy(peaks, ({ kind, partition }) => `hottest key, ${kind}: ${partition}`)
  return [
    ...keys.slice(0, HOTTEST).map(([what, [peak]]) => bound(what, 100 * (peak?.share ?? 0), '% of its limit', HOT)),
    ...(keys.length === 0 ? [bound('hottest key: every key takes less than', 1, '% of its limit', HOT)] : []),
    bound('runs without limits', runs.filter(({ units }) => units === 0).length, 'runs', 0),
    told(
      'requests that were throttled',
      runs.reduce((sum, { throttled }) => sum + throttled, 0),
      '',
    ),
  ]
}

/** Prints the hottest keys as shares of their limits. @returns what is wrong: keys that are too hot, and runs that were not limited */
export const reportHotKeys = (runs: readonly SeenLoads[], print: (line: string) => void): string[] => {
  const findings = hotKeyFindings(runs)
  for (const finding of findings) print(findingLine(finding))
  return findings.filter(isBroken).map(({ what, value, unit, most }) => `${what}: ${Math.round(value)} ${unit}, at most ${most}`)
}
