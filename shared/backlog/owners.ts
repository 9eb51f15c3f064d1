import { OWNERS_KEYS, parseDueAt } from '../platform/keys.ts'
import { duePages } from './due.ts'

/** All owners. */
export const allOwners = async (): Promise<number[]> => {
  const found = await Promise.all(
    OWNERS_KEYS.map(async (key) => {
      const owners: number[] = []
      for await (const page of duePages(key, 0, 1)) owners.push(...page.map(({ due_at }) => parseDueAt(due_at).owner))
      return owners
    }),
  )
  return found.flat()
}
