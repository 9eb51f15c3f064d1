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

describe('an AWS request', () => {
  it('a request to the table needs one action for each partition that it names', () => {
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

  it('a transaction needs the action of each of its parts', () => {
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

  it('a query of an index needs permission for it', () => {
    const asked = { TableName: 'leads', KeyConditionExpression: 'due_key = :key', ExpressionAttributeValues: { ':key': { S: 'CALL#3' } } }
    expect(dynamodb('Query', asked)).toEqual([{ action: 'dynamodb:Query', resource: TABLE, partition: 'CALL' }])
    expect(dynamodb('Query', { ...asked, IndexName: 'by_due' })).toEqual([
      { action: 'dynamodb:Query', resource: `${TABLE}/index/by_due`, partition: 'CALL' },
    ])
  })

  it('a batch of messages needs one permission', () => {
    expect(post('AmazonSQS.SendMessageBatch', { QueueUrl: 'http://127.0.0.1:1/000000000000/calls', Entries: [] })).toEqual([
      { action: 'sqs:SendMessage', resource: 'arn:aws:sqs:us-east-1:000000000000:calls' },
    ])
  })

  it('a permission is limited by the encryption context of a key or the folder of an object', () => {
    const bound = { KeyId: 'key', EncryptionContext: { subscription: '1', owner: '2' } }
    expect(post('TrentService.Decrypt', bound)).toEqual([{ action: 'kms:Decrypt', resource: 'key', context: 'owner subscription' }])
    const object = 'arn:aws:s3:::files/uploads/*'
    expect(bucket('GET', '/files/uploads/1/a.csv')).toEqual([{ action: 's3:GetObject', resource: object }])
    expect(bucket('GET', '/files/uploads/1/a.csv?versionId=2')).toEqual([{ action: 's3:GetObjectVersion', resource: object }])
    expect(bucket('POST', '/files/uploads/1/a.csv?uploads')).toEqual([{ action: 's3:PutObject', resource: object }])
    expect(bucket('GET', '/files?list-type=2&prefix=uploads')).toEqual([{ action: 's3:ListBucket', resource: 'arn:aws:s3:::files' }])
  })

  it('an AWS request is refused when its permission is unknown', () => {
    expect(() => dynamodb('Scan', { TableName: 'leads' })).toThrow('What Scan of DynamoDB asks leave for is not known.')
    expect(() => post('Logs_20140328.PutLogEvents', {})).toThrow('The service Logs_20140328 is not known.')
  })

  it('an AWS request is recognised in a signed URL that a function returns', () => {
    const text = '{"signed_url":"http://127.0.0.1:1/files/uploads/1/a.csv?X-Amz-Date=1&X-Amz-Signature=abc&x-id=PutObject"}'
    expect(signedCallsIn(JSON.stringify({ body: text }))).toEqual([{ action: 's3:PutObject', resource: 'arn:aws:s3:::files/uploads/*' }])
    expect(signedCallsIn('{"url":"http://127.0.0.1:1/files"}')).toEqual([])
  })
})

const grant = (action: string, more: Partial<Grant> = {}): Grant => ({ action, resource: TABLE, byLambda: false, ...more })
const call = (action: string, partition: string) => ({ action, resource: TABLE, partition })

describe('the comparison of permissions', () => {
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

  it('the comparison of permissions shows used, surplus, excused and missing ones', () => {
    expect(verdicts([call('dynamodb:GetItem', 'LEAD'), call('dynamodb:UpdateItem', 'LEAD')])).toEqual([
      'dynamodb:GetItem  used',
      'dynamodb:UpdateItem THROTTLE# surplus',
      'dynamodb:PutItem  surplus',
      'logs:PutLogEvents  Lambda',
      'dynamodb:DeleteItem  excused',
      'dynamodb:UpdateItem LEAD missing',
    ])
  })

  it('the comparison of permissions limits an excuse to its resource, and ignores it for a used permission', () => {
    const other = [{ ...excuses[0]!, resource: 'table/others' }]
    expect(compare({ name: 'leads/create', grants }, [], other).at(-1)?.verdict).toBe('surplus')
    expect(verdicts([call('dynamodb:DeleteItem', 'EMAIL')]).at(-1)).toBe('dynamodb:DeleteItem  used')
  })

  it('the comparison of permissions credits a call to the narrowest grant that allows it', () => {
    const both = [grant('dynamodb:UpdateItem'), grant('dynamodb:UpdateItem', { partitions: ['THROTTLE'] })]
    const found = compare({ name: 'leads/create', grants: both }, [call('dynamodb:UpdateItem', 'THROTTLE')], [])
    expect(found.map(({ limit, verdict }) => `${limit} ${verdict}`)).toEqual([' surplus', 'THROTTLE# used'])
  })

  it('the comparison of permissions reports excuses for permissions that no longer exist', () => {
    const findings = compare({ name: 'leads/create', grants }, [], excuses)
    expect(groundless(excuses, findings)).toEqual([])
    expect(groundless([{ ...excuses[0]!, functions: ['leads/create', 'leads/list'] }], findings)).toEqual([
      'leads/list: dynamodb:DeleteItem on table/…',
    ])
  })

  it('the comparison of permissions prints a table that ends with the totals', () => {
    const table = tableOf(compare({ name: 'leads/create', grants }, [], excuses))
    expect(table).toMatch(/^leads\/create\n {2}dynamodb:GetItem on table\/leads +SURPLUS: allowed, not seen\n/)
    expect(table).toMatch(/allowed, not seen: only in a race\n/)
    expect(table).toMatch(/SURPLUS: allowed, not seen: 3; MISSING: seen, not allowed: 0\.\nThese do not agree\.\n$/)
  })
})
