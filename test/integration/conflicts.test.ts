import { TransactionConflictException } from '@aws-sdk/client-dynamodb'
import { DynamoDBDocumentClient, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { mockClient } from 'aws-sdk-client-mock'
import { releaseLine } from '#shared/calling/line-store.ts'
import { putItem } from '#shared/platform/table/table.ts'
import { raiseDnc } from '#shared/stops/flag-store.ts'

/** The engine of the tests never raises it. DynamoDB raises it for a write to an item that a transaction holds. */
const conflict = new TransactionConflictException({ $metadata: {}, message: 'Transaction is ongoing for the item' })

const table = mockClient(DynamoDBDocumentClient)

beforeEach(() => {
  process.env['TABLE_NAME'] = 'leads'
  table.reset()
})
afterEach(() => {
  table.reset()
})

describe('a write that conflicts with a transaction', () => {
  it('a write that conflicts with a transaction is retried until it succeeds', async () => {
    table.on(UpdateCommand).rejectsOnce(conflict).rejectsOnce(conflict).resolves({})
    await releaseLine({ owner: 1, call_id: '7-1', line_group: null })
    await raiseDnc('PHONE#1#hash', ['call'], { accepted: '', owner: 1, origin: { means: 'api' } })
    expect(table.commandCalls(UpdateCommand)).toHaveLength(4)
    table.on(PutCommand).rejectsOnce(conflict).resolves({})
    await putItem({ pk: 'a', sk: 'b' })
    expect(table.commandCalls(PutCommand)).toHaveLength(2)
  })

  it('a write that conflicts with a transaction fails when the conflict persists', async () => {
    table.on(UpdateCommand).rejects(conflict)
    await expect(releaseLine({ owner: 1, call_id: '7-1', line_group: null })).rejects.toThrow('ongoing')
  })

  it('a write to the table is not retried after any error but a conflict', async () => {
    table.on(UpdateCommand).rejects(new Error('no'))
    await expect(releaseLine({ owner: 1, call_id: '7-1', line_group: null })).rejects.toThrow('no')
    expect(table.commandCalls(UpdateCommand)).toHaveLength(1)
  })
})
