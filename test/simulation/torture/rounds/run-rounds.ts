import { DAY, MINUTE } from '#shared/platform/values/durations.ts'
import { setClock } from '#test/support/clock.ts'
import { NOON } from '#test/support/samples.ts'
import { chanceFrom } from '../../lateness/chance.ts'
import { startLimits } from '../../limits/start-limits.ts'
import { startCallWorld } from '../../platforms/call-world.ts'
import type { RoundDefect } from './defects.ts'
import { lineUp } from './line-up.ts'
import { type Party, registerParties } from './parties.ts'
import { playRound, type RoundPace } from './play-round.ts'
import { type RoundEvidence, readRound } from './round-evidence.ts'
import { roundFaults } from './round-findings.ts'
import { roundLines } from './round-lines.ts'

export interface RoundsPlan {
  readonly rounds: number
  /** Leads of each platform in a round. */
  readonly each: number
  readonly seed: number
  readonly pace: RoundPace
  /** A defect in the service that the checks must find. */
  readonly defect: RoundDefect | null
}

/** Pace of the short form. */
export const HURRIED: RoundPace = { bad: 20 * MINUTE, sweeps: [2 * MINUTE, 10 * MINUTE] }
export const UNHURRIED: RoundPace = { bad: 75 * MINUTE, sweeps: [MINUTE, 5 * MINUTE] }

const WEEK = 7 * DAY

/** Rounds of calls on platforms of every kind, side by side, while requests, callbacks, messages and functions fail. */
export const runRounds = async (
  { rounds, each, seed, pace, defect }: RoundsPlan,
  print: (line: string) => void,
): Promise<{ readonly faults: readonly string[]; readonly lines: readonly string[] }> => {
  const limits = await startLimits()
  const world = await startCallWorld()
  try {
    const parties = registerParties(defect)
    const evidence: RoundEvidence[] = []
    const faults: string[] = []
    const requests = new Map<Party, number>()
    for (let round = 0; round < rounds; round++) {
      setClock(NOON + round * WEEK)
      const line = await lineUp(world, [...parties.keys()], { round, each })
      const played = await playRound(world, line, chanceFrom(seed + round), pace)
      const found = await readRound(played, new Set([...parties.values()].flatMap(({ searched }) => [...searched])))
      evidence.push(found)
      for (const [party, { emulator }] of line.agents) {
        const dials = emulator.seen.filter((request) => party.platform.kindOf(request) === 'dial').length
        requests.set(party, (requests.get(party) ?? 0) + dials)
      }
      const wrong = roundFaults(found)
      faults.push(...wrong.map((fault) => `round ${round + 1}: ${fault}`))
      const { died, lost, doubled } = played.counts
      print(
        `round ${round + 1}: ${found.leads.length} leads, ${found.dialled.length} calls, ${lost} callbacks lost, ${doubled} runs doubled, ${died} died, ${wrong.length} faults`,
      )
      for (const fault of wrong) print(`  ${fault}`)
      // Otherwise the next round would call them too.
      for (const { id } of line.leads) await world.patchLead(id, { status: 'CANCELLED' }, line.key)
      world.queue.clear()
      await world.closeAgents()
    }
    const lines = roundLines(evidence, parties, (party) => requests.get(party) ?? 0)
    return { faults: [...faults, ...limits.report((line) => lines.push(line))], lines }
  } finally {
    await world.stop()
    await limits.stop()
  }
}
