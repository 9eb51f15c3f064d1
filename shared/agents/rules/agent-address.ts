import type { Agent } from '../../accounts/configuration.ts'
import type { Call } from '../../calling/call.ts'

/**
 * The settings that name an account. On a platform without any of them, only the secrets show the account. There a new secret looks like
 * another account. That costs little: for a call in progress, an answer that the call is not known counts as no answer.
 */
const ACCOUNT_SETTINGS = ['account_sid', 'connection_id', 'region', 'instance_id']

/** Calls need only a part of a hash: they become smaller. */
const HASH_LENGTH = 8

/** Where an agent is asked, which each call keeps: its URL, or on a platform the account and the URL of the API. */
export const addressOf = ({ url, platform }: Pick<Agent, 'url' | 'platform'>): string => {
  if (!platform) return url
  const named = ACCOUNT_SETTINGS.flatMap((name) => platform.settings[name] ?? [])
  const account = named.length > 0 ? named : [platform.credentials_hash.slice(0, HASH_LENGTH)]
  // The account comes first, so that the text cannot be read as a URL.
  return [...account, url].join(' ')
}

/**
 * The agent at the address that placed a call. In our own protocol, a request contains no secret, only a signature, so it may go to a former
 * address. A request to a platform contains the API key, which must not go to another address.
 */
export const agentOfCall = (agent: Agent, { agent_address: address }: Pick<Call, 'agent_address'>): Agent =>
  address === null || agent.platform || !URL.canParse(address) ? agent : { ...agent, url: address }

/** Whether an agent is on another account than a call, or at another address. Such an agent does not know the call. */
export const isElsewhere = (agent: Agent, { agent_address: address }: Pick<Call, 'agent_address'>): boolean =>
  address !== null && addressOf(agent) !== address
