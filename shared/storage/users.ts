import * as v from 'valibot'
import { User } from '../schema/configuration.ts'
import { cached } from './cached.ts'
import { memberWrites } from './dnc-groups.ts'
import { userKey } from './keys.ts'
import { getItem } from './table.ts'
import { transact } from './transactions.ts'

const CACHE_SECONDS = 10

export const getUser = cached(CACHE_SECONDS, (id: number): Promise<User | undefined> => getItem(User, userKey(id)))

/** Keeps a user, and whom it shares a do-not-call list with. @throws ValiError when it is none; Error when it is saved twice at once. */
export const saveUser = async (input: v.InferInput<typeof User>): Promise<void> => {
  const user = v.parse(User, input)
  const before = await getItem(User, userKey(user.id))
  const { committed } = await transact([{ put: { ...userKey(user.id), ...user } }, ...memberWrites(user, before)])
  if (!committed) throw new Error(`User ${user.id} is being saved by somebody else.`)
}
