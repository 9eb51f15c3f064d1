import * as v from 'valibot'
import type { User } from '../accounts/configuration.ts'
import { checkStaff, type Requester } from '../accounts/requester.ts'
import { getUser } from '../accounts/user-store.ts'

/** For `params` of a path with a user's `{id}`: digits, of any size. */
export const UserParams = v.object({ id: v.pipe(v.string(), v.regex(/^\d+$/), v.transform(Number)) })

/** The user that a path names: the caller, or any user for staff. @throws ServiceError `forbidden`, whether or not the user exists */
export const targetUser = async (own: number, id: number, _params: unknown, requester: Requester): Promise<User | undefined> => {
  if (id !== own) await checkStaff(requester)
  return getUser(id)
}
