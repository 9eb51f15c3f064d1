/** A permission that the exercise never uses, and the reason for it. */
export interface Excuse {
  readonly action: string
  /** Folders under `functions/`. */
  readonly functions: readonly string[]
  /** The excuse covers the resources whose names start with this text, such as `table/`. */
  readonly resource: string
  readonly reason: string
}

export const EXCUSES: readonly Excuse[] = [
  {
    action: 'dynamodb:BatchGetItem',
    functions: ['leads/update', 'workers/apply-updates'],
    resource: 'table/',
    reason: 'looks whether all leads of a phone know of a stop, when one that was accepted later came first',
  },
  {
    action: 'dynamodb:BatchGetItem',
    functions: ['workers/dispatch-due'],
    resource: 'table/',
    reason: 'reads leads that wait though a line is free, because the run that should have sent them crashed',
  },
  {
    action: 'dynamodb:PutItem',
    functions: ['agents/calendar-book'],
    resource: 'table/',
    reason: 'concludes a lead whose call ended while the calendar was being asked',
  },
  {
    action: 'dynamodb:Query',
    functions: ['ingestion/list-uploads'],
    resource: 'table/',
    reason: 'adds up the counts of the lanes of a large file',
  },
  {
    action: 'dynamodb:DeleteItem',
    functions: ['agents/platform-tools'],
    resource: 'table/',
    reason: 'replaces the email of a note, when an earlier note of the same moment is handled after it',
  },
  {
    action: 'dynamodb:PutItem',
    functions: ['webhooks/replay'],
    resource: 'table/',
    reason: 'adds the deliveries that an earlier run of the request did not write before it failed',
  },
  {
    action: 'dynamodb:UpdateItem',
    functions: ['webhooks/test'],
    resource: 'table/',
    reason: 'leaves a test to the sweep when the queue does not take its message',
  },
  {
    action: 'sqs:SendMessage',
    functions: ['workers/dispatch-due'],
    resource: 'UpdatesQueue',
    reason: 'sends an update again whose message was lost',
  },
  {
    action: 'sqs:SendMessage',
    functions: ['workers/dispatch-due'],
    resource: 'IngestionQueue',
    reason: 'sends a file on whose reading has crashed',
  },
  {
    action: 's3:GetObject',
    functions: ['workers/dispatch-due'],
    resource: 'uploads',
    reason: 'looks for a file that no event has named within an hour',
  },
  {
    action: 's3:ListBucket',
    functions: ['workers/dispatch-due'],
    resource: 'uploads',
    reason: 'learns from it that such a file is not there',
  },
  {
    action: 's3:GetObjectVersion',
    functions: ['workers/ingest-csv'],
    resource: 'uploads',
    reason: 'reads the version that came first, and the bucket of this machine keeps no versions',
  },
]
