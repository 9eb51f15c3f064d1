import type { Key } from './key.ts'

export const userKey = (user: number): Key => ({ pk: `USER#${user}`, sk: 'USER' })
export const apiKeyKey = (sha256: string): Key => ({ pk: `KEY#${sha256}`, sk: 'KEY' })
/** Which keys a user has, found by the beginning of their hashes. */
export const API_KEY_PREFIX = 'APIKEY#'
export const ownedApiKeyKey = (user: number, sha256: string): Key => ({ pk: `USER#${user}`, sk: `${API_KEY_PREFIX}${sha256}` })
export const LEAD_TYPE_PREFIX = 'LEADTYPE#'
export const leadTypeKey = (owner: number, leadType: number): Key => ({ pk: `USER#${owner}`, sk: `LEADTYPE#${leadType}` })
/** The lead type whose agent takes the calls to a number. */
export const inboundNumberKey = (number: string): Key => ({ pk: `INBOUND#${number}`, sk: 'INBOUND' })
export const SUBSCRIPTION_PREFIX = 'WEBHOOK#'
export const subscriptionKey = (owner: number, subscription: number): Key => ({ pk: `USER#${owner}`, sk: `WEBHOOK#${subscription}` })
/** What is read with each look at an owner's subscriptions: them, and of which leads they are not told any more. */
export const SUBSCRIPTIONS_PREFIX = 'WEBHOOK'
/** @param day as YYYY-MM-DD */
export const erasedLeadsKey = (owner: number, day: string): Key => ({ pk: `USER#${owner}`, sk: `WEBHOOKS-ERASED#${day}` })
/** A source of files. */
export const sourceKey = (owner: number, name: string): Key => ({ pk: `USER#${owner}`, sk: `SOURCE#${name}` })
export const ingestionUrlKey = (id: string): Key => ({ pk: `INGEST#${id}`, sk: 'INGEST' })
export const linesKey = (owner: number): Key => ({ pk: `LINES#${owner}`, sk: 'LINES' })
export const parkedKey = (owner: number): Key => ({ pk: `LINES#${owner}`, sk: 'PARKED' })
export const waitersKey = (owner: number): Key => ({ pk: `LINES#${owner}`, sk: 'WAITERS' })

/** What an operator calls things by: the keys of a configuration file, and what they stand for. */
export const NAMES = 'OPERATOR'
export const nameKey = (kind: string, keys: readonly string[]): Key => ({ pk: NAMES, sk: [kind, ...keys].join('#') })
