import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb'
import * as v from 'valibot'

const Consumed = v.object({
  CapacityUnits: v.optional(v.number(), 0),
  ReadCapacityUnits: v.optional(v.number()),
  WriteCapacityUnits: v.optional(v.number()),
})
const Answer = v.object({ ConsumedCapacity: v.optional(v.union([v.array(Consumed), Consumed])) })

const WRITES = new Set(['PutItemCommand', 'UpdateItemCommand', 'DeleteItemCommand', 'TransactWriteItemsCommand', 'BatchWriteItemCommand'])

/** Units that this process has consumed, as the engine counted them. */
export const consumed = { read: 0, write: 0 }

/** Asks the engine for its count with every command, and adds it up in `consumed`. */
export const metered = (client: DynamoDBDocumentClient): DynamoDBDocumentClient => {
  client.middlewareStack.add(
    (next, context) => async (args) => {
      Object.assign(args.input, { ReturnConsumedCapacity: 'INDEXES' })
      const result = await next(args)
      const answer = v.safeParse(Answer, result.output)
      const counts = answer.success ? [answer.output.ConsumedCapacity ?? []].flat() : []
      const isWrite = WRITES.has(`${context['commandName']}`)
      for (const count of counts) consumed[isWrite ? 'write' : 'read'] += count.CapacityUnits
      return result
    },
    { step: 'initialize', name: 'capacityMeter' },
  )
  return client
}
