import { SendMessageBatchCommand, SQSClient } from '@aws-sdk/client-sqs'
import { jest } from '@jest/globals'

/** A sent message: its body, its delay in seconds, and its group. */
interface Sent {
  // biome-ignore lint/suspicious/noExplicitAny: tests compare messages of every shape
  readonly body: any
  readonly delaySeconds: number
  readonly group: string | undefined
}

/** Watches what this process sends to queues. @returns a function that runs something and returns the messages sent meanwhile */
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
