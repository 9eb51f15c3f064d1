import { describe, expect, it } from '@jest/globals'
import { callsOf, signedCallsIn } from '#test/permissions/calls.ts'
import { compare, groundless } from '#test/permissions/compare.ts'
import type { Grant } from '#test/permissions/grants.ts'
import { tableOf } from '#test/permissions/table.ts'

const TABLE = 'arn:aws:dynamodb:us-east-1:000000000000:table/leads'
const key = (pk: string) => ({ pk: { S: pk }, sk: { S: 'LEAD' } })

const dynamodb = (operation: string, body: object) =>
  callsOf({ method: 'POST', path: '/', target: `DynamoDB_20120810.${operation}`, body: JSON.stringify(body) })
const post = (target: string, body: object) => callsOf({ method: 'POST', path: '/', target, body: JSON.stringify(body) })
const bucket = (method: string, path: string) => callsOf({ method, path, target: '', body: '' })

describe('what IAM is asked for', () => {
  it('is one action on the table for an item, whose partition is told', () => {
    expect(dynamodb('GetItem', { TableName: 'leads', Key: key('LEAD#1') })).toEqual([
      { action: 'dynamodb:GetItem', resource: TABLE, partition: 'LEAD' },
    ])
    expect(dynamodb('BatchGetItem', { RequestItems: { leads: { Keys: [key('LEAD#1'), key('PHONE#a#b')] } } })).toEqual([
      { action: 'dynamodb:BatchGetItem', resource: TABLE, partition: 'LEAD' },
      { action: 'dynamodb:BatchGetItem', resource: TABLE, partition: 'PHONE' },
    ])
    const requests = [{ PutRequest: { Item: key('TASK#1') } }, { DeleteRequest: { Key: key('DELIVERY#1') } }]
    expect(dynamodb('BatchWriteItem', { RequestItems: { leads: requests } }).map(({ partition }) => partition)).toEqual([
      'TASK',
      'DELIVERY',
    ])
  })

  it('is for a transaction what its parts are', () => {
    const TransactItems = [
      { Put: { TableName: 'leads', Item: key('LEAD#1') } },
      { Update: { TableName: 'leads', Key: key('PHONE#a#b') } },
      { Delete: { TableName: 'leads', Key: key('EMAIL#1#a') } },
      { ConditionCheck: { TableName: 'leads', Key: key('LINES#1') } },
    ]
    expect(dynamodb('TransactWriteItems', { TransactItems }).map(({ action, partition }) => `${action} ${partition}`)).toEqual([
      'dynamodb:PutItem LEAD',
      'dynamodb:UpdateItem PHONE',
      'dynamodb:DeleteItem EMAIL',
      'dynamodb:ConditionCheckItem LINES',
    ])
  })

  it('is for a query the index, where it asks one', () => {
    const asked = { TableName: 'leads', KeyConditionExpression: 'due_key = :key', ExpressionAttributeValues: { ':key': { S: 'CALL#3' } } }
    expect(dynamodb('Query', asked)).toEqual([{ action: 'dynamodb:Query', resource: TABLE, partition: 'CALL' }])
    expect(dynamodb('Query', { ...asked, IndexName: 'by_due' })).toEqual([
      { action: 'dynamodb:Query', resource: `${TABLE}/index/by_due`, partition: 'CALL' },
    ])
  })

  it('is for many messages what it is for one', () => {
    expect(post('AmazonSQS.SendMessageBatch', { QueueUrl: 'http://127.0.0.1:1/000000000000/calls', Entries: [] })).toEqual([
      { action: 'sqs:SendMessage', resource: 'arn:aws:sqs:us-east-1:000000000000:calls' },
    ])
  })

  it('is told by what a key is bound to, and by the folder of an object', () => {
    const bound = { KeyId: 'key', EncryptionContext: { subscription: '1', owner: '2' } }
    expect(post('TrentService.Decrypt', bound)).toEqual([{ action: 'kms:Decrypt', resource: 'key', context: 'owner subscription' }])
    const object = 'arn:aws:s3:::files/uploads/*'
    expect(bucket('GET', '/files/uploads/1/a.csv')).toEqual([{ action: 's3:GetObject', resource: object }])
    expect(bucket('GET', '/files/uploads/1/a.csv?versionId=2')).toEqual([{ action: 's3:GetObjectVersion', resource: object }])
    expect(bucket('POST', '/files/uploads/1/a.csv?uploads')).toEqual([{ action: 's3:PutObject', resource: object }])
    expect(bucket('GET', '/files?list-type=2&prefix=uploads')).toEqual([{ action: 's3:ListBucket', resource: 'arn:aws:s3:::files' }])
  })

  it('is refused to be guessed', () => {
    expect(() => dynamodb('Scan', { TableName: 'leads' })).toThrow('What Scan of DynamoDB asks leave for is not known.')
    expect(() => post('Logs_20140328.PutLogEvents', {})).toThrow('The service Logs_20140328 is not known.')
  })

  it('is found in URLs that a function has signed for others', () => {
    const text = '{"signed_url":"http://127.0.0.1:1/files/uploads/1/a.csv?X-Amz-Date=1&X-Amz-Signature=abc&x-id=PutObject"}'
    expect(signedCallsIn(JSON.stringify({ body: text }))).toEqual([{ action: 's3:PutObject', resource: 'arn:aws:s3:::files/uploads/*' }])
    expect(signedCallsIn('{"url":"http://127.0.0.1:1/files"}')).toEqual([])
  })
})

