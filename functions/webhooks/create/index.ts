import { now } from '#shared/adapters/clock.ts'
import { setting } from '#shared/adapters/environment.ts'
import { isHostOf, isPrivateUrl } from '#shared/adapters/public-addresses.ts'
import { sealHeaders } from '#shared/adapters/sealed-headers.ts'
import { invalid } from '#shared/domain/errors.ts'
import { representNewSubscription } from '#shared/domain/webhooks/represent-subscription.ts'
import { api } from '#shared/http/api.ts'
import { created } from '#shared/http/reply.ts'
import { destinationUrl } from '#shared/schema/fields/url.ts'
import { CreateSubscription, MOST_SUBSCRIPTIONS } from '#shared/schema/requests/create-subscription.ts'
import { saveSubscription, subscriptionsOf } from '#shared/storage/subscriptions.ts'

/** Those that are made at the same moment do not see each other, and may be a few too many. A repeat does not count what it has made. */
const refuseTooMany = async (owner: number, id: number | undefined): Promise<void> => {
  const others = (await subscriptionsOf(owner)).filter((one) => one.id !== id)
  if (others.length < MOST_SUBSCRIPTIONS) return
  throw invalid({
    non_field_errors: [`A user has no more than ${MOST_SUBSCRIPTIONS} subscriptions. Delete one that is no longer needed.`],
  })
}

/** Refuses a literal private address. What a name resolves to is checked at each request. */
const refusePrivate = (destination: string): void => {
  const url = destinationUrl(destination)
  if (!isPrivateUrl(url) || isHostOf(setting('PRIVATE_WEBHOOK_HOSTS'), url)) return
  throw invalid({ url: ['The address of the destination is not public.'] })
}

export const handler = api({ auth: 'token', body: CreateSubscription }, async ({ user, body, reservation }) => {
  const { headers: given, ...asked } = body
  refusePrivate(asked.url)
  const { known, take } = reservation(0)
  await refuseTooMany(user.id, known())
  const whose = { owner: user.id, id: await take() }
  const headers = given && Object.keys(given).length > 0 ? await sealHeaders(given, whose) : null
  const subscription = { ...asked, ...whose, headers, enabled: true, created_time: now() }
  await saveSubscription(subscription)
  return created(representNewSubscription(subscription))
})
