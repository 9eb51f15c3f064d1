import { realNow } from '../adapters/clock.ts'
import { secondsUntil } from '../domain/durations.ts'
import { throttled } from '../domain/errors.ts'
import { DEFAULT_THROTTLE, type Throttle } from '../schema/configuration.ts'
import type { Asker } from '../storage/keys.ts'
import { newThrottle } from '../storage/throttle.ts'
import { getUser } from '../storage/users.ts'

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
