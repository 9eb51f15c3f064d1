import * as v from 'valibot'
import { namedUsers } from '../../accounts/names.ts'
import { DATA_VERSION } from '../../calling/rules/rules.ts'
import { now } from '../../platform/clock.ts'
import { setting } from '../../platform/environment.ts'
import { deploymentKey, heldKey } from '../../platform/keys.ts'
import { inLanes } from '../../platform/lanes.ts'
import { getItem, putItem } from '../../platform/table/table.ts'
import { Instant } from '../../platform/values/values.ts'
import { isDueListEmpty } from '../due.ts'
import { addMark, FORGOTTEN_AFTER } from '../marks.ts'
import { accountHolder, reassignedHolder } from '../rules/holders.ts'

/** A deployment's settings that affect call times, as the sweep last saw them. */
const Followed = v.object({
  settings: v.string(),
  /** When the sweep first saw them. */
  seen_time: Instant,
  /** When the sweep last planned leads again because of them. */
  released_time: Instant,
})

const getFollowed = (): Promise<v.InferOutput<typeof Followed> | undefined> => getItem(Followed, deploymentKey)

const saveFollowed = (followed: v.InferOutput<typeof Followed>): Promise<void> => putItem({ ...deploymentKey, ...followed })

/** Accounts that are looked at in parallel. */
const LANES = 50

/** The settings of a deployment that decide when leads may be called. */
const callingSettings = (): string => JSON.stringify([setting('DEFAULT_TIMEZONE'), setting('DEFAULT_WINDOW'), DATA_VERSION])

const markIfHeld = async (holder: string): Promise<void> => {
  if (!(await isDueListEmpty(heldKey(holder)))) await addMark(holder, now())
}

/** Looks at the hours of all users that the operator has named, and at their checks of numbers, which laws demand. */
const releaseByRules = async (): Promise<void> => {
  const holders = (await namedUsers()).flatMap((owner) => [accountHolder(owner), reassignedHolder(owner)])
  await inLanes(LANES, holders, markIfHeld)
}

/**
 * After a deployment changed the default hours or the calling rules, makes the sweep plan the leads again that account hours hold, or the
 * check of their number. It does so twice, because functions of the earlier deployment may hold more leads after the first time. Without a
 * change it costs one read.
 */
export const followDeployment = async (): Promise<void> => {
  const at = now()
  const settings = callingSettings()
  const followed = await getFollowed()
  const isNew = followed?.settings !== settings
  const seen_time = isNew ? at : followed.seen_time
  if (!isNew && followed.released_time >= seen_time + FORGOTTEN_AFTER) return
  await releaseByRules()
  await saveFollowed({ settings, seen_time, released_time: at })
}
