import { apiKeysOf, newApiKey, revokeApiKey, saveApiKey } from '#shared/accounts/api-key-store.ts'
import { now } from '#shared/platform/clock.ts'
import { userNamed } from './arguments.ts'
import { OpsRefusal } from './refusal.ts'

/** Hex digits of a key's hash in its id. They are enough to tell the keys of one user apart. */
const DIGITS = 10
const idOf = (user: number, hash: string): string => `${user}-${hash.slice(0, DIGITS)}`
const shown = (time: number | null): string | null => (time === null ? null : new Date(time).toISOString())

/** @param owner key or id of the user */
export const issueKey = async (owner: string, { name }: { readonly name: string }) => {
  const user = await userNamed(owner)
  const key = newApiKey()
  const hash = await saveApiKey(key, { user, name, created_time: now() })
  return { id: idOf(user, hash), user, name, key }
}

/** @param owner key or id of the user */
export const listKeys = async (owner: string) => {
  const user = await userNamed(owner)
  return (await apiKeysOf(user)).map(({ hash, name, created_time, revoked_time }) => ({
    id: idOf(user, hash),
    name,
    created_time: shown(created_time),
    revoked_time: shown(revoked_time),
  }))
}

/** @returns false when it had been revoked before. @throws OpsRefusal when there is no such key */
export const revokeKey = async (id: string): Promise<boolean> => {
  const [, user, beginning] = /^([1-9]\d{0,9})-([0-9a-f]{10})$/.exec(id) ?? []
  const [found] = user && beginning ? await apiKeysOf(Number(user), beginning) : []
  if (!found) throw new OpsRefusal(`There is no key ${id}. See: npm run ops -- keys list USER`)
  return revokeApiKey(found.hash, now())
}