const grant = (action: string, more: Partial<Grant> = {}): Grant => ({ action, resource: TABLE, byLambda: false, ...more })
const call = (action: string, partition: string) => ({ action, resource: TABLE, partition })

describe('the comparison', () => {
  const grants = [
    grant('dynamodb:GetItem'),
    grant('dynamodb:UpdateItem', { partitions: ['THROTTLE'] }),
    grant('dynamodb:PutItem'),
    grant('logs:PutLogEvents', { byLambda: true }),
    grant('dynamodb:DeleteItem'),
  ]
  const excuses = [{ action: 'dynamodb:DeleteItem', functions: ['leads/create'], resource: 'table/', reason: 'only in a race' }]
  const verdicts = (calls: Parameters<typeof compare>[1]) =>
    compare({ name: 'leads/create', grants }, calls, excuses).map(({ action, limit, verdict }) => [action, limit, verdict].join(' '))

  it('tells what was used, what is allowed for nothing, and what is missing', () => {
    expect(verdicts([call('dynamodb:GetItem', 'LEAD'), call('dynamodb:UpdateItem', 'LEAD')])).toEqual([
      'dynamodb:GetItem  used',
      'dynamodb:UpdateItem THROTTLE# surplus',
      'dynamodb:PutItem  surplus',
      'logs:PutLogEvents  Lambda',
      'dynamodb:DeleteItem  excused',
      'dynamodb:UpdateItem LEAD missing',
    ])
  })

  it('takes an excuse for no other resource, and none at all for what was used', () => {
    const other = [{ ...excuses[0]!, resource: 'table/others' }]
    expect(compare({ name: 'leads/create', grants }, [], other).at(-1)?.verdict).toBe('surplus')
    expect(verdicts([call('dynamodb:DeleteItem', 'EMAIL')]).at(-1)).toBe('dynamodb:DeleteItem  used')
  })

  it('counts a call for the narrowest of what allows it, so that what is wider has to be of use itself', () => {
    const both = [grant('dynamodb:UpdateItem'), grant('dynamodb:UpdateItem', { partitions: ['THROTTLE'] })]
    const found = compare({ name: 'leads/create', grants: both }, [call('dynamodb:UpdateItem', 'THROTTLE')], [])
    expect(found.map(({ limit, verdict }) => `${limit} ${verdict}`)).toEqual([' surplus', 'THROTTLE# used'])
  })

  it('names excuses for what is not allowed any more', () => {
    const findings = compare({ name: 'leads/create', grants }, [], excuses)
    expect(groundless(excuses, findings)).toEqual([])
    expect(groundless([{ ...excuses[0]!, functions: ['leads/create', 'leads/list'] }], findings)).toEqual([
      'leads/list: dynamodb:DeleteItem on table/…',
    ])
  })

  it('is a table that ends with how many there are of each', () => {
    const table = tableOf(compare({ name: 'leads/create', grants }, [], excuses))
    expect(table).toMatch(/^leads\/create\n {2}dynamodb:GetItem on table\/leads +SURPLUS: allowed, not seen\n/)
    expect(table).toMatch(/allowed, not seen: only in a race\n/)
    expect(table).toMatch(/SURPLUS: allowed, not seen: 3; MISSING: seen, not allowed: 0\.\nThese do not agree\.\n$/)
  })
})
