import { describe, expect, it } from '@jest/globals'
import { streamBatches } from '#lib/local/events/stream-batch.ts'
import type { LocalStreamRecord } from '#lib/local/events/stream-records.ts'
import type { EventSourceSpec, InvokeResult } from '#lib/local/model.ts'
import { mappingOf } from '#test/support/event-template.ts'

const recordOf = (sequence: number): LocalStreamRecord => ({
  eventID: `id-${sequence}`,
  eventName: sequence % 2 === 0 ? 'MODIFY' : 'INSERT',
  eventVersion: '1.1',
  eventSource: 'aws:dynamodb',
  awsRegion: 'us-east-1',
  eventSourceARN: 'stream',
  dynamodb: {
    SequenceNumber: `${sequence}`,
    ApproximateCreationDateTime: 1_700_000_000,
    Keys: {},
    SizeBytes: 1,
    StreamViewType: 'KEYS_ONLY',
  },
})

const error: InvokeResult = { ok: false, errorType: 'HandlerError', message: 'no' }
const failing = (sequence: number): InvokeResult => ({ ok: true, payload: { batchItemFailures: [{ itemIdentifier: `${sequence}` }] } })
const done: InvokeResult = { ok: true, payload: { batchItemFailures: [] } }

/** Handles records 1 to 4. `answer` gives the result of each invocation. */
const dealWith = async (rest: Partial<EventSourceSpec>, answer: (sequences: number[], invocation: number) => InvokeResult) => {
  const invocations: number[][] = []
  const advanced: string[] = []
  const abandoned: unknown[] = []
  const deal = streamBatches({
    mapping: mappingOf('stream', 'publish', rest),
    functionArn: 'function-arn',
    invoke: async (_, event) => {
      const sequences = (event as { Records: LocalStreamRecord[] }).Records.map((record) => Number(record.dynamodb.SequenceNumber))
      invocations.push(sequences)
      return answer(sequences, invocations.length)
    },
    onFailure: async (payload) => void abandoned.push(payload),
  })
  const context = {
    shardId: 'shard',
    signal: new AbortController().signal,
    log: () => undefined,
    advance: (position: string) => void advanced.push(position),
  }
  await deal([1, 2, 3, 4].map(recordOf), context)
  return { invocations, advanced, abandoned }
}

describe('a batch of stream records', () => {
  it('a batch of stream records is repeated whole after an error', async () => {
    const { invocations, advanced } = await dealWith({}, (_, invocation) => (invocation <= 2 ? error : done))
    expect(invocations).toEqual([
      [1, 2, 3, 4],
      [1, 2, 3, 4],
      [1, 2, 3, 4],
    ])
    expect(advanced.at(-1)).toBe('4')
  })

  it('a batch of stream records continues from the lowest record that is reported as failed', async () => {
    const { invocations, advanced } = await dealWith({}, (_, invocation) => (invocation === 1 ? failing(3) : done))
    expect(invocations).toEqual([
      [1, 2, 3, 4],
      [3, 4],
    ])
    expect(advanced).toEqual(['2', '4', '4'])
  })

  it('a batch of stream records is repeated whole when the answer names an unknown record', async () => {
    const { invocations } = await dealWith({}, (_, invocation) => (invocation === 1 ? failing(99) : done))
    expect(invocations).toEqual([
      [1, 2, 3, 4],
      [1, 2, 3, 4],
    ])
  })

  it('a batch of stream records is halved until the bad record is alone and given up after its retries', async () => {
    const { invocations, advanced, abandoned } = await dealWith({ bisectOnError: true, maxRetries: 1 }, (sequences) =>
      sequences.includes(3) ? error : done,
    )
    expect(invocations).toEqual([[1, 2, 3, 4], [1, 2], [3, 4], [3], [3], [4]])
    expect(advanced.at(-1)).toBe('4')
    expect(abandoned).toMatchObject([
      {
        requestContext: { functionArn: 'function-arn', condition: 'RetryAttemptsExhausted', approximateInvokeCount: 2 },
        DDBStreamBatchInfo: { shardId: 'shard', startSequenceNumber: '3', endSequenceNumber: '3', batchSize: 1, streamArn: 'stream' },
      },
    ])
  })

  it('a batch of stream records is given up at once when it has no retries', async () => {
    const { invocations, abandoned } = await dealWith({ maxRetries: 0 }, () => error)
    expect([invocations.length, abandoned.length]).toEqual([1, 1])
  })

  it('a batch contains only stream records that pass the filter, and is complete when there are none', async () => {
    const some = await dealWith({ filterPatterns: [{ eventName: ['MODIFY'] }] }, () => done)
    expect(some.invocations).toEqual([[2, 4]])
    const none = await dealWith({ filterPatterns: [{ eventName: ['REMOVE'] }] }, () => done)
    expect([none.invocations, none.advanced]).toEqual([[], ['4']])
  })
})
