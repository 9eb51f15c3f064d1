import { isDeepStrictEqual } from 'node:util'
import * as v from 'valibot'
import { markChanged } from '../backlog/held-store.ts'
import { accountHolder } from '../backlog/rules/holders.ts'
import { now } from '../platform/clock.ts'
import { userKey } from '../platform/keys.ts'
import { cached } from '../platform/table/cached.ts'
import { retryRaces } from '../platform/table/retry-races.ts'
import { getItem, ifConditionHolds, updateItem } from '../platform/table/table.ts'
import { transact, type Write } from '../platform/table/transactions.ts'
import { memberWrite } from '../stops/dnc-group-store.ts'
import { User } from './configuration.ts'

export const CACHE_SECONDS = 10

/** As it is at this moment. Strongly consistent. */
export const readUser = (id: number): Promise<User | undefined> => getItem(User, userKey(id))

export const getUser = cached(CACHE_SECONDS, readUser)

/** A user that a key, or something of theirs, names. @throws Error when there is none */
export const knownUser = async (id: number): Promise<User> => {
  const user = await getUser(id)
  if (!user) throw new Error(`There is no user ${id}, though a key or something of theirs names it.`)
  return user
}

const Before = v.object({ dnc_group: v.string(), calling_hours: User.entries.calling_hours })

/** A write beside that of a user's calling hours: leads that these held back are planned again by the sweep. */
const hoursChanged = (id: number): Write => markChanged(accountHolder(id), now())

/** Others that write the user, or look at leads that its hours held, are in the way. */
const MAX_TRIES = 20

/**
 * Keeps a user, and whom it shares a do-not-call list with. That stays as it is: stops, attempts and calls in progress are kept by
 * the phone in its group, and none of them would hold in another one.
 * @throws ValiError when it is none; Error when it is of another group already, or saved by others again and again
 */
export const saveUser = async (input: v.InferInput<typeof User>): Promise<void> => void (await save(v.parse(User, input), () => true))

/** As `saveUser`, unless there is one by then. @returns whether there was none */
export const makeUser = async (input: v.InferInput<typeof User>): Promise<boolean> => save(v.parse(User, input), (isThere) => !isThere)

const save = (user: User, isWanted: (isThere: boolean) => boolean): Promise<boolean> => {
  const { id, dnc_group } = user
  return retryRaces({ tries: MAX_TRIES, lost: `User ${id} was being saved by somebody else` }, async () => {
    const before = await getItem(Before, userKey(id))
    if (!isWanted(before !== undefined)) return false
    if (before && before.dnc_group !== dnc_group) {
      throw new Error(`User ${id} is of the DNC group ${before.dnc_group} and stays in it: in ${dnc_group} its stops would not hold.`)
    }
    const condition = before ? 'dnc_group = :group' : 'attribute_not_exists(pk)'
    const put = { ...userKey(id), ...user }
    const areOthers = before !== undefined && !isDeepStrictEqual(before.calling_hours ?? null, user.calling_hours ?? null)
    const saved = { put, condition, ...(before && { values: { ':group': dnc_group } }) }
    const { committed } = await transact([saved, memberWrite(user), ...(areOthers ? [hoursChanged(id)] : [])])
    return committed || undefined
  })
}

/** What the operator sets of a user that is there; null: nothing. The DNC group stays, and secrets are the user's own to change. */
type Setting = Exclude<keyof User, 'id' | 'dnc_group' | 'webhook_secrets' | 'older_secret_until' | 'rotation'>
type UserSettings = { readonly [K in Setting]?: User[K] | null }

const clause = (word: string, parts: readonly string[]): string => (parts.length === 0 ? '' : `${word} ${parts.join(', ')} `)

const settingsWrite = (id: number, settings: UserSettings): Write => {
  const given = Object.entries(settings)
  const isSet = ([, value]: (typeof given)[number]): boolean => value !== null && value !== undefined
  const set = given.filter(isSet)
  const setNames = set.map(([name]) => `#${name} = :${name}`)
  const removedNames = given.filter((setting) => !isSet(setting)).map(([name]) => `#${name}`)
  return {
    update: userKey(id),
    expression: clause('SET', setNames) + clause('REMOVE', removedNames),
    condition: 'attribute_exists(pk)',
    names: Object.fromEntries(given.map(([name]) => [`#${name}`, name])),
    ...(set.length > 0 && { values: Object.fromEntries(set.map(([name, value]) => [`:${name}`, value])) }),
  }
}

/** Changes those settings that are given, whatever becomes of the user's secrets meanwhile. @returns whether there is such a user */
export const changeUserSettings = (id: number, settings: UserSettings): Promise<boolean> =>
  retryRaces({ tries: MAX_TRIES, lost: `User ${id} was being saved by somebody else` }, async () => {
    const beside = settings.calling_hours === undefined ? [] : [hoursChanged(id)]
    const result = await transact([settingsWrite(id, settings), ...beside])
    if (result.committed) return true
    return result.refused.length > 0 ? false : undefined
  })

/**
 * Writes what `change` makes of a user's secrets as they are now. `rotation`: a name for it, under which it is made only once.
 * @returns the user as it then is; undefined when there is none
 */
export const changeSecrets = async (
  id: number,
  rotation: string | number | null,
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
