import { bound, type Finding, told } from './finding.ts'
import type { Journal } from './journal.ts'
import { mostAtOnce, spreadOf, timeInCalls } from './measure.ts'
import type { Plan } from './plan.ts'

/** Percent of the starts a second that the lines allow, by which the starts may stay below. */
const SHORTFALL = 10
const SECOND = 1000

const instants = (list: readonly { readonly instant: number }[]): number[] => list.map(({ instant }) => instant)

/** Whether an owner's lines are used for all the calls that they allow, while leads wait for them. */
export const steadyFindings = (plan: Plan & { readonly steady: NonNullable<Plan['steady']> }, journal: Journal): Finding[] => {
  const { from, ideal } = plan.steady
  const lines = plan.linesOf(1)
  const [asked, ended] = [instants(journal.asked), instants(journal.ended)]
  const until = asked.length < plan.leads.length ? plan.end : (asked.at(-1) ?? plan.end)
  const seconds = (until - from) / SECOND
  const counts = Array.from({ length: Math.max(1, Math.floor(seconds)) }, () => 0)
  for (const instant of asked) {
    const second = Math.floor((instant - from) / SECOND)
    if (second >= 0 && second < counts.length) counts[second] = (counts[second] ?? 0) + 1
  }
  const { min, p50, max } = spreadOf(counts)
  const use = timeInCalls(asked, ended, { from, until }) / (lines * (until - from))
  return [
    bound('lines in use, at most', mostAtOnce(asked, ended), '', lines),
    told('seconds that were counted', seconds, ''),
    told('starts a second that the lines allow', ideal, ''),
    told('starts that were counted, a second', counts.reduce((sum, count) => sum + count, 0) / counts.length, ''),
    told('starts in a second, least', min, ''),
    told('starts in a second, p50', p50, ''),
    told('starts in a second, most', max, ''),
    // Calls may start in waves. A part of a wave would change a count, but hardly changes the use.
    told('starts a second by the use of the lines', ideal * use, ''),
    bound('lines that were idle while leads waited', 100 * (1 - use), '%', SHORTFALL),
  ]
}
