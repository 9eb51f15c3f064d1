import { retryRaces } from '../../platform/table/retry-races.ts'
import { invalid, notFound } from '../../platform/values/errors.ts'
import type { Instant } from '../../platform/values/values.ts'
import type { UpdateSubscription } from '../api/update-subscription.ts'
import { forgetPace } from '../pace-store.ts'
import { changesOf, type SubscriptionUpdate, takesHeadersElsewhere } from '../rules/change.ts'
import { sealHeaders } from '../sealed-headers.ts'
import { changeSubscription, getSubscription } from '../subscription-store.ts'
import type { Subscription } from '../webhook.ts'
import { checkDestination } from './check-destination.ts'

const STAY = 'The stored headers do not go to another scheme, host or port. Send the headers for the new URL too, or null to remove them.'

const RACES = { tries: 10, lost: 'Others changed the subscription' }

const sealed = async ({ headers, ...rest }: UpdateSubscription, whose: Subscription): Promise<SubscriptionUpdate> =>
  headers === undefined ? rest : { ...rest, headers: await sealHeaders(headers ?? {}, whose) }

/**
 * Changes a subscription in one write. It keeps its id, its log and its state: a disabled one stays disabled.
 * @throws ServiceError `validation`, or `not_found` when it was deleted meanwhile
 */
export const updateSubscription = async (found: Subscription, asked: UpdateSubscription, at: Instant): Promise<Subscription> => {
  if (asked.url !== undefined) checkDestination(asked.url)
  const update = await sealed(asked, found)
  return retryRaces(RACES, async (before) => {
    const seen = before === 0 ? found : await getSubscription(found.owner, found.id)
    if (!seen) throw notFound()
    if (takesHeadersElsewhere(seen, update)) throw invalid({ headers: [STAY] })
    const changes = changesOf(seen, update, at)
    if (Object.keys(changes).length === 0) return seen
    const changed = await changeSubscription(seen, changes)
    // After the write: until then, requests still go to the slow destination.
    if (changed && changes.slow_since === null && seen.slow_since !== null) await forgetPace(seen.id, at)
    return changed
  })
}
