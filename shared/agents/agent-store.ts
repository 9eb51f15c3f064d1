import * as v from 'valibot'
import { Agent } from '../accounts/configuration.ts'
import { markBack } from '../backlog/held-store.ts'
import { now } from '../platform/clock.ts'
import { agentKey } from '../platform/keys.ts'
import { cached } from '../platform/table/cached.ts'
import { deleteItem, getItem, putItem } from '../platform/table/table.ts'
import { transact } from '../platform/table/transactions.ts'

const CACHE_SECONDS = 10

/** As it is at this moment. Strongly consistent. */
export const readAgent = (id: string): Promise<Agent | undefined> => getItem(Agent, agentKey(id))

export const getAgent = cached(CACHE_SECONDS, readAgent)

/** Nobody is called for it any more, and nothing is taken from it. @returns whether there was one */
export const deleteAgent = (id: string): Promise<boolean> => deleteItem(agentKey(id))

/** As `saveAgent`, unless there is one by then. @returns whether there was none */
export const makeAgent = async (agent: Agent): Promise<boolean> => {
  const put = { ...agentKey(agent.id), ...agent }
  return (await transact([{ put, condition: 'attribute_not_exists(pk)' }, markBack(agent.id, now())])).committed
}

/** Leads that were held because it was not there are sent on by the sweep. */
export const saveAgent = async (agent: Agent): Promise<void> => {
  const item = { ...agentKey(agent.id), ...agent }
  if (await getItem(v.unknown(), agentKey(agent.id))) return putItem(item)
  const { committed } = await transact([{ put: item }, markBack(agent.id, now())])
  if (!committed) throw new Error(`Agent ${agent.id} is being saved by somebody else.`)
}
