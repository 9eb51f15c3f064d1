import { DEFAULT_THROTTLE, type Throttle } from '../../accounts/configuration.ts'
import { newThrottle } from '../../accounts/throttle-store.ts'
import { getUser } from '../../accounts/user-store.ts'
import { realNow } from '../../platform/clock.ts'
import type { Asker } from '../../platform/keys.ts'
import { secondsUntil } from '../../platform/values/durations.ts'
import { throttled } from '../../platform/values/errors.ts'

const takeTurn = newThrottle()

/** Counts a request. @throws ServiceError `throttled` when the allowance is used up. */
export const countRequest = async (asker: Asker, allowance: Throttle): Promise<void> => {
  const at = await takeTurn(asker, allowance)
  if (at !== undefined) throw throttled(Math.max(1, secondsUntil(at, realNow())))
}

/** Counts a request of a user. @throws ServiceError `throttled` when the user's allowance is used up. */
export const checkAllowance = async (user: number): Promise<void> => {
  const owner = await getUser(user)
  await countRequest(user, owner?.throttle ?? DEFAULT_THROTTLE)
}
