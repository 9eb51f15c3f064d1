import { describe, expect, it } from '@jest/globals'
import { getCall } from '#shared/calling/call-store.ts'
import { callWorld } from '#test/support/agent-calls.ts'
import { created } from '#test/support/lead-requests.ts'
import type { ReceivedRequest, ReceiverAnswer } from '#test/support/receiver.ts'

const ACCEPT: ReceiverAnswer = { body: '{"provider_call_id":"p-1"}' }
let answer: (received: ReceivedRequest) => ReceiverAnswer | Promise<ReceiverAnswer> = () => ACCEPT
const { queued, place, keysAsked } = callWorld((received) => answer(received))

describe('a run that places calls', () => {
  it('a run takes the next message from the queue while it waits for a slow agent', async () => {
    const { promise: otherAsked, resolve } = Promise.withResolvers<void>()
    const slow = await created({ email: 'slow@example.com' })
    const messages = await queued()
    const other = await created({ email: 'other@example.com', phone_number: '+12125550188' })
    answer = async ({ headers }) => {
      if (headers['idempotency-key'] === `${other.id}-1`) resolve()
      else await otherAsked
      return ACCEPT
    }
    expect(await place(messages)).toEqual([])
    expect(keysAsked()).toEqual([`${slow.id}-1`, `${other.id}-1`])
    expect(await getCall(`${slow.id}-1`)).toMatchObject({ accepted_time: expect.any(Number) })
    expect(await getCall(`${other.id}-1`)).toMatchObject({ accepted_time: expect.any(Number) })
    expect(await queued()).toEqual([])
  })
})
