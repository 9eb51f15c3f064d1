import { GetQueueAttributesCommand, SQSClient } from '@aws-sdk/client-sqs'
import { describe, expect, it } from '@jest/globals'
import type { SQSEvent } from 'aws-lambda'
import { handler as placeCall } from '#functions/workers/place-call.ts'
import { getCall } from '#shared/calling/call-store.ts'
import { takeRecords } from '#shared/platform/queues/queue-records.ts'
import { callWorld } from '#test/support/agent-calls.ts'
import { eventually } from '#test/support/eventually.ts'
import { created } from '#test/support/lead-requests.ts'
import type { ReceivedRequest, ReceiverAnswer } from '#test/support/receiver.ts'

const ACCEPT: ReceiverAnswer = { body: '{"provider_call_id":"p-1"}' }
let answer: (received: ReceivedRequest) => ReceiverAnswer | Promise<ReceiverAnswer> = () => ACCEPT
const { queued, keysAsked } = callWorld((received) => answer(received))

describe('a run that places calls', () => {
  it('a run takes the next message from the queue while it waits for a slow agent', async () => {
    const { promise: otherAsked, resolve } = Promise.withResolvers<void>()
    const slow = await created({ email: 'slow@example.com' })
    const Records = await takeRecords(process.env['CALL_QUEUE_URL']!)
    const other = await created({ email: 'other@example.com', phone_number: '+12125550188' })
    answer = async ({ headers }) => {
      if (headers['idempotency-key'] === `${other.id}-1`) resolve()
      else await otherAsked
      return ACCEPT
    }
    expect(await placeCall({ Records } as unknown as SQSEvent)).toEqual({ batchItemFailures: [] })
    expect(keysAsked()).toEqual([`${slow.id}-1`, `${other.id}-1`])
    expect(await getCall(`${slow.id}-1`)).toMatchObject({ accepted_time: expect.any(Number) })
    expect(await getCall(`${other.id}-1`)).toMatchObject({ accepted_time: expect.any(Number) })
    expect(await queued()).toEqual([])
  })

  it('a run deletes the handled messages of its batch while it waits for a slow agent', async () => {
    const sqs = new SQSClient({})
    const QueueUrl = process.env['CALL_QUEUE_URL']!
    const inQueue = async () =>
      Number(
        (await sqs.send(new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['All'] }))).Attributes?.['ApproximateNumberOfMessages'],
      )
    const slow = await created({ email: 'first@example.com', phone_number: '+12125550181' })
    await created({ email: 'second@example.com', phone_number: '+12125550182' })
    const Records = await takeRecords(QueueUrl)
    expect(await inQueue()).toBe(2)
    answer = async ({ headers }) => {
      if (headers['idempotency-key'] === `${slow.id}-1`) await eventually(async () => (await inQueue()) === 1)
      return ACCEPT
    }
    expect(await placeCall({ Records } as unknown as SQSEvent)).toEqual({ batchItemFailures: [] })
    expect(keysAsked()).toHaveLength(2)
    sqs.destroy()
  })
})
