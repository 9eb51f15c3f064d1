import * as v from 'valibot'
import { forbidden } from '../domain/errors.ts'
import type { User } from '../schema/configuration.ts'
import { getUser } from '../storage/users.ts'

/** For `params` of a path with a user's `{id}`: digits, whatever number they make. */
export const UserParams = v.object({ id: v.pipe(v.string(), v.regex(/^\d+$/), v.transform(Number)) })

/** The user that a path names: oneself, or anybody for the staff. @throws ServiceError `forbidden`, whether or not there is one */
export const targetUser = async (own: number, id: number): Promise<User | undefined> => {
  if (id !== own && !(await getUser(own))?.is_staff) throw forbidden()
  return getUser(id)
}
