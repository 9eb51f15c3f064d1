import { createHmac } from 'node:crypto'
import type { Agent } from '../accounts/configuration.ts'
import { now } from '../platform/clock.ts'
import { isSameText } from '../platform/same-text.ts'
import type { Connection, PlatformCallback } from './platforms/adapter.ts'
import { type Connected, connect } from './voice-agent.ts'

/** The requests that platforms send: callbacks about calls, and those of an assistant to its tools. */

/** Prefix of every token, so that secret scanners find a leaked one. */
const PREFIX = 'lot_'

/**
 * The token with which a platform calls the tools of one agent. It is derived from a secret of the agent's account. So it need not be
 * stored, and does not reveal the secret. A new API key gives a new token.
 */
const toolToken = (agent: string, secret: string): string =>
  `${PREFIX}${createHmac('sha256', secret).update(`tools of the voice agent ${agent}`).digest('base64url')}`

/** The header `Authorization` of a request to a tool. */
export const toolAuthorization = (agent: string, secret: string): string => `Bearer ${toolToken(agent, secret)}`

/** Whether a header contains the agent's token. Without a secret, no header does. */
export const isToolAuthorization = (agent: string, secret: string, header: string | undefined): boolean =>
  secret !== '' && header !== undefined && isSameText(header, toolAuthorization(agent, secret))

/** The secret that an agent's token is derived from. */
export const tokenSecretOf = ({ apiKey, callbackSecret }: Connection): string => apiKey || (callbackSecret ?? '')

/** The agent as it was before its secrets changed, while calls from before may go on: a stop in such a call must not be lost. */
const formerAgent = ({ platform, ...agent }: Agent): Agent | undefined => {
  const former = platform?.former
  return former && former.until > now() ? { ...agent, platform: { ...platform, credentials: former.credentials } } : undefined
}

const isKnown = async (agent: Agent, isBy: (connected: Connected) => boolean): Promise<boolean> => {
  const connected = await connect(agent)
  if ('adapter' in connected && isBy(connected)) return true
  const former = formerAgent(agent)
  const before = former && (await connect(former))
  return before !== undefined && 'adapter' in before && isBy(before)
}

/** Whether the agent or its platform sent a callback recently. */
export const isFromAgent = (agent: Agent, callback: PlatformCallback): Promise<boolean> =>
  isKnown(agent, ({ adapter, connection }) => adapter.verify(connection, callback))

/** Whether the platform of an agent sent a request to one of its tools: by its signature, or by our token. */
export const isToolRequest = (agent: Agent, request: PlatformCallback): Promise<boolean> =>
  isKnown(agent, ({ adapter, connection }) => {
    if (adapter.tools?.by === 'signed') return adapter.verify(connection, request)
    return adapter.tools?.by === 'token' && isToolAuthorization(agent.id, tokenSecretOf(connection), request.headers['authorization'])
  })
