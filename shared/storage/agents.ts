import * as v from 'valibot'
import { now } from '../adapters/clock.ts'
import { Agent } from '../schema/configuration.ts'
import { cached } from './cached.ts'
import { markBack } from './held.ts'
import { agentKey } from './keys.ts'
import { getItem, putItem } from './table.ts'
import { transact } from './transactions.ts'

const CACHE_SECONDS = 10

export const getAgent = cached(CACHE_SECONDS, (id: string): Promise<Agent | undefined> => getItem(Agent, agentKey(id)))

/** Leads that were held because it was not there are sent on by the sweep. */
export const saveAgent = async (agent: Agent): Promise<void> => {
  const item = { ...agentKey(agent.id), ...agent }
  if (await getItem(v.unknown(), agentKey(agent.id))) return putItem(item)
  const { committed } = await transact([{ put: item }, markBack(agent.id, now())])
  if (!committed) throw new Error(`Agent ${agent.id} is being saved by somebody else.`)
}
