import { agentsToLookAt } from '../backlog/marks.ts'
import { isSetting } from '../backlog/rules/holders.ts'
import { now } from '../platform/clock.ts'
import { inLanes } from '../platform/lanes.ts'
import { DAY } from '../platform/values/durations.ts'
import { getBreaker } from './breaker-store.ts'
import type { Breaker } from './rules/breaker.ts'

/** Most agents and changed settings that are looked at. */
const MOST_READ = 2000
const LANES = 10

export interface AgentDown extends Pick<Breaker, 'open_until' | 'opened_time' | 'reason'> {
  readonly agent: string
}

/** The agents that get no calls at this moment, those that are tried again first. */
export const agentsDown = async (): Promise<AgentDown[]> => {
  const at = now()
  const marked = (await agentsToLookAt(at + DAY, MOST_READ)).filter(({ agent }) => !isSetting(agent))
  const read = await inLanes(LANES, marked, async ({ agent }) => ({ agent, ...(await getBreaker(agent)) }))
  return read.filter(({ open_until }) => open_until > at)
}
