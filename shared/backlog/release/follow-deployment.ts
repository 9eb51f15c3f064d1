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

/** Accounts that are marked in parallel. Their marks are under one key of an index, which takes 1,000 writes a second. */
const LANES = 10

/** The settings of a deployment that decide when leads may be called. */
const callingSettings = (): string => JSON.stringify([setting('DEFAULT_TIMEZONE'), setting('DEFAULT_WINDOW'), DATA_VERSION])

const markIfHeld = async (holder: string): Promise<void> => {
  if (!(await isDueListEmpty(heldKey(holder)))) await addMark(holder, now())
}

/**
 * Marks the calling hours of every named user, and the checks of numbers that hold leads. No list shows which leads the former hours moved to a
 * later time. So a run reads all leads of each account. Leads of users without a name keep their time until something else plans them.
 */
const releaseByRules = async (): Promise<void> => {
  await inLanes(LANES, await namedUsers(), async (owner) => {
    await addMark(accountHolder(owner), now())
    await markIfHeld(reassignedHolder(owner))
  })
}

/**
 * Follows a change of the default hours or the calling rules. The sweep then plans again the leads that these held or moved to a later time, and
 * the leads that a check of their number holds. It marks them at least twice: functions of the earlier deployment may still hold or move
 * leads after the first time. Without a change, it costs one read.
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
