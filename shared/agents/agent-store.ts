import * as v from 'valibot'
import { Agent } from '../accounts/configuration.ts'
import { namesOfKind } from '../accounts/names.ts'
import { markBack } from '../backlog/marks.ts'
import { now } from '../platform/clock.ts'
import { agentKey } from '../platform/keys.ts'
import { inLanes } from '../platform/lanes.ts'
import { cached } from '../platform/table/cached.ts'
import { deleteItem, getItem, putItem } from '../platform/table/table.ts'
import { transact } from '../platform/table/transactions.ts'

/** Reads the agent strongly consistent, and never from a cache. */
export const readAgent = (id: string): Promise<Agent | undefined> => getItem(Agent, agentKey(id))

export const getAgent = cached(readAgent)

/** Parallel reads. */
const WIDTH = 20

/** The agents that the operator has set up on a platform. Strongly consistent, never cached. */
export const agentsOn = async (platform: string): Promise<Agent[]> => {
  const agents = await inLanes(WIDTH, await namesOfKind('AGENT'), ({ id }) => readAgent(`${id}`))
  return agents.filter((agent) => agent !== undefined).filter((agent) => agent.platform?.name === platform)
}

/** Stops all calls and all reports of the agent. @returns whether the agent existed */
export const deleteAgent = (id: string): Promise<boolean> => deleteItem(agentKey(id))

/** As `saveAgent`, but only when the agent does not exist yet. @returns whether it was created */
export const makeAgent = async (agent: Agent): Promise<boolean> => {
  const put = { ...agentKey(agent.id), ...agent }
  return (await transact([{ put, condition: 'attribute_not_exists(pk)' }, markBack(agent.id, now())])).committed
}

/** Marks a new agent, so that the sweep releases leads that were held because the agent did not exist. */
export const saveAgent = async (agent: Agent): Promise<void> => {
  const item = { ...agentKey(agent.id), ...agent }
  if (await getItem(v.unknown(), agentKey(agent.id))) return putItem(item)
  const { committed } = await transact([{ put: item }, markBack(agent.id, now())])
  if (!committed) throw new Error(`Agent ${agent.id} is being saved by another writer.`)
}
