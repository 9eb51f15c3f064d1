import { api } from '#shared/http/api.ts'
import { created } from '#shared/http/reply.ts'
import { withWarnings } from '#shared/http/warnings.ts'
import { now } from '#shared/platform/clock.ts'
import { invalid } from '#shared/platform/values/errors.ts'
import { CreateSubscription, MOST_SUBSCRIPTIONS } from '#shared/webhooks/api/create-subscription.ts'
import { representNewSubscription } from '#shared/webhooks/api/subscription.ts'
import { unknownFilterFields } from '#shared/webhooks/rules/filter/unknown-fields.ts'
import { sealHeaders } from '#shared/webhooks/sealed-headers.ts'
import { checkDestination } from '#shared/webhooks/subscribe/check-destination.ts'
import { saveSubscription, subscriptionsOf } from '#shared/webhooks/subscription-store.ts'

/** Concurrent requests do not see each other, so a few too many may be created. A repeat does not count its own subscription. */
const refuseTooMany = async (owner: number, id: number | undefined): Promise<void> => {
  const others = (await subscriptionsOf(owner)).filter((one) => one.id !== id)
  if (others.length < MOST_SUBSCRIPTIONS) return
  throw invalid({
    non_field_errors: [`A user can have at most ${MOST_SUBSCRIPTIONS} subscriptions. Delete one that you no longer need.`],
  })
}

export const handler = api({ auth: 'token', body: CreateSubscription }, async ({ user, body, reservation }) => {
  const { headers: given, ...asked } = body
  checkDestination(asked.url)
  const { known, take } = reservation(0)
  await refuseTooMany(user.id, known())
  const whose = { owner: user.id, id: await take() }
  const headers = await sealHeaders(given ?? {}, whose)
  const subscription = { ...asked, ...whose, headers, enabled: true, created_time: now() }
  await saveSubscription(subscription)
  return withWarnings(created(representNewSubscription(subscription)), unknownFilterFields(subscription.filter_condition))
})
