import { isDeepStrictEqual } from 'node:util'
import { TRIGGERS, type Trigger } from '#shared/platform/values/values.ts'
import { EVENTS } from '../openapi/events.ts'
import { samplePayload } from './event-samples.ts'
import { code, codeBlock, markdownPage, markdownTable } from './markdown.ts'

/** Of these the whole payload is shown. */
const WHOLE = { LeadEvent: 'LEAD_CREATED', CallEvent: 'CALL_COMPLETE' } as const satisfies Readonly<Record<string, Trigger>>

const json = (value: unknown): string => codeBlock('json', JSON.stringify(value, null, 2))

/** Fields of a payload that another has not, or not so. Ids of events differ always. */
const differing = (payload: Readonly<Record<string, unknown>>, other: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries(payload).filter(([name, value]) => name !== 'event_id' && !isDeepStrictEqual(value, other[name])))

const isWhole = (trigger: Trigger): boolean => Object.values<Trigger>(WHOLE).includes(trigger)

const exampleOf = (trigger: Trigger): readonly string[] => {
  const payload = samplePayload(trigger)
  if (isWhole(trigger)) return [json(payload)]
  const other = EVENTS[trigger].holds === 'LeadEvent' && payload['call'] === undefined ? WHOLE.LeadEvent : WHOLE.CallEvent
  return [`As ${code(other)}, but for:`, json(differing(payload, samplePayload(other)))]
}

const SECTIONS = TRIGGERS.flatMap((trigger) => [`## ${trigger}`, EVENTS[trigger].when, ...exampleOf(trigger)])

/** Every event that a subscription may ask for: when it fires, and a payload. */
export const eventsPage = (): string =>
  markdownPage(
    '# Events',
    `What subscriptions are sent. Every payload holds the fields of the lead at its top, and beside them what happened; datetimes are in UTC.
Its schema is in the OpenAPI document (\`/api/schema/\`, section \`webhooks\`), and the examples here are checked by it. Fields may be added:
read those that you know. How deliveries are repeated, refused and signed is told in the README, under Webhooks.`,
    markdownTable(
      ['Header', 'Holds'],
      [
        [code('webhook-id'), 'The `event_id`; the same whenever it is sent again. Drop what bears one that you have handled.'],
        [
          code('webhook-timestamp'),
          'Unix time of this attempt, in seconds. A library of Standard Webhooks refuses what is older than five minutes.',
        ],
        [
          code('webhook-signature'),
          '`v1,` and the base64 of the HMAC-SHA256 of `{webhook-id}.{webhook-timestamp}.{body}`, keyed with what the base64 behind `whsec_` in the signing secret says; two of them, apart by a space, while a secret is replaced.',
        ],
        [
          '`content-type`, `user-agent`',
          '`application/json`, unless the method is `GET`, which has no body and signs the empty one; `lead-outreach-webhooks/1.0`. Headers of the subscription take their place, and come beside the others.',
        ],
      ],
    ),
    markdownTable(
      ['Trigger', 'Fires when'],
      TRIGGERS.map((trigger) => [`[${trigger}](#${trigger.toLowerCase()})`, EVENTS[trigger].when]),
    ),
    ...SECTIONS,
  )
