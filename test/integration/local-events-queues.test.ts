import { afterEach, describe, expect, it } from '@jest/globals'
import { crashed, type FakeFunction, fine, noted, startEvents } from '#test/support/event-engines.ts'
import { mappingOf } from '#test/support/event-template.ts'
import { eventually } from '#test/support/eventually.ts'

let service: Awaited<ReturnType<typeof startEvents>> | undefined
afterEach(async () => {
  await service?.stop()
  service = undefined
})

const DEAD = 'arn:aws:sqs:us-east-1:000000000000:dead'

const start = async (worker: FakeFunction, rest: Parameters<typeof mappingOf>[2] = {}, visibility = '1', receives = 2) => {
  service = await startEvents({
    queues: [
      { name: 'dead' },
      {
        name: 'work',
        attributes: {
          VisibilityTimeout: visibility,
          RedrivePolicy: JSON.stringify({ deadLetterTargetArn: DEAD, maxReceiveCount: receives }),
        },
      },
    ],
    template: ({ work }) => ({ eventSources: [mappingOf(work!.arn, 'worker', rest)] }),
    functions: { worker },
  })
  return service
}

const bodiesOf = (event: Parameters<FakeFunction>[0]) => event.Records.map((record) => String(record['body']))

describe('an event source mapping of a queue', () => {
  it('an event source mapping of a queue passes messages to its function as Lambda does, and deletes them afterwards', async () => {
    const events: Parameters<FakeFunction>[0][] = []
    const { send, count } = await start((event) => noted(events, event))
    await send('work', { hello: 1 }, { trace: 'x' })
    await eventually(async () => events.length === 1 && (await count('work')) === 0)
    expect(events[0]).toEqual({
      Records: [
        {
          messageId: expect.any(String),
          receiptHandle: expect.any(String),
          body: '{"hello":1}',
          attributes: expect.objectContaining({ ApproximateReceiveCount: '1', SentTimestamp: expect.stringMatching(/^\d{13}$/) }),
          messageAttributes: { trace: { stringValue: 'x', stringListValues: [], binaryListValues: [], dataType: 'String' } },
          md5OfBody: expect.stringMatching(/^[0-9a-f]{32}$/),
          eventSource: 'aws:sqs',
          eventSourceARN: 'arn:aws:sqs:us-east-1:000000000000:work',
          awsRegion: 'us-east-1',
        },
      ],
    })
  })

  it('an event source mapping keeps failed messages for a retry, and moves them to the dead letters in the end', async () => {
    const seen: string[] = []
    const { send, take } = await start((event) => {
      seen.push(...bodiesOf(event))
      const failed = event.Records.filter((record) => record['body'] === '"bad"')
      return fine({ batchItemFailures: failed.map((record) => ({ itemIdentifier: record['messageId'] })) })
    })
    await Promise.all([send('work', '"good"'), send('work', '"bad"')])
    await eventually(async () => (await take('dead')).includes('bad'))
    expect(seen.toSorted()).toEqual(['"bad"', '"bad"', '"good"'])
  })

  it('an event source mapping keeps all messages when the function crashes, and retries after the visibility timeout', async () => {
    /** Milliseconds since the message was received for the first time. */
    const ages: number[] = []
    const { send, count } = await start(({ Records }) => {
      const { ApproximateFirstReceiveTimestamp: first } = Records[0]!['attributes'] as Record<string, string>
      ages.push(Date.now() - Number(first))
      return ages.length === 1 ? crashed : fine()
    })
    await send('work', 'x')
    await eventually(async () => ages.length === 2 && (await count('work')) === 0)
    expect(ages[1]).toBeGreaterThanOrEqual(1000)
  })

  it('an event source mapping keeps all messages when the answer is malformed', async () => {
    let runs = 0
    const { send, count, log } = await start(() => fine(++runs === 1 ? 'done' : { batchItemFailures: [] }))
    await send('work', 'x')
    await eventually(async () => runs === 2 && (await count('work')) === 0)
    expect(log[0]).toContain('not a partial batch response')
  })

  it('an event source mapping deletes messages that match no filter without an invocation', async () => {
    const seen: string[] = []
    const { send, count } = await start((event) => noted(seen, ...bodiesOf(event)), {
      filterPatterns: [{ body: { type: ['dial'] } }],
    })
    await Promise.all([send('work', { type: 'watch' }), send('work', 'no JSON'), send('work', { type: 'dial' })])
    await eventually(async () => seen.length > 0 && (await count('work')) === 0)
    expect(seen).toEqual(['{"type":"dial"}'])
  })

  it('an event source mapping respects the batch size and the concurrency', async () => {
    let running = 0
    let most = 0
    const sizes: number[] = []
    const worker: FakeFunction = async (event) => {
      sizes.push(event.Records.length)
      most = Math.max(most, ++running)
      await eventually(() => most >= 3)
      running -= 1
      return fine()
    }
    const { send, count } = await start(worker, { batchSize: 2, maxConcurrency: 3 }, '30')
    await Promise.all(Array.from({ length: 24 }, (_, index) => send('work', `${index}`)))
    await eventually(async () => (await count('work')) === 0)
    expect([Math.max(...sizes), most, sizes.reduce((total, size) => total + size)]).toEqual([2, 3, 24])
  })

  it('an event source mapping fills a batch for as long as its window is open', async () => {
    const sizes: number[] = []
    const { send } = await start((event) => noted(sizes, event.Records.length), { windowSeconds: 300, batchSize: 3 }, '30')
    await send('work', '1')
    await Promise.all([send('work', '2'), send('work', '3')])
    await eventually(() => sizes.length > 0)
    expect(sizes).toEqual([3])
  })
})
