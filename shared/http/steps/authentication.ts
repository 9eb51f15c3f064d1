import { findUserByKey } from '../../accounts/api-key-store.ts'
import type { Requester } from '../../accounts/requester.ts'
import { type ServiceError, unauthenticated } from '../../platform/values/errors.ts'

/** `Bearer` is what many clients send without being told. */
const KEYWORDS = new Set(['token', 'bearer'])
const PRINTABLE_ASCII = /^[!-~]+$/

const RIGHT_HEADER = 'Send the header "Authorization: Token <API_KEY>".'

const refusal = (message: string): ServiceError => unauthenticated(`${message} ${RIGHT_HEADER}`)

const notProvided = (why: string): ServiceError => refusal(`Authentication credentials were not provided. ${why}`)

/** Never quotes the header: it may hold a key. */
const withoutKeyword = (parts: readonly string[]): ServiceError => {
  if (parts.length === 0) return notProvided('The header "Authorization" is missing.')
  return notProvided(
    parts.length === 1 ? 'The header "Authorization" has no scheme before the key.' : 'The header "Authorization" has another scheme.',
  )
}

/** The key of a header `Authorization: Token <key>`, or with `Bearer`. @throws ServiceError `unauthenticated` when there is none */
const keyOf = (header: string): string => {
  const parts = header.split(/\s+/).filter((part) => part !== '')
  const [keyword = '', key, ...rest] = parts
  if (!KEYWORDS.has(keyword.toLowerCase())) throw withoutKeyword(parts)
  if (key === undefined) throw refusal('Invalid token header. No credentials provided.')
  if (rest.length > 0) throw refusal('Invalid token header. Token string should not contain spaces.')
  if (!PRINTABLE_ASCII.test(key)) throw refusal('Invalid token header. Token string should not contain invalid characters.')
  return key
}

/** The same for an unknown and a revoked key. */
const INVALID = 'Invalid token. This API key is unknown or revoked. Copy the whole key, or ask the operator of the service for a new one.'

/** The user who sent the request. `headers`: by lower-case name. @throws ServiceError `unauthenticated` */
export const authenticate = async (headers: Readonly<Record<string, string>>): Promise<Requester> => {
  const user = await findUserByKey(keyOf(headers['authorization'] ?? ''))
  if (!user) throw unauthenticated(INVALID)
  return user
}
