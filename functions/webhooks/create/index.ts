import { now } from '#shared/adapters/clock.ts'
import { sealHeaders } from '#shared/adapters/sealed-headers.ts'
import { invalid } from '#shared/domain/errors.ts'
import { representSubscription } from '#shared/domain/webhooks/represent-subscription.ts'
import { api } from '#shared/http/api.ts'
import { created } from '#shared/http/reply.ts'
import { CreateSubscription, MOST_SUBSCRIPTIONS } from '#shared/schema/requests/create-subscription.ts'
import { nextId } from '#shared/storage/ids.ts'
import { saveSubscription, subscriptionsOf } from '#shared/storage/subscriptions.ts'

/** Those that are made at the same moment do not see each other, and may be a few too many. A repeat does not count what it has made. */
const refuseTooMany = async (owner: number, id: number): Promise<void> => {
  const others = (await subscriptionsOf(owner)).filter((one) => one.id !== id)
  if (others.length < MOST_SUBSCRIPTIONS) return
  throw invalid({
    non_field_errors: [`A user has no more than ${MOST_SUBSCRIPTIONS} subscriptions. Delete one that is no longer needed.`],
  })
}

export const handler = api({ auth: 'token', body: CreateSubscription, idempotent: { reserve: 1 } }, async ({ user, body, reservedIds }) => {
  const { headers: given, ...asked } = body
  const whose = { owner: user.id, id: reservedIds[0] ?? (await nextId()) }
  await refuseTooMany(whose.owner, whose.id)
  const headers = given && Object.keys(given).length > 0 ? await sealHeaders(given, whose) : null
  const subscription = { ...asked, ...whose, headers, enabled: true, created_time: now() }
  await saveSubscription(subscription)
  return created(representSubscription(subscription))
})
