import { spreadOf } from '../lateness/measure.ts'
import { askedAgain, cancelled, lastRequestAfter, type Outcome, wayOf } from './findings.ts'
import { KINDS } from './plan.ts'

/** Dials that passed every gate, but whose transaction failed because something had changed since. */
const turnedAway = ({ dials }: Outcome): number => dials.filter(({ result }) => result === 'condition').length

const row = (name: string, outcomes: readonly Outcome[]): string => {
  const count = (is: (outcome: Outcome) => boolean) => outcomes.filter(is).length
  const late = spreadOf(outcomes.flatMap((outcome) => lastRequestAfter(outcome) ?? []))
  const cells = [
    outcomes.length,
    count((outcome) => wayOf(outcome) === 'stop'),
    count((outcome) => wayOf(outcome) === 'dial'),
    outcomes.reduce((sum, outcome) => sum + turnedAway(outcome), 0),
    outcomes.reduce((sum, outcome) => sum + cancelled(outcome).size, 0),
    late.count,
    Math.round(late.p50),
    Math.round(late.max),
  ]
  return `${name.padEnd(36)}${cells.map((cell) => `${cell}`.padStart(9)).join('')}`
}

const HEAD = ['races', 'stop 1st', 'dial 1st', 'refused', 'cancels', 'late', 'p50 ms', 'worst ms']

/** Lines of the report: which order won in the races, and other measurements. */
export const linesOf = (outcomes: readonly Outcome[]): string[] => {
  const dials = outcomes.flatMap(({ requests }) => requests.filter(({ kind }) => kind === 'dial'))
  const calls = new Set(dials.map(({ callId }) => callId)).size
  const late = outcomes.map((outcome) => lastRequestAfter(outcome) ?? 0)
  const again = Math.max(0, ...outcomes.flatMap(askedAgain).map(({ after }) => after))
  const spare = Math.min(...dials.map(({ time, notAfter }) => notAfter - time))
  return [
    `${''.padEnd(36)}${HEAD.map((cell) => cell.padStart(9)).join('')}`,
    ...KINDS.map((kind) =>
      row(
        kind,
        outcomes.filter(({ subject: { race } }) => race.kind === kind),
      ),
    ),
    row('all', outcomes),
    `calls the agent was asked for: ${calls}, requests: ${dials.length}, of which again: ${dials.length - calls}`,
    `calls it was asked to cancel: ${outcomes.reduce((sum, outcome) => sum + cancelled(outcome).size, 0)}`,
    `longest from an acknowledgement to the last request for a call: ${Math.round(Math.max(0, ...late))} ms`,
    `longest from an acceptance to another request for the same call: ${Math.round(again)} ms`,
    `least time between a request and its not_after: ${Math.round(spare)} ms`,
    `stops that were asked for more than once: ${outcomes.filter(({ tries }) => tries > 1).length}`,
  ]
}
