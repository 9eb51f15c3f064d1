import { consume } from '#shared/adapters/queue-consumer.ts'
import { CallMessage } from '#shared/schema/messages.ts'
import { keepUntilSettled } from './keep.ts'
import { placeDueCall } from './place.ts'
import { watchCall } from './watch.ts'

/** Places the calls that are due, and looks after those in progress. */
export const handler = consume(CallMessage, (message, record) =>
  keepUntilSettled(record, () => (message.type === 'dial' ? placeDueCall(message) : watchCall(message.call_id))),
)
