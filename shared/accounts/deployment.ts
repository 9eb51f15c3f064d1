import * as v from 'valibot'
import { deploymentKey } from '../platform/keys.ts'
import { getItem, putItem } from '../platform/table/table.ts'
import { Instant } from '../platform/values/values.ts'

/** Settings of a deployment by which calls are planned, as the sweep saw them. */
const Followed = v.object({
  settings: v.string(),
  /** When they were seen first. */
  seen_time: Instant,
  /** When leads were last planned again for them. */
  released_time: Instant,
})

export const getFollowed = (): Promise<v.InferOutput<typeof Followed> | undefined> => getItem(Followed, deploymentKey)

export const saveFollowed = (followed: v.InferOutput<typeof Followed>): Promise<void> => putItem({ ...deploymentKey, ...followed })
