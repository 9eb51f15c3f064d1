import * as v from 'valibot'
import type { User } from '../accounts/configuration.ts'
import { getUser } from '../accounts/user-store.ts'
import { forbidden } from '../platform/values/errors.ts'

/** For `params` of a path with a user's `{id}`: digits, of any size. */
export const UserParams = v.object({ id: v.pipe(v.string(), v.regex(/^\d+$/), v.transform(Number)) })

/** The user that a path names: the caller, or any user for staff. @throws ServiceError `forbidden`, whether or not the user exists */
export const targetUser = async (own: number, id: number): Promise<User | undefined> => {
  if (id !== own && !(await getUser(own))?.is_staff) throw forbidden()
  return getUser(id)
}
