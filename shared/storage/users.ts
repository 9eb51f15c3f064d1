import { User } from '../schema/configuration.ts'
import { cached } from './cached.ts'
import { userKey } from './keys.ts'
import { getItem, putItem } from './table.ts'

const CACHE_SECONDS = 10

export const getUser = cached(CACHE_SECONDS, (id: number): Promise<User | undefined> => getItem(User, userKey(id)))

export const saveUser = (user: User): Promise<void> => putItem({ ...userKey(user.id), ...user })
