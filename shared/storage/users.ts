import * as v from 'valibot'
import { User } from '../schema/configuration.ts'
import { cached } from './cached.ts'
import { memberWrites } from './dnc-groups.ts'
import { userKey } from './keys.ts'
import { getItem, ifConditionHolds, updateItem } from './table.ts'
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

/**
 * Writes what `change` makes of a user's secrets as they are now. `rotation`: an id for it, under which it is made only once.
 * @returns the user as it then is; undefined when there is none
 */
export const changeSecrets = async (
  id: number,
  rotation: number | null,
  change: (user: User) => Pick<User, 'webhook_secrets' | 'older_secret_until'>,
): Promise<User | undefined> => {
  for (;;) {
    const user = await getItem(User, userKey(id))
    if (!user || (rotation !== null && user.rotation === rotation)) return user
    const changed = { ...user, ...change(user), rotation }
    const written = await ifConditionHolds(
      updateItem(userKey(id), {
        UpdateExpression: 'SET webhook_secrets = :new, older_secret_until = :until, rotation = :rotation',
        ConditionExpression: 'webhook_secrets = :before',
        ExpressionAttributeValues: {
          ':new': changed.webhook_secrets,
          ':until': changed.older_secret_until,
          ':rotation': rotation,
          ':before': user.webhook_secrets,
        },
      }),
    )
    if (written) return changed
  }
}
