import { ChangeMessageVisibilityCommand, SendMessageBatchCommand, SQSClient } from '@aws-sdk/client-sqs'
import { mockClient } from 'aws-sdk-client-mock'

/** A queue that only notes what is sent to it, whatever its delay. Restore it after the test. */
export const notingQueue = () => {
  const sqs = mockClient(SQSClient)
  sqs.on(SendMessageBatchCommand).resolves({ Successful: [], Failed: [] })
  sqs.on(ChangeMessageVisibilityCommand).resolves({})
  return sqs
}
export type NotingQueue = ReturnType<typeof notingQueue>

/** The messages for calls and lines that were sent to a mocked queue since the last look. */
export const takeNotedCalls = (sqs: NotingQueue) => {
  const commands = sqs.commandCalls(SendMessageBatchCommand)
  sqs.resetHistory()
  return commands
    .flatMap(({ args }) => (args[0].input.Entries ?? []).map(({ MessageBody }) => JSON.parse(MessageBody ?? '')))
    .filter(({ type }) => type === 'dial' || type === 'fill')
}
