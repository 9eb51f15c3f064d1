import { callStatus } from '#shared/calling/rules/call-status.ts'
import type { Asked, Party } from './parties.ts'
import type { RoundEvidence } from './round-evidence.ts'

const HEAD = [
  ...['platform', 'kind', 'attempts', 'requests', 'dials', 'searches', 'found', 'taken over', 'polls', 'settled by poll'],
  ...['outcomes', 'refused', 'UNKNOWN'],
]
const WIDTHS = [11, 12, 10, 10, 7, 10, 7, 12, 7, 17, 10, 9, 8]
const row = (cells: readonly (string | number)[]): string => cells.map((cell, index) => `${cell}`.padEnd(WIDTHS[index] ?? 0)).join('')

/** What happened to the calls of each platform. `requests`: those that asked for a call. */
export const roundLines = (
  rounds: readonly RoundEvidence[],
  parties: ReadonlyMap<Party, Asked>,
  requests: (party: Party) => number,
): string[] => [
  row(HEAD),
  ...[...parties].map(([party, { searches, found, polls, told }]) => {
    const calls = rounds.flatMap(({ leads }) => leads.filter((lead) => lead.party === party).flatMap((lead) => lead.calls))
    const dials = rounds.flatMap(({ dialled }) => dialled.filter((call) => call.party === party)).length
    const takenOver = calls.filter(({ accepted_time, asked_time }) => accepted_time !== null && accepted_time > (asked_time ?? 0))
    const count = (status: ReturnType<typeof callStatus>) => calls.filter((call) => callStatus(call) === status).length
    const outcomes = calls.filter(({ reported_outcome }) => reported_outcome !== null).length
    return row([
      ...[party.platform.name, party.kind, calls.length, requests(party), dials, searches, found, takenOver.length, polls, told],
      ...[outcomes, count('FAILED'), count('UNKNOWN')],
    ])
  }),
]
