import * as v from 'valibot'
import type { User } from '../accounts/configuration.ts'
import { memberKey } from '../platform/keys.ts'
import { partitionItems } from '../platform/table/table.ts'
import type { Write } from '../platform/table/transactions.ts'

/** The users that share a do-not-contact list: one item for each user of the group, written with the user. */

const Member = v.object({ user: v.number() })

/** A write of a transaction that saves a user. */
export const memberWrite = ({ id, dnc_group }: Pick<User, 'id' | 'dnc_group'>): Write => ({
  put: { ...memberKey(dnc_group, id), user: id },
})

/** The users of a group. Strongly consistent: a stop must reach all of them. */
export const membersOf = async (group: string): Promise<number[]> => {
  const members = await partitionItems(Member, memberKey(group, 0).pk)
  return members.map(({ user }) => user)
}
