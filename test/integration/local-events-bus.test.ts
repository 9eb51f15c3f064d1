import { EventBridgeClient, PutEventsCommand, type PutEventsRequestEntry } from '@aws-sdk/client-eventbridge'
import { afterEach, describe, expect, it } from '@jest/globals'
import { startEventBridge } from '#lib/local/events/bridge.ts'
import { routeByRules } from '#lib/local/events/rules.ts'
import { crashed, fine, noted, startEvents } from '#test/support/event-engines.ts'
import { ruleOf } from '#test/support/event-template.ts'
import { eventually } from '#test/support/eventually.ts'

const stops: (() => unknown)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop()
})

const start = async (worker = () => fine()) => {
  const service = await startEvents({
    queues: [{ name: 'events' }, { name: 'details' }],
    template: ({ events, details }) => ({
      rules: [
        ruleOf({ name: 'all', pattern: { source: ['lead-outreach'], detail: { lead_id: [{ exists: true }] } }, targetArn: events!.arn }),
        ruleOf({
          name: 'part',
          pattern: { 'detail-type': ['LEAD_CLOSED'] },
          targetArn: '',
          targets: [{ arn: details!.arn, inputPath: '$.detail', messageGroupId: 'owner' }],
        }),
        ruleOf({ name: 'run', pattern: { source: ['runs'] }, targetArn: 'arn:aws:lambda:us-east-1:000000000000:function:worker' }),
      ],
    }),
    functions: { worker },
  })
  stops.push(service.stop)
  const put = putTo(service.bridge.url)
  return { ...service, put }
}

const putTo = (url: string) => {
  const client = new EventBridgeClient({
    endpoint: url,
    region: 'us-east-1',
    credentials: { accessKeyId: 'x', secretAccessKey: 'x' },
    maxAttempts: 1,
  })
  stops.push(() => client.destroy())
  return (...entries: PutEventsRequestEntry[]) => client.send(new PutEventsCommand({ Entries: entries }))
}

const entry = (rest: PutEventsRequestEntry = {}): PutEventsRequestEntry => ({
  EventBusName: 'events',
  Source: 'lead-outreach',
  DetailType: 'LEAD_CREATED',
  Detail: JSON.stringify({ lead_id: 7 }),
  ...rest,
})

describe('the event bus', () => {
  it('the local event bus puts an event into the queue of a matching rule before it answers', async () => {
    const { put, take } = await start()
    const { FailedEntryCount, Entries } = await put(entry({ Resources: ['lead/7'] }))
    expect(FailedEntryCount).toBe(0)
    expect(await take('events')).toEqual([
      {
        version: '0',
        id: Entries?.[0]?.EventId,
        'detail-type': 'LEAD_CREATED',
        source: 'lead-outreach',
        account: '000000000000',
        time: '2026-11-20T16:00:00Z',
        region: 'us-east-1',
        resources: ['lead/7'],
        detail: { lead_id: 7 },
      },
    ])
  })

  it('the local event bus accepts the ARN of a bus and the time of the sender', async () => {
    const { put, take } = await start()
    await put(entry({ EventBusName: 'arn:aws:events:us-east-1:000000000000:event-bus/events', Time: new Date('2026-01-02T03:04:05Z') }))
    expect(await take('events')).toMatchObject([{ time: '2026-01-02T03:04:05Z' }])
  })

  it('the local event bus sends part of the event if the target asks for it, and nothing if no rule matches', async () => {
    const { put, take, count } = await start()
    await put(entry({ DetailType: 'LEAD_CLOSED', Source: 'elsewhere' }), entry({ Detail: '{}' }))
    expect(await take('details')).toEqual([{ lead_id: 7 }])
    expect(await count('events')).toBe(0)
  })

  it('the local event bus takes the message group from the target or from the event', async () => {
    const targets = ['owner', '$.detail.group', '$.detail.none'].map((messageGroupId) => ({
      arn: 'queue',
      inputPath: undefined,
      messageGroupId,
    }))
    const rules = [ruleOf({ pattern: { source: ['lead-outreach'] }, targetArn: '', targets })]
    const groups: unknown[] = []
    const send = async (_: unknown, group?: string) => void groups.push(group)
    const detail = { group: '7' }
    const route = routeByRules({ rules, buses: ['events'] }, () => send, Date.now)
    await route({ id: 'e', bus: 'events', source: 'lead-outreach', detailType: 'LEAD_CREATED', resources: [], time: undefined, detail })
    expect(groups).toEqual(['owner', '7', undefined])
  })

  it('the local event bus fails single entries and accepts the others', async () => {
    const { put, count } = await start(() => crashed)
    const missing = { EventBusName: 'events', DetailType: 'x', Detail: '{}' }
    const { FailedEntryCount, Entries } = await put(
      entry(),
      entry({ Detail: '[1' }),
      entry({ EventBusName: 'none' }),
      entry({ Source: 'runs' }),
      missing,
    )
    expect(FailedEntryCount).toBe(4)
    expect(Entries?.map((answer) => answer.ErrorCode)).toEqual([
      undefined,
      'MalformedDetail',
      'InternalFailure',
      'InternalFailure',
      'InvalidArgument',
    ])
    expect(await count('events')).toBe(1)
  })

  it('the local event bus refuses requests over 256 KB and with more than ten entries', async () => {
    const { put, count } = await start()
    await expect(put(entry(), entry({ Detail: JSON.stringify({ lead_id: 'x'.repeat(256 * 1024) }) }))).rejects.toMatchObject({
      name: 'ValidationException',
    })
    await expect(put(...Array.from({ length: 11 }, () => entry()))).rejects.toMatchObject({ name: 'ValidationException' })
    expect(await count('events')).toBe(0)
  })

  it('the local event bus fails every entry until rules are connected', async () => {
    const bridge = await startEventBridge()
    stops.push(bridge.close)
    expect((await putTo(bridge.url)(entry())).Entries).toMatchObject([{ ErrorCode: 'InternalFailure' }])
  })

  it('the local service fails at the start when the target of a rule does not exist', async () => {
    const rules = [ruleOf({ pattern: { source: ['a'] }, targetArn: 'arn:aws:sqs:us-east-1:000000000000:lost' })]
    await expect(startEvents({ queues: [], template: () => ({ rules }), functions: {} })).rejects.toThrow(
      /lost is neither a queue nor a function/,
    )
  })

  it('the local service runs a schedule at the start', async () => {
    const seen: unknown[] = []
    const service = await startEvents({
      queues: [],
      template: () => ({
        rules: [ruleOf({ schedule: 'rate(1 minute)', targetArn: 'arn:aws:lambda:us-east-1:000000000000:function:dispatch' })],
      }),
      functions: { dispatch: (event) => noted(seen, event) },
    })
    stops.push(service.stop)
    await eventually(() => seen.length > 0)
    expect(seen).toMatchObject([{ 'detail-type': 'Scheduled Event', time: '2026-11-20T16:00:00Z' }])
  })
})
