import { SendMessageBatchCommand } from '@aws-sdk/client-sqs'
import type { mockClient } from 'aws-sdk-client-mock'

/** The messages for calls and lines that were sent to a mocked queue since the last look. */
export const takeNotedCalls = (sqs: ReturnType<typeof mockClient>) => {
  const commands = sqs.commandCalls(SendMessageBatchCommand)
  sqs.resetHistory()
  return commands
    .flatMap(({ args }) => (args[0].input.Entries ?? []).map(({ MessageBody }) => JSON.parse(MessageBody ?? '')))
    .filter(({ type }) => type === 'dial' || type === 'fill')
}
