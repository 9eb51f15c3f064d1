import { Agent } from '../schema/configuration.ts'
import { cached } from './cached.ts'
import { agentKey } from './keys.ts'
import { getItem, putItem } from './table.ts'

const CACHE_SECONDS = 10

export const getAgent = cached(CACHE_SECONDS, (id: string): Promise<Agent | undefined> => getItem(Agent, agentKey(id)))

export const saveAgent = (agent: Agent): Promise<void> => putItem({ ...agentKey(agent.id), ...agent })
