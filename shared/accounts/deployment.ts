import * as v from 'valibot'
import { deploymentKey } from '../platform/keys.ts'
import { getItem, putItem } from '../platform/table/table.ts'
import { Instant } from '../platform/values/values.ts'

/** A deployment's settings that affect call times, as the sweep last saw them. */
const Followed = v.object({
  settings: v.string(),
  /** When the sweep first saw them. */
  seen_time: Instant,
  /** When the sweep last planned leads again because of them. */
  released_time: Instant,
})

export const getFollowed = (): Promise<v.InferOutput<typeof Followed> | undefined> => getItem(Followed, deploymentKey)

export const saveFollowed = (followed: v.InferOutput<typeof Followed>): Promise<void> => putItem({ ...deploymentKey, ...followed })
