import * as v from 'valibot'
import { duePages } from '#shared/backlog/due.ts'
import { WATCH_KEYS } from '#shared/platform/keys.ts'
import { inLanes } from '#shared/platform/lanes.ts'
import { batchGet } from '#shared/platform/table/batches.ts'

/** Later than any time at which a call is looked at. */
const FOREVER = Date.parse('9999-01-01T00:00:00Z')
const LANES = 8

/** Part of a watched item, which may be a call. Few attributes are read, so that a malformed call also counts. */
const Watched = v.object({ agent: v.optional(v.unknown()), settled_time: v.optional(v.unknown()) })

const countIn = async (key: string, agent: string): Promise<number> => {
  let count = 0
  for await (const page of duePages(key, 0, FOREVER)) {
    const keys = page.map(({ pk, sk }) => ({ pk, sk }))
    const items = await batchGet(Watched, keys, { consistent: true, only: ['agent', 'settled_time'] })
    count += items.filter((item) => item.agent === agent && item.settled_time === undefined).length
  }
  return count
}

/** How many calls of an agent may still be reported: the sweep watches each call until nothing of it is left to do. */
export const openCallsOf = async (agent: string): Promise<number> => {
  const counts = await inLanes(LANES, WATCH_KEYS, (key) => countIn(key, agent))
  return counts.reduce((sum, count) => sum + count, 0)
}
