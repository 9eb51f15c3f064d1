import * as v from 'valibot'
import { allOwners } from '../backlog/owners.ts'
import { linesKey, userKey } from '../platform/keys.ts'
import { batchGet } from '../platform/table/batches.ts'
import { cached } from '../platform/table/cached.ts'
import { Lines } from '../stops/compliance.ts'
import { hasInName } from './api/lead-type.ts'
import type { ListedUserResponse } from './api/user.ts'
import { User } from './configuration.ts'

type ListedUser = v.InferOutput<typeof ListedUserResponse>

const Found = v.pick(User, ['id', 'name', 'is_staff'])
type Found = v.InferOutput<typeof Found>

/** All users, the newest first. Costs half a read unit for each, and little more for the index. */
const readAll = cached(async (_all: 'all'): Promise<readonly Found[]> => {
  const found = await batchGet(Found, (await allOwners()).map(userKey), { consistent: false })
  return found.toSorted((one, other) => other.id - one.id)
})

const Paused = v.object({ pk: v.string(), ...v.pick(Lines, ['paused', 'paused_upto']).entries })

/** Adds the pauses, for half a read unit for each user. */
const withPauses = async (users: readonly Found[]): Promise<ListedUser[]> => {
  const found = await batchGet(
    Paused,
    users.map(({ id }) => linesKey(id)),
    { consistent: false },
  )
  const pauses = new Map(found.map((lines) => [lines.pk, lines]))
  return users.map(({ id, name, is_staff }) => {
    const lines = pauses.get(linesKey(id).pk)
    return { id, name, is_staff, paused: lines?.paused ?? false, paused_existing_leads: (lines?.paused_upto ?? 0) > 0 }
  })
}

interface UserList {
  readonly count: number
  readonly page: (skip: number, size: number) => Promise<ListedUser[]>
}

/** The users whose name or id contains every word of a search, the newest first. A sandbox reads the users at most once in ten seconds. */
export const listUsers = async (search: string): Promise<UserList> => {
  const isSought = hasInName(search)
  const found = ((await readAll('all')) ?? []).filter(({ id, name }) => isSought({ name: `${name} ${id}` }))
  return { count: found.length, page: (skip, size) => withPauses(found.slice(skip, skip + size)) }
}
