import { isDeepStrictEqual } from 'node:util'
import * as v from 'valibot'
import { markRestarted } from '../backlog/marks.ts'
import { accountHolder } from '../backlog/rules/holders.ts'
import { now } from '../platform/clock.ts'
import { ownerPlacement, userKey } from '../platform/keys.ts'
import { cached } from '../platform/table/cached.ts'
import { retryRaces } from '../platform/table/retry-races.ts'
import { getItem, ifConditionHolds, updateItem } from '../platform/table/table.ts'
import { committedUnlessRefused, transact, type Write } from '../platform/table/transactions.ts'
import { memberWrite } from '../stops/dnc-group-store.ts'
import { User } from './configuration.ts'

/** Strongly consistent, never cached. */
export const readUser = (id: number): Promise<User | undefined> => getItem(User, userKey(id))

export const getUser = cached(readUser)

/** The user that a key or another item names. @throws Error when there is none */
export const knownUser = async (id: number): Promise<User> => {
  const user = await getUser(id)
  if (!user) throw new Error(`User ${id} does not exist, but an API key or another item names it.`)
  return user
}

const Before = v.object({ dnc_group: v.string(), calling_hours: User.entries.calling_hours })

/**
 * Goes with a change of a user's calling hours: the sweep then plans again the leads that the hours held back. A run that an earlier change began
 * may have a million leads before it. The leads that this change releases must not wait for it.
 */
const hoursChanged = (id: number): Write => markRestarted(accountHolder(id), now())

/** Other writers of the user, and releases of leads that its hours held, race with this one. */
const MAX_TRIES = 20
const retrySaving = <T>(id: number, attempt: () => Promise<T | undefined>): Promise<T> =>
  retryRaces({ tries: MAX_TRIES, lost: `User ${id} was being saved by another writer` }, attempt)

/**
 * Saves a user and its membership of a DNC group. The group can never change: stops, attempts and calls in progress are stored per phone
 * and group. They would have no effect in another group.
 * @throws ValiError when it is malformed; Error when it is in another group already, or all retries lost the race
 */
export const saveUser = async (input: v.InferInput<typeof User>): Promise<void> => void (await save(v.parse(User, input), () => true))

/** Lists a user that an earlier version saved, for the sweep. */
export const listUser = async (id: number): Promise<void> => {
  const { due_key, due_at } = ownerPlacement(id)
  await ifConditionHolds(
    updateItem(userKey(id), {
      UpdateExpression: 'SET due_key = :key, due_at = :at',
      ConditionExpression: 'attribute_exists(pk) AND attribute_not_exists(due_key)',
      ExpressionAttributeValues: { ':key': due_key, ':at': due_at },
    }),
  )
}

/** As `saveUser`, but only when the user does not exist yet. @returns whether it was created */
export const makeUser = async (input: v.InferInput<typeof User>): Promise<boolean> => save(v.parse(User, input), (isThere) => !isThere)

const save = (user: User, isWanted: (isThere: boolean) => boolean): Promise<boolean> => {
  const { id, dnc_group } = user
  return retrySaving(id, async () => {
    const before = await getItem(Before, userKey(id))
    if (!isWanted(before !== undefined)) return false
    if (before && before.dnc_group !== dnc_group) {
      throw new Error(`User ${id} must stay in the DNC group ${before.dnc_group}: its stops would not apply in ${dnc_group}.`)
    }
    const condition = before ? 'dnc_group = :group' : 'attribute_not_exists(pk)'
    const put = { ...userKey(id), ...user, ...ownerPlacement(id) }
    const areOthers = before !== undefined && !isDeepStrictEqual(before.calling_hours ?? null, user.calling_hours ?? null)
    const saved = { put, condition, ...(before && { values: { ':group': dnc_group } }) }
    const { committed } = await transact([saved, memberWrite(user), ...(areOthers ? [hoursChanged(id)] : [])])
    return committed || undefined
  })
}

/**
 * Settings of an existing user that the operator may change; null removes one. The DNC group is fixed, and only the user changes its
 * secrets.
 */
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

/** Changes only the given settings, so a concurrent change of the secrets is kept. @returns whether the user exists */
export const changeUserSettings = (id: number, settings: UserSettings): Promise<boolean> =>
  retrySaving(id, async () => {
    const beside = settings.calling_hours === undefined ? [] : [hoursChanged(id)]
    return committedUnlessRefused(await transact([settingsWrite(id, settings), ...beside]))
  })

/**
 * Applies `change` to a user's current secrets. `rotation`: names the request, so that a repeat changes nothing.
 * @returns the user after the change; undefined when there is none
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
