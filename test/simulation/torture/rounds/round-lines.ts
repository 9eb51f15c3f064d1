import { callStatus } from '#shared/calling/rules/call-status.ts'
import type { Asked, Party } from './parties.ts'
import type { RoundEvidence } from './round-evidence.ts'

const HEAD = [
  ...['platform', 'kind', 'attempts', 'requests', 'dials', 'searches', 'found', 'taken over', 'polls', 'settled by poll'],
  ...['outcomes', 'refused', 'UNKNOWN'],
]
const WIDTHS = [11, 12, 10, 10, 7, 10, 7, 12, 7, 17, 10, 9, 8]
const row = (cells: readonly (string | number)[]): string => cells.map((cell, index) => `${cell}`.padEnd(WIDTHS[index] ?? 0)).join('')

type Counts = readonly number[]

const countsOf = (rounds: readonly RoundEvidence[], party: Party, { searches, found, polls, told }: Asked, requests: number): Counts => {
  const calls = rounds.flatMap(({ leads }) => leads.filter((lead) => lead.party === party).flatMap((lead) => lead.calls))
  const dials = rounds.flatMap(({ dialled }) => dialled.filter((call) => call.party === party)).length
  const takenOver = calls.filter(({ accepted_time, asked_time }) => accepted_time !== null && accepted_time > (asked_time ?? 0))
  const count = (status: ReturnType<typeof callStatus>) => calls.filter((call) => callStatus(call) === status).length
  const outcomes = calls.filter(({ reported_outcome }) => reported_outcome !== null).length
  return [
    ...[calls.length, requests, dials, searches, found, takenOver.length, polls, told],
    ...[outcomes, count('FAILED'), count('UNKNOWN')],
  ]
}

const sum = (all: readonly Counts[]): Counts =>
  (all[0] ?? []).map((_, place) => all.reduce((total, counts) => total + (counts[place] ?? 0), 0))

/**
 * The fates of the calls of each platform, and of all platforms with the same kind of repeats.
 * @param requests how often a platform was asked for a call
 */
export const roundLines = (
  rounds: readonly RoundEvidence[],
  parties: ReadonlyMap<Party, Asked>,
  requests: (party: Party) => number,
): string[] => {
  const counted = [...parties].map(([party, asked]) => ({ party, counts: countsOf(rounds, party, asked, requests(party)) }))
  const kinds = Map.groupBy(counted, ({ party }) => party.kind)
  return [
    row(HEAD),
    ...counted.map(({ party, counts }) => row([party.platform.name, party.kind, ...counts])),
    ...[...kinds].map(([kind, all]) => row(['all', kind, ...sum(all.map(({ counts }) => counts))])),
    '"taken over": accepted by a later request or a look-up than the first request. A found call may be found more than once.',
  ]
}
