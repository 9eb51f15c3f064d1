import { createHmac } from 'node:crypto'
import { isSameText } from '../platform/same-text.ts'

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
