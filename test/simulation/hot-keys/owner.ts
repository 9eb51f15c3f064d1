import { readUser, saveUser } from '#shared/accounts/user-store.ts'
import { lineGroupKey } from '#shared/platform/keys.ts'
import { inLanes } from '#shared/platform/lanes.ts'
import { putItem } from '#shared/platform/table/table.ts'
import type { Trigger } from '#shared/platform/values/values.ts'
import { saveSubscription } from '#shared/webhooks/subscription-store.ts'
import { aSubscription } from '#test/support/webhook-fixtures.ts'
import { OWNER } from '#test/support/world.ts'

const LINES = 10_000
const GROUPS = 250
/** Calls in progress in each group, half of what it takes. */
const CALLS = 20
const SUBSCRIPTIONS = 100
const LANES = 10

const numbers = (count: number): number[] => Array.from({ length: count }, (_, number) => number)

/** A subscription with a destination in the slow lane. */
export const SLOW_SUBSCRIPTION = 1

/** Makes the first owner as large as the target scale: 10,000 lines, half of them in calls, and 100 subscriptions. */
export const growOwner = async (destination: string): Promise<void> => {
  const user = await readUser(OWNER)
  if (!user) throw new Error('There is no owner.')
  await saveUser({ ...user, lines: LINES })
  await inLanes(LANES, numbers(GROUPS), (group) =>
    putItem({
      ...lineGroupKey(OWNER, group),
      calls: new Set(numbers(CALLS).map((call) => `${10_000_000 + group * CALLS + call}-1`)),
      ...(group === 0 && { groups: GROUPS }),
    }),
  )
  const [well, failing] = [SUBSCRIPTIONS, SUBSCRIPTIONS - 1]
  const saved = (id: number, path: string, trigger: Trigger) => {
    const slow_since = id === SLOW_SUBSCRIPTION ? 1 : null
    return saveSubscription(aSubscription({ id, owner: OWNER, url: `${destination}/${path}`, trigger: [trigger], slow_since }))
  }
  await saved(well, 'hook', 'LEAD_CREATED')
  await saved(failing, 'fails', 'CALL_FAILED')
  await inLanes(LANES, numbers(failing - 1), (id) => saved(id + 1, 'hook', 'LEAD_LOST'))
}
