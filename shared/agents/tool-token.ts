import { createHmac } from 'node:crypto'
import { isSameText } from '../platform/same-text.ts'

/** Prefix of every token, so that secret scanners find a leaked one. */
const PREFIX = 'lot_'

/**
 * The token with which a platform calls the tools of one agent. It is derived from a secret of the agent's account, so nothing more is
 * stored, and it does not reveal the secret. Another API key makes another token.
 */
const toolToken = (agent: string, secret: string): string =>
  `${PREFIX}${createHmac('sha256', secret).update(`tools of the voice agent ${agent}`).digest('base64url')}`

/** The header `Authorization` of a request to a tool. */
export const toolAuthorization = (agent: string, secret: string): string => `Bearer ${toolToken(agent, secret)}`

/** Whether a header has the agent's token. Without a secret, no header has. */
export const isToolAuthorization = (agent: string, secret: string, header: string | undefined): boolean =>
  secret !== '' && header !== undefined && isSameText(header, toolAuthorization(agent, secret))
