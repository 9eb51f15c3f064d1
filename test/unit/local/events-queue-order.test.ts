import { describe, expect, it } from '@jest/globals'
import { eventQueuesOf } from '#lib/local/events/event-queues.ts'
import { emptyTemplate, functionOf, mappingOf, queueOf, ruleOf, tableOf } from '#test/support/event-template.ts'

const table = tableOf('leads')
const [calls, events, deliveries, audit, dead] = ['calls', 'events', 'deliveries', 'audit', 'dead'].map((name) => queueOf(name)) as [
  ReturnType<typeof queueOf>,
  ReturnType<typeof queueOf>,
  ReturnType<typeof queueOf>,
  ReturnType<typeof queueOf>,
  ReturnType<typeof queueOf>,
]

const template = {
  ...emptyTemplate,
  tables: [table],
  queues: [dead, audit, deliveries, calls, events],
  functions: [
    functionOf('publish', { EVENT_BUS_NAME: 'events' }),
    functionOf('match', { DELIVERY_QUEUE_URL: deliveries.url, AUDIT_QUEUE_URL: audit.url }),
    functionOf('deliver', { AUDIT_QUEUE_URL: audit.url, DEAD: dead.url, DELIVERY_QUEUE_URL: deliveries.url }),
    functionOf('file', {}),
    functionOf('place', { CALL_QUEUE_URL: calls.url }),
  ],
  rules: [
    ruleOf({ pattern: { source: ['lead-outreach'] }, targetArn: events.arn }),
    ruleOf({ schedule: 'rate(1 minute)', targetArn: calls.arn }),
  ],
  eventSources: [
    mappingOf(table.streamArn, 'publish'),
    mappingOf(calls.arn, 'place'),
    mappingOf(audit.arn, 'file'),
    mappingOf(events.arn, 'match'),
    mappingOf(deliveries.arn, 'deliver'),
  ],
}

describe('the event queues', () => {
  it('the event queues are those behind a bus rule, in order of flow, without dead letters and calls', () => {
    expect(eventQueuesOf(template).map((queue) => queue.name)).toEqual(['events', 'deliveries', 'audit'])
  })

  it('the event queues include a queue that a stream reader sends to', () => {
    const functions = [...template.functions.slice(1), functionOf('publish', { CALL_QUEUE_URL: calls.url })]
    expect(eventQueuesOf({ ...template, functions }).map((queue) => queue.name)).toContain('calls')
  })
})
