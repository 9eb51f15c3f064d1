import { withoutEnd } from '../../without-end.ts'
import type { Endpoints } from '../model.ts'
import { type AwsPlace, arnOf, partition } from './arn.ts'

/** The results of `Ref` and `Fn::GetAtt` for a resource. */
export interface Identity {
  readonly name: string
  readonly ref: string
  readonly attributes: Readonly<Record<string, string>>
}

interface Kind {
  /** The property with the physical name. Without it, the logical id is the name. */
  readonly nameProperty?: string
  readonly nameFrom?: (logicalId: string, properties: Readonly<Record<string, unknown>>) => string
  readonly identify: (name: string, place: AwsPlace, endpoints: Endpoints) => Omit<Identity, 'name'>
}

/** Bucket names have 3–63 lower-case letters, digits and inner dashes. The end of a logical id is its distinctive part, so it is kept. */
const bucketName = (logicalId: string): string =>
  withoutEnd(
    logicalId
      .toLowerCase()
      .replaceAll(/[^a-z0-9-]/g, '-')
      .slice(-63)
      .replace(/^-+/, ''),
    '-',
  ).padEnd(3, '0')

const named = (service: string, prefix = '') => ({
  identify: (name: string, place: AwsPlace) => ({ ref: name, attributes: { Arn: arnOf(place, service, `${prefix}${name}`) } }),
})

const table: Kind = {
  nameProperty: 'TableName',
  nameFrom: (logicalId) => logicalId.padEnd(3, '0'),
  identify: (name, place) => {
    const arn = arnOf(place, 'dynamodb', `table/${name}`)
    const stream = `${arn}/stream/local`
    return { ref: name, attributes: { Arn: arn, StreamArn: stream, TableStreamArn: stream } }
  },
}

const kinds: Readonly<Record<string, Kind>> = {
  'AWS::ApiGateway::Deployment': { identify: (name) => ({ ref: name, attributes: { DeploymentId: name } }) },
  'AWS::ApiGateway::Resource': { identify: (name) => ({ ref: name, attributes: { ResourceId: name } }) },
  'AWS::ApiGateway::RestApi': { identify: (name) => ({ ref: name, attributes: { RestApiId: name, RootResourceId: `${name}/` } }) },
  'AWS::ApiGateway::Stage': { nameProperty: 'StageName', identify: (name) => ({ ref: name, attributes: {} }) },
  'AWS::DynamoDB::GlobalTable': table,
  'AWS::DynamoDB::Table': table,
  'AWS::Events::EventBus': {
    nameProperty: 'Name',
    identify: (name, place) => ({ ref: name, attributes: { Arn: arnOf(place, 'events', `event-bus/${name}`), Name: name } }),
  },
  'AWS::Events::Rule': { nameProperty: 'Name', ...named('events', 'rule/') },
  'AWS::IAM::Role': {
    nameProperty: 'RoleName',
    identify: (name, place) => ({ ref: name, attributes: { Arn: `arn:${partition}:iam::${place.account}:role/${name}`, RoleId: name } }),
  },
  'AWS::KMS::Key': { identify: (name, place) => ({ ref: name, attributes: { Arn: arnOf(place, 'kms', `key/${name}`), KeyId: name } }) },
  'AWS::Lambda::Function': { nameProperty: 'FunctionName', ...named('lambda', 'function:') },
  'AWS::Logs::LogGroup': { nameProperty: 'LogGroupName', ...named('logs', 'log-group:') },
  'AWS::S3::Bucket': {
    nameProperty: 'BucketName',
    nameFrom: bucketName,
    identify: (name, place) => ({
      ref: name,
      attributes: {
        Arn: `arn:${partition}:s3:::${name}`,
        DomainName: `${name}.s3.amazonaws.com`,
        RegionalDomainName: `${name}.s3.${place.region}.amazonaws.com`,
      },
    }),
  },
  'AWS::Scheduler::Schedule': { nameProperty: 'Name', ...named('scheduler', 'schedule/default/') },
  'AWS::SecretsManager::Secret': {
    nameProperty: 'Name',
    identify: (name, place) => {
      // Secrets Manager ends every ARN with a dash and six characters. Code that takes the name from an ARN relies on that.
      const arn = arnOf(place, 'secretsmanager', `secret:${name}-000000`)
      return { ref: arn, attributes: { Id: arn } }
    },
  },
  'AWS::SNS::Topic': {
    nameProperty: 'TopicName',
    identify: (name, place) => ({ ref: arnOf(place, 'sns', name), attributes: { TopicArn: arnOf(place, 'sns', name), TopicName: name } }),
  },
  'AWS::SQS::Queue': {
    nameProperty: 'QueueName',
    nameFrom: (logicalId, properties) => (properties['FifoQueue'] === true ? `${logicalId.slice(-75)}.fifo` : logicalId.slice(-80)),
    identify: (name, place, endpoints) => {
      const url = `${endpoints.sqs}/${place.account}/${name}`
      return { ref: url, attributes: { Arn: arnOf(place, 'sqs', name), QueueName: name, QueueUrl: url } }
    },
  },
}

export const kindOf = (type: string): Kind | undefined => kinds[type]
