import { isDeepStrictEqual } from 'node:util'
import { TRIGGER_MEANINGS } from '#shared/platform/values/meanings.ts'
import { TRIGGERS, type Trigger } from '#shared/platform/values/values.ts'
import { payloadOf } from '../openapi/events.ts'
import { samplePayload } from './event-samples.ts'
import { code, codeBlock, markdownPage, markdownTable } from './markdown.ts'

/** Events whose whole payload is shown. */
const WHOLE = { LeadEvent: 'LEAD_CREATED', CallEvent: 'CALL_COMPLETE' } as const satisfies Readonly<Record<string, Trigger>>

const json = (value: unknown): string => codeBlock('json', JSON.stringify(value, null, 2))

/** Fields of a payload that another payload lacks, or has with another value. Event ids are left out: they always differ. */
const differing = (payload: Readonly<Record<string, unknown>>, other: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries(payload).filter(([name, value]) => name !== 'event_id' && !isDeepStrictEqual(value, other[name])))

const isWhole = (trigger: Trigger): boolean => Object.values<Trigger>(WHOLE).includes(trigger)

const exampleOf = (trigger: Trigger): readonly string[] => {
  const payload = samplePayload(trigger)
  if (isWhole(trigger)) return [json(payload)]
  const other = payloadOf(trigger) === 'LeadEvent' && payload['call'] === undefined ? WHOLE.LeadEvent : WHOLE.CallEvent
  return [`The payload is the same as for ${code(other)}, except for these fields:`, json(differing(payload, samplePayload(other)))]
}

const SECTIONS = TRIGGERS.flatMap((trigger) => [`## ${trigger}`, TRIGGER_MEANINGS[trigger], ...exampleOf(trigger)])

/** Every event that a subscription may ask for, with the time when it fires and a payload. */
export const eventsPage = (): string =>
  markdownPage(
    '# Events',
    `The service sends these events to subscriptions. Every payload holds the fields of the lead and the data of the event. Datetimes are in
UTC. The OpenAPI document (\`/api/schema/\`, section \`webhooks\`) has the schema of each payload, and a test checks the examples here
against it. New fields may appear, so ignore fields that you do not know. [Webhooks](../webhooks.md) tells how the service signs and retries
deliveries, and when it refuses them.`,
    markdownTable(
      ['Header', 'Holds'],
      [
        [code('webhook-id'), 'The `event_id`. A repeat has the same id, so ignore ids that you have processed.'],
        [
          code('webhook-timestamp'),
          'Unix time of this attempt, in seconds. Libraries of Standard Webhooks refuse requests older than five minutes.',
        ],
        [
          code('webhook-signature'),
          '`v1,` and the base64 HMAC-SHA256 of `{webhook-id}.{webhook-timestamp}.{body}`. The key is the decoded base64 part of the signing secret, after `whsec_`. While a secret is being replaced there are two signatures, separated by a space.',
        ],
        [
          '`content-type`, `user-agent`',
          '`application/json` and `lead-outreach-webhooks/1.0`. A `GET` has no body, and its signature covers an empty body. Headers of the subscription can replace these two headers. They cannot replace the other headers above.',
        ],
      ],
    ),
    markdownTable(
      ['Trigger', 'Fires when'],
      TRIGGERS.map((trigger) => [`[${trigger}](#${trigger.toLowerCase()})`, TRIGGER_MEANINGS[trigger]]),
    ),
    ...SECTIONS,
  )
