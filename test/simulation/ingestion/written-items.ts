import { DescribeTableCommand, ListTablesCommand } from '@aws-sdk/client-dynamodb'
import { DescribeStreamCommand, GetRecordsCommand, GetShardIteratorCommand } from '@aws-sdk/client-dynamodb-streams'
import { dynamodbClient, streamsClient } from '#lib/local/events/start-event-sources.ts'

/** Number of writes to each item of the table, by partition and sort key. */
export type WrittenItems = ReadonlyMap<string, number>

/** Watches writes to the engine's only table from now on. @returns a function that gives the writes so far */
export const watchWrites = async (engineUrl: string): Promise<() => Promise<WrittenItems>> => {
  const [dynamodb, streams] = [dynamodbClient(engineUrl), streamsClient(engineUrl)]
  const { TableNames: [TableName] = [] } = await dynamodb.send(new ListTablesCommand({}))
  const { Table } = await dynamodb.send(new DescribeTableCommand({ TableName }))
  const StreamArn = Table?.LatestStreamArn
  const { StreamDescription } = await streams.send(new DescribeStreamCommand({ StreamArn }))
  const open = StreamDescription?.Shards?.filter(({ SequenceNumberRange }) => SequenceNumberRange?.EndingSequenceNumber === undefined) ?? []
  const iterators = await Promise.all(
    open.map(async ({ ShardId }) => {
      const asked = new GetShardIteratorCommand({ StreamArn, ShardId, ShardIteratorType: 'LATEST' })
      return (await streams.send(asked)).ShardIterator
    }),
  )
  return async () => {
    const written = new Map<string, number>()
    for (let iterator of iterators) {
      for (let isMore = true; iterator !== undefined && isMore; ) {
        const { Records = [], NextShardIterator } = await streams.send(new GetRecordsCommand({ ShardIterator: iterator, Limit: 1000 }))
        iterator = NextShardIterator
        isMore = Records.length > 0
        for (const { dynamodb: change } of Records) {
          const key = `${change?.Keys?.['pk']?.S} ${change?.Keys?.['sk']?.S}`
          written.set(key, (written.get(key) ?? 0) + 1)
        }
      }
    }
    dynamodb.destroy()
    streams.destroy()
    return written
  }
}
