import { findNamed } from '#shared/accounts/names.ts'
import { readUser } from '#shared/accounts/user-store.ts'
import { OpsMistake, OpsRefusal } from './refusal.ts'

/**
 * The id of the user that an operator names by key or id.
 * @throws OpsRefusal when there is no such user; OpsMistake when the name is empty
 */
export const userNamed = async (name: string): Promise<number> => {
  if (name.trim() === '') throw new OpsMistake('Which user? Name one by key or id. See: npm run ops -- get users')
  const id = /^\d{1,10}$/.test(name) ? Number(name) : Number((await findNamed('USER', [name])) ?? 0)
  if (id > 0 && (await readUser(id))) return id
  throw new OpsRefusal(`There is no user ${name}. See: npm run ops -- get users`)
}
