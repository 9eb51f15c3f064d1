/** An action that IAM must allow. */
export interface Call {
  readonly action: string
  /** Its ARN, with this machine's account and region. */
  readonly resource: string
  /** Partition of an item: the part of its key before the first `#`. */
  readonly partition?: string
  /** Keys of the encryption context, for encryption. */
  readonly context?: string
}

export interface HttpRequest {
  readonly method: string
  readonly path: string
  /** The header in which most services name the operation. */
  readonly target: string
  readonly body: string
}

type Json = Readonly<Record<string, unknown>>

const arn = (service: string, resource: string): string => `arn:aws:${service}:us-east-1:000000000000:${resource}`
const objects = (value: unknown): Json[] => (Array.isArray(value) ? value : [])
const entries = (value: unknown) => Object.entries(value as Record<string, Json>)

/** The partition of a key or an item, in DynamoDB's JSON. */
const partitionOf = (keyed: unknown): string => {
  const { pk } = keyed as { pk: { S: string } }
  return pk.S.split('#')[0]!
}

/** One action on one item. */
const onItem = (operation: string, table: unknown, keyed: unknown): Call => ({
  action: `dynamodb:${operation}`,
  resource: arn('dynamodb', `table/${table}`),
  partition: partitionOf(keyed),
})

/** A transaction needs the permissions of its parts. */
const PARTS: Readonly<Record<string, string>> = {
  Put: 'PutItem',
  Update: 'UpdateItem',
  Delete: 'DeleteItem',
  ConditionCheck: 'ConditionCheckItem',
}

const query = ({ TableName, IndexName, KeyConditionExpression, ExpressionAttributeValues }: Json): Call => {
  const resource = arn('dynamodb', `table/${TableName}${IndexName === undefined ? '' : `/index/${IndexName}`}`)
  const [, name = ''] = /= *(:\w+)/.exec(`${KeyConditionExpression}`) ?? []
  const [partition = ''] = `${(ExpressionAttributeValues as Record<string, { S: string }>)[name]?.S}`.split('#')
  return { action: 'dynamodb:Query', resource, partition }
}

const DYNAMODB: Readonly<Record<string, (asked: Json) => readonly Call[]>> = {
  GetItem: ({ TableName, Key }) => [onItem('GetItem', TableName, Key)],
  PutItem: ({ TableName, Item }) => [onItem('PutItem', TableName, Item)],
  UpdateItem: ({ TableName, Key }) => [onItem('UpdateItem', TableName, Key)],
  DeleteItem: ({ TableName, Key }) => [onItem('DeleteItem', TableName, Key)],
  Query: (asked) => [query(asked)],
  BatchGetItem: ({ RequestItems }) =>
    entries(RequestItems).flatMap(([table, { Keys }]) => objects(Keys).map((key) => onItem('BatchGetItem', table, key))),
  BatchWriteItem: ({ RequestItems }) =>
    entries(RequestItems).flatMap(([table, requests]) =>
      objects(requests).map(({ PutRequest, DeleteRequest }) =>
        onItem('BatchWriteItem', table, (PutRequest as Json | undefined)?.['Item'] ?? (DeleteRequest as Json)['Key']),
      ),
    ),
  TransactGetItems: ({ TransactItems }) =>
    objects(TransactItems).map(({ Get }) => onItem('GetItem', (Get as Json)['TableName'], (Get as Json)['Key'])),
  TransactWriteItems: ({ TransactItems }) =>
    objects(TransactItems).flatMap((item) =>
      entries(item).map(([part, { TableName, Key, Item }]) => onItem(PARTS[part]!, TableName, Key ?? Item)),
    ),
}

const queueArn = (url: unknown): string => arn('sqs', `${url}`.split('/').at(-1)!).replace(':000000000000:000000000000:', ':000000000000:')

const SERVICES: Readonly<Record<string, (operation: string, asked: Json) => readonly Call[]>> = {
  DynamoDB_20120810: (operation, asked) => {
    const read = DYNAMODB[operation]
    if (!read) throw new Error(`What ${operation} of DynamoDB asks leave for is not known.`)
    return read(asked)
  },
  // A batch needs the same permission as a single message.
  AmazonSQS: (operation, { QueueUrl }) => [{ action: `sqs:${operation.replace(/Batch$/, '')}`, resource: queueArn(QueueUrl) }],
  AWSEvents: (operation, { Entries }) =>
    objects(Entries).map(({ EventBusName }) => ({ action: `events:${operation}`, resource: arn('events', `event-bus/${EventBusName}`) })),
  secretsmanager: (operation, { SecretId }) => [{ action: `secretsmanager:${operation}`, resource: `${SecretId}` }],
  TrentService: (operation, { KeyId, EncryptionContext = {} }) => [
    {
      action: `kms:${operation}`,
      resource: `${KeyId}`,
      context: Object.keys(EncryptionContext as Json)
        .sort()
        .join(' '),
    },
  ],
}

const OBJECTS: Readonly<Record<string, string>> = { PUT: 'PutObject', POST: 'PutObject', HEAD: 'GetObject', DELETE: 'DeleteObject' }

/** A multipart upload needs the same permission as the whole object. */
const ofBucket = ({ method, path }: Pick<HttpRequest, 'method' | 'path'>): readonly Call[] => {
  const { pathname, searchParams } = new URL(path, 'http://bucket')
  const [bucket, ...key] = decodeURIComponent(pathname).slice(1).split('/')
  if (key.join('') === '') return [{ action: 's3:ListBucket', resource: `arn:aws:s3:::${bucket}` }]
  if (method === 'DELETE' && searchParams.has('uploadId'))
    return [{ action: 's3:AbortMultipartUpload', resource: `arn:aws:s3:::${bucket}/${key[0]}/*` }]
  const read = searchParams.has('versionId') ? 'GetObjectVersion' : 'GetObject'
  // Only the folder: the object's name differs each time.
  return [{ action: `s3:${OBJECTS[method] ?? read}`, resource: `arn:aws:s3:::${bucket}/${key[0]}/*` }]
}

/** Permissions that a request needs. @throws Error for an unknown service */
export const callsOf = (request: HttpRequest): readonly Call[] => {
  const [service = '', operation = ''] = request.target.split('.')
  const read = SERVICES[service]
  if (request.target === '') return ofBucket(request)
  if (!read) throw new Error(`The service ${service} is not known.`)
  return read(operation, JSON.parse(request.body))
}

const SIGNED = /https?:\/\/[^\s"'\\<>]+[?&]X-Amz-Signature=[^\s"'\\<>]+/g

/** Permissions behind signed URLs in a text. They belong to the function that signed the URLs. */
export const signedCallsIn = (text: string): readonly Call[] =>
  (text.match(SIGNED) ?? []).flatMap((url) => {
    const { pathname, search, searchParams } = new URL(url)
    return ofBucket({ method: searchParams.get('x-id') === 'PutObject' ? 'PUT' : 'GET', path: pathname + search })
  })
