import { Stack, type StackProps } from 'aws-cdk-lib'
import type { Construct } from 'constructs'
import { QueueConsumer } from '../constructs/queue-consumer.ts'
import { settingsOf } from '../settings.ts'
import type { DataStack } from './data-stack.ts'
import { provide } from './needs.ts'

export interface IngestionStackProps extends StackProps {
  readonly data: DataStack
}

/** From files in the bucket to leads. */
export class IngestionStack extends Stack {
  constructor(scope: Construct, id: string, { data, ...props }: IngestionStackProps) {
    super(scope, id, props)
    const { fileConcurrency, fileRowsPerSecond } = settingsOf(this)

    new QueueConsumer(this, 'IngestCsv', {
      name: 'workers/ingest-csv',
      impact: 'Uploaded files are not read, or not to the end: their leads are called late.',
      source: data.ingestion,
      batchSize: 1,
      maxConcurrency: fileConcurrency,
      // A whole processor: reading and mapping rows, and signing requests, keeps it busy.
      memoryMb: 1792,
      // A run that reaches its time limit sends a message to itself, to continue.
      causesItself: true,
      provisions: [
        ...provide(data, 'table:get', 'table:batch-get', 'table:query', 'table:put', 'table:update', 'table:delete'),
        ...provide(data, 'index:by-owner', 'phone-hash', 'calling-policy'),
        ...provide(data, 'uploads:read', 'rejected:write', 'ingestion:send', 'calls:send'),
        { environment: { ROWS_PER_SECOND: `${fileRowsPerSecond / fileConcurrency}` } },
      ],
    })
  }
}
