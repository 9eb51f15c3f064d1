import { type Key, keyPart } from './key.ts'

export const userKey = (user: number): Key => ({ pk: `USER#${user}`, sk: 'USER' })
export const apiKeyKey = (sha256: string): Key => ({ pk: `KEY#${sha256}`, sk: 'KEY' })
/** A user's API keys, found by the beginning of their hashes. */
export const API_KEY_PREFIX = 'APIKEY#'
export const ownedApiKeyKey = (user: number, sha256: string): Key => ({ pk: `USER#${user}`, sk: `${API_KEY_PREFIX}${sha256}` })
export const LEAD_TYPE_PREFIX = 'LEADTYPE#'
export const leadTypeKey = (owner: number, leadType: number): Key => ({ pk: `USER#${owner}`, sk: `LEADTYPE#${leadType}` })
/** The lead type whose agent takes calls to a number. */
export const inboundNumberKey = (number: string): Key => ({ pk: `INBOUND#${number}`, sk: 'INBOUND' })
export const SUBSCRIPTION_PREFIX = 'WEBHOOK#'
export const subscriptionKey = (owner: number, subscription: number): Key => ({ pk: `USER#${owner}`, sk: `WEBHOOK#${subscription}` })
/**
 * Prefix of the items that are read together with an owner's subscriptions: these, and the erased leads, whose events are no longer sent.
 */
export const SUBSCRIPTIONS_PREFIX = 'WEBHOOK'
/** The version of an owner's subscriptions and erased leads. */
export const listenersVersionKey = (owner: number): Key => ({ pk: `USER#${owner}`, sk: 'LISTENERS' })
/** @param day as YYYY-MM-DD */
export const erasedLeadsKey = (owner: number, day: string): Key => ({ pk: `USER#${owner}`, sk: `WEBHOOKS-ERASED#${day}` })
/** A source of uploaded files. */
export const sourceKey = (owner: number, name: string): Key => ({ pk: `USER#${owner}`, sk: `SOURCE#${name}` })
export const ingestionUrlKey = (id: string): Key => ({ pk: `INGEST#${id}`, sk: 'INGEST' })
/** An owner's first lines, the pauses, and notes about waiting leads. */
export const linesKey = (owner: number): Key => ({ pk: `LINES#${owner}`, sk: 'LINES' })

/** Partitions of an owner's further lines: 500 calls a second then take a fifth of what each partition may write. */
const LINE_PARTITIONS = 8
const linePartition = (owner: number, group: number): string => `LINES#${owner}#${group % LINE_PARTITIONS}`
/** A group of an owner's lines. The first group is in the same item as the pauses. */
export const lineGroupKey = (owner: number, group: number): Key =>
  group === 0 ? linesKey(owner) : { pk: linePartition(owner, group), sk: `LINES#${group}` }
/** The partitions that hold all groups but the first one. */
export const linePartitions = (owner: number, groups: number): string[] => [
  ...new Set(Array.from({ length: groups - 1 }, (_, index) => linePartition(owner, index + 1))),
]
/** @throws Error when the key is not a group's */
export const parseLineGroup = ({ sk }: Pick<Key, 'sk'>): number => (sk === 'LINES' ? 0 : Number(keyPart(sk, /^LINES#(\d+)$/, 'lines')))

/** Names that an operator uses: the keys of a configuration file, with the ids that they stand for. */
export const NAMES = 'OPERATOR'
export const nameKey = (kind: string, keys: readonly string[]): Key => ({ pk: NAMES, sk: [kind, ...keys].join('#') })

export const agentKey = (agent: string): Key => ({ pk: `AGENT#${agent}`, sk: 'AGENT' })
/** How well an agent has been answering. */
export const breakerKey = (agent: string): Key => ({ pk: `AGENT#${agent}`, sk: 'BREAKER' })

/** @throws Error when the key is not an agent's. */
export const parseAgentPk = (pk: string): string => keyPart(pk, /^AGENT#(.+)$/, 'an agent')

/** Who sends a request: a user, or an ingestion URL that needs no token. */
export type Asker = number | `INGEST#${string}`
export const askerAt = (ingestionUrl: string): Asker => `INGEST#${ingestionUrl}`
export const idempotencyKey = (asker: Asker, sha256: string): Key => ({ pk: `IDEMPOTENCY#${asker}#${sha256}`, sk: 'IDEMPOTENCY' })
/** The ingestion URL in the idempotency key of a request without a token. @returns undefined for a user's key, and for any other key */
export const parseAskedAt = (pk: string): string | undefined => /^IDEMPOTENCY#INGEST#([^#]+)#/.exec(pk)?.[1]

export const throttleKey = (asker: Asker): Key => ({ pk: `THROTTLE#${asker}`, sk: 'THROTTLE' })
/** A user's running bulk requests. In the `THROTTLE` partition, which every function with client requests may write. */
export const bulkSlotsKey = (user: number): Key => ({ pk: `THROTTLE#${user}`, sk: 'BULK' })
/** The lanes of a user's files that are being read. */
export const laneSlotsKey = (user: number): Key => ({ pk: `THROTTLE#${user}`, sk: 'LANES' })
