import { SendMessageBatchCommand, SQSClient } from '@aws-sdk/client-sqs'
import { jest } from '@jest/globals'

/** A message as it was sent: its body, and for how many seconds the queue was to hold it back, and its group. */
interface Sent {
  // biome-ignore lint/suspicious/noExplicitAny: messages are compared with what they should be
  readonly body: any
  readonly delaySeconds: number
  readonly group: string | undefined
}

/** What this process sends to queues from now on. @returns a function that runs something and tells what was sent meanwhile */
export const watchSent = () => {
  const sends = jest.spyOn(SQSClient.prototype, 'send')
  return async (run: () => Promise<unknown>): Promise<Sent[]> => {
    const before = sends.mock.calls.length
    await run()
    return sends.mock.calls
      .slice(before)
      .flatMap(([command]) => (command instanceof SendMessageBatchCommand ? (command.input.Entries ?? []) : []))
      .map(({ MessageBody, DelaySeconds = 0, MessageGroupId }) => ({
        body: JSON.parse(`${MessageBody}`),
        delaySeconds: DelaySeconds,
        group: MessageGroupId,
      }))
  }
}
