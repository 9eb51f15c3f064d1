import { TRIGGERS, type Trigger } from '#shared/platform/values/values.ts'
import type { Json } from './operation.ts'
import { signatureHeaderParameters } from './parameters.ts'
import { type Component, refTo } from './schemas.ts'

interface Event {
  readonly when: string
  /** Schema of its payload. */
  readonly holds: Component
}

const lead = (when: string): Event => ({ when, holds: 'LeadEvent' })
const call = (when: string): Event => ({ when, holds: 'CallEvent' })
const final = (status: string): Event => lead(`The lead reached the status \`${status}\`, or was created with it.`)

/** When each event fires. Every event is sent after the change is made, even if its name has BEFORE in it. */
export const EVENTS: Readonly<Record<Trigger, Event>> = {
  LEAD_CREATED: lead('A lead was created, in any way.'),
  LEAD_UPDATED: lead('Data collected in a call changed the lead, perhaps while the call is still in progress.'),
  LEAD_CLOSED: final('CLOSED'),
  LEAD_CLOSED_INCOMPLETE: final('CLOSED_INCOMPLETE'),
  LEAD_LOST: final('LOST'),
  LEAD_SCHEDULE_COMPLETED: final('SCHEDULE_COMPLETED'),
  LEAD_LATE_CALLBACK: lead('A promised callback has not started 15 minutes after its time.'),
  LEAD_OUT_OF_TERRITORY: final('OUT_OF_TERRITORY'),
  LEAD_BAD_NUMBER: final('BAD_NUMBER'),
  LEAD_CANCELLED: final('CANCELLED'),
  LEAD_CALLBACK_TO_TRANSFER: lead('The lead reached the status `CALLBACK_TO_TRANSFER`.'),
  LEAD_BEFORE_REENGAGEMENT: lead('A create reopens this lead with newer data. The payload has the lead as it was before.'),
  LEAD_REENGAGEMENT: lead('A create has reopened this lead with newer data. The payload has the lead as it is now.'),
  LEAD_FIRST_INBOUND: lead('The person has called for the first time.'),
  CALL_COMPLETE: call('The outcome of a call is known and applied, final or not. A lead can have many of these events.'),
  BEFORE_CALLING: call(
    'A call is about to be placed. The payload has the lead and the call as they are before the request to the voice agent.',
  ),
  CALL_FAILED: call('The voice agent refused a call, or the result of the call cannot be found out.'),
  CALL_ENDED: call('A call is over, whether or not its outcome is known.'),
  CALL_TRANSFER_INITIATED: call('The voice agent has begun to transfer the call. A call may be transferred several times.'),
  SMS_COMPLETE: { when: 'A text message was exchanged with the person.', holds: 'SmsEvent' },
  SMS_DNC: lead('The person must not get text messages any more: `sms_dnc` was set to true.'),
  CALL_DNC: lead('The person must not be called any more: `call_dnc` was set to true.'),
}

const DELIVERY = `Sent to the subscriptions that have this trigger and whose filter matches. The request uses the method of the subscription; a
GET has no body. The same event may come more than once, with the same \`webhook-id\`.`

const headers: Readonly<Record<string, { readonly name: string; readonly description: string; readonly schema: Json }>> = {
  WebhookId: { name: 'webhook-id', ...signatureHeaderParameters['webhook-id'] },
  WebhookTimestamp: { name: 'webhook-timestamp', ...signatureHeaderParameters['webhook-timestamp'] },
  WebhookSignature: {
    name: 'webhook-signature',
    description:
      'Standard Webhooks signature with the signing secret of the user: `v1,` and a signature. While the secret is being replaced, there are several, separated by spaces.',
    schema: { type: 'string', minLength: 1 },
  },
}

/** The headers of every webhook, by the names that refer to them. */
export const webhookHeaders: Json = Object.fromEntries(
  Object.entries(headers).map(([reference, header]) => [reference, { in: 'header', required: true, ...header }]),
)

/** The possible answers of a destination, by the names that refer to them. */
export const webhookAnswers: Json = {
  Taken: { description: 'Accepted.' },
  Gone: { description: 'The destination is gone for good: the subscription is disabled.' },
  NotTaken: {
    description:
      'Any other answer, or no answer within 15 seconds: the event is sent again up to nine times within three days. Redirects are not followed.',
  },
}

const answer = (name: string): Json => ({ $ref: `#/components/responses/${name}` })

const webhook = (trigger: Trigger): Json => {
  const { when, holds } = EVENTS[trigger]
  const schema = { allOf: [refTo(holds), { type: 'object', properties: { trigger: { const: trigger } } }] }
  return {
    post: {
      tags: ['Events'],
      summary: when,
      description: DELIVERY,
      parameters: Object.keys(headers).map((name) => ({ $ref: `#/components/parameters/${name}` })),
      requestBody: { required: true, content: { 'application/json': { schema } } },
      responses: { '2XX': answer('Taken'), 410: answer('Gone'), default: answer('NotTaken') },
    },
  }
}

/** The webhooks of subscriptions, by trigger. */
export const eventWebhooks = (): Json => Object.fromEntries(TRIGGERS.map((trigger) => [trigger, webhook(trigger)]))
