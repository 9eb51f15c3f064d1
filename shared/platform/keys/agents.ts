import { type Key, keyPart } from './key.ts'

export const agentKey = (agent: string): Key => ({ pk: `AGENT#${agent}`, sk: 'AGENT' })
/** How well an agent has been answering. */
export const breakerKey = (agent: string): Key => ({ pk: `AGENT#${agent}`, sk: 'BREAKER' })

/** @throws Error when the key is not an agent's. */
export const parseAgentPk = (pk: string): string => keyPart(pk, /^AGENT#(.+)$/, 'an agent')
