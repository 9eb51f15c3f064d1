import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb'
import * as v from 'valibot'

/** Sum of the table and its indexes. */
const Consumed = v.object({ CapacityUnits: v.optional(v.number(), 0) })
const Answer = v.object({ ConsumedCapacity: v.optional(v.union([v.array(Consumed), Consumed])) })

const WRITES = new Set(['PutItemCommand', 'UpdateItemCommand', 'DeleteItemCommand', 'TransactWriteItemsCommand', 'BatchWriteItemCommand'])

/**
 * Units that this process has consumed, as the engine counted them. The engine reports none for a failed condition, so these count as zero.
 */
export const consumedUnits = { read: 0, write: 0 }

/** Units consumed since the given counts. These are the units of one event, because a function handles one event at a time. */
export const unitsSince = ({ read, write }: typeof consumedUnits) => ({
  read_units: consumedUnits.read - read,
  write_units: consumedUnits.write - write,
})

/** Units that the answer to a command reports. */
export const unitsIn = (commandName: string | undefined, output: unknown): typeof consumedUnits => {
  const answer = v.safeParse(Answer, output)
  const counts = answer.success ? [answer.output.ConsumedCapacity ?? []].flat() : []
  const units = counts.reduce((sum, { CapacityUnits }) => sum + CapacityUnits, 0)
  return WRITES.has(`${commandName}`) ? { read: 0, write: units } : { read: units, write: 0 }
}

/** Asks the engine for its count with every command, which costs no units, and adds it to `consumedUnits`. */
export const metered = (client: DynamoDBDocumentClient): DynamoDBDocumentClient => {
  client.middlewareStack.add(
    (next, context) => async (args) => {
      Object.assign(args.input, { ReturnConsumedCapacity: 'TOTAL' })
      const result = await next(args)
      const { read, write } = unitsIn(context['commandName'], result.output)
      consumedUnits.read += read
      consumedUnits.write += write
      return result
    },
    { step: 'initialize', name: 'capacityMeter' },
  )
  return client
}
