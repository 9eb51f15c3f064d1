import * as headers from '#shared/http/fields/headers.ts'
import { WEBHOOK_TIMEOUT } from '#shared/platform/environment.ts'
import { MOST_SUBSCRIPTIONS } from '#shared/webhooks/api/create-subscription.ts'
import * as trial from '#shared/webhooks/api/filter.ts'
import * as replay from '#shared/webhooks/api/replay.ts'
import * as retries from '#shared/webhooks/rules/after-attempt.ts'
import * as failing from '#shared/webhooks/rules/failing.ts'
import * as filter from '#shared/webhooks/rules/filter/parse.ts'
import * as pace from '#shared/webhooks/rules/pace.ts'
import * as secrets from '#shared/webhooks/rules/secrets.ts'
import * as template from '#shared/webhooks/rules/url-template.ts'
import { KEPT_BYTES } from '#shared/webhooks/webhook-sender.ts'
import { bytes, characters, count, time } from '../costs/quantities.ts'
import { type Limits, lengthOf } from './limit.ts'

const REFUSED = '400, which names the field'

export const webhookLimits: Limits = {
  heading: 'Webhooks',
  limits: [
    ['Subscriptions of a user', count(MOST_SUBSCRIPTIONS), '400'],
    ['`url` of a subscription', lengthOf('CreateSubscription', 'url'), REFUSED],
    ['URL with its placeholders filled in', bytes(template.LONGEST), 'the delivery ends, and its log says so'],
    ['Headers of a subscription', `${count(headers.MAX_HEADERS)}, ${bytes(headers.MAX_HEADERS_BYTES)} of names and values`, REFUSED],
    ['`filter_condition`', `${characters(filter.MAX_CHARACTERS)}, ${count(filter.MAX_NESTING)} nested parentheses`, REFUSED],
    ['`payload` of a filter check', `${bytes(trial.MAX_SAMPLE_BYTES)} of JSON, ${count(trial.MAX_SAMPLE_DEPTH)} levels deep`, REFUSED],
    ['Time for a destination to answer', time(WEBHOOK_TIMEOUT), 'the attempt fails'],
    [
      'Time until a request to a destination counts as slow',
      time(pace.SLOW_AFTER),
      'the request continues; later deliveries may take the slow lane',
    ],
    [
      'Slow requests that a run waits for while it takes further deliveries',
      count(pace.MOST_OPEN),
      'the run takes no further deliveries until one of these requests ends',
    ],
    ['Requests to a slow destination at the same time', count(pace.AT_ONCE), 'other requests wait'],
    [
      'Attempts',
      `${count(retries.DELAYS.length + 1)}: at once, then after ${retries.DELAYS.map(time).join(', ')} (± ${retries.JITTER * 100} %)`,
      'the delivery fails',
    ],
    ['`Retry-After` of a destination', time(retries.LONGEST_WAIT), 'a longer time is shortened to this limit'],
    ['Attempts, including those of `resend`', count(retries.MOST_ATTEMPTS), '409'],
    ['Time with only failures', time(failing.DISABLED_AFTER), 'the subscription is disabled'],
    ['Answer of a destination in the log', bytes(KEPT_BYTES), 'the rest is left out'],
    ['Two signing secrets at the same time', time(secrets.OVERLAP), 'the older one no longer signs'],
    ['Leads of a replay', count(replay.MOST_REPLAYED_LEADS), '400'],
    ['Deliveries of a replay', `${count(replay.MOST_DELIVERIES)}, ${replay.MOST_MEGABYTES} MB`, '400'],
  ],
}
