import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { Context, SQSEvent } from 'aws-lambda'
import * as v from 'valibot'
import { consume, RetryMessage } from '#shared/platform/queues/queue-consumer.ts'
import { captureLog } from '#test/support/captured-log.ts'

const lines = captureLog()
beforeAll(() => {
  process.env['STAGE'] = 'test'
})
afterAll(() => {
  delete process.env['STAGE']
})

const handler = consume(v.picklist(['fine', 'wrong', 'later']), async (message) => {
  if (message === 'wrong') throw new Error('The table does not answer.')
  if (message === 'later') throw new RetryMessage('It is not its time yet.')
})

/** Indexes of the messages that come back, and the logged failures. */
const consumed = async (...bodies: string[]) => {
  const Records = bodies.map((body, index) => ({ messageId: `${index}`, body }))
  const answer = await handler({ Records } as SQSEvent, { functionName: 'a-function' } as Context)
  const failures = lines.flatMap((line) => JSON.parse(line).failures ?? [])
  return { back: answer.batchItemFailures.map(({ itemIdentifier }) => itemIdentifier).toSorted(), failures }
}

describe('a queue consumer', () => {
  it('a queue consumer counts no failure when messages succeed or ask for a retry', async () => {
    expect(await consumed('"fine"', '"later"')).toEqual({ back: ['1'], failures: [] })
  })

  it('a queue consumer counts the failed messages, even when the whole batch comes back', async () => {
    expect(await consumed('"wrong"', '"later"', 'no JSON', '"nothing known"')).toEqual({ back: ['0', '1', '2', '3'], failures: [3] })
  })
})
