import { findUserByKey, type Requester } from '../../accounts/api-key-store.ts'
import { unauthenticated } from '../../platform/values/errors.ts'

export type FindUser = (key: string) => Promise<Requester | undefined>

const KEYWORD = 'token'
const PRINTABLE_ASCII = /^[!-~]+$/

/** The key of a header `Authorization: Token <key>`. @throws ServiceError `unauthenticated` when there is none */
const keyOf = (header: string): string => {
  const [keyword, key, ...rest] = header.split(/\s+/).filter((part) => part !== '')
  if (keyword?.toLowerCase() !== KEYWORD) throw unauthenticated('Authentication credentials were not provided.')
  if (key === undefined) throw unauthenticated('Invalid token header. No credentials provided.')
  if (rest.length > 0) throw unauthenticated('Invalid token header. Token string should not contain spaces.')
  if (!PRINTABLE_ASCII.test(key)) throw unauthenticated('Invalid token header. Token string should not contain invalid characters.')
  return key
}

/** The user who sent the request. `headers`: by lower-case name. @throws ServiceError `unauthenticated` */
export const authenticate = async (headers: Readonly<Record<string, string>>, findUser: FindUser = findUserByKey): Promise<Requester> => {
  const user = await findUser(keyOf(headers['authorization'] ?? ''))
  if (!user) throw unauthenticated('Invalid token.')
  return user
}
