import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { App, Duration, Stack } from 'aws-cdk-lib'
import * as apigateway from 'aws-cdk-lib/aws-apigateway'
import * as dynamodb from 'aws-cdk-lib/aws-dynamodb'
import * as events from 'aws-cdk-lib/aws-events'
import * as targets from 'aws-cdk-lib/aws-events-targets'
import * as lambda from 'aws-cdk-lib/aws-lambda'
import * as sources from 'aws-cdk-lib/aws-lambda-event-sources'
import * as s3 from 'aws-cdk-lib/aws-s3'
import * as notifications from 'aws-cdk-lib/aws-s3-notifications'
import * as secretsmanager from 'aws-cdk-lib/aws-secretsmanager'
import * as sqs from 'aws-cdk-lib/aws-sqs'

const codeFolder = (folder: string, name: string): string => {
  const path = join(folder, name)
  mkdirSync(path)
  writeFileSync(join(path, 'index.mjs'), `export const handler = async () => '${name}'`)
  return path
}

/** Synthesises an app below `folder`, with one of everything that the local run supports. @returns the output folder */
export const synthesiseSample = (folder: string): string => {
  const app = new App({ outdir: join(folder, 'out'), analyticsReporting: false })
  const [data, api, work] = [new Stack(app, 'Data'), new Stack(app, 'Api'), new Stack(app, 'Work')]
  const text = dynamodb.AttributeType.STRING
  const code = { answer: lambda.Code.fromAsset(codeFolder(folder, 'answer')), work: lambda.Code.fromAsset(codeFolder(folder, 'work')) }
  const runtime = { runtime: lambda.Runtime.NODEJS_24_X, handler: 'index.handler' }

  const table = new dynamodb.TableV2(data, 'Table', {
    partitionKey: { name: 'pk', type: text },
    sortKey: { name: 'sk', type: text },
    timeToLiveAttribute: 'expires_at',
    dynamoStream: dynamodb.StreamViewType.NEW_AND_OLD_IMAGES,
    globalSecondaryIndexes: [
      { indexName: 'by_due', partitionKey: { name: 'due_key', type: text }, projectionType: dynamodb.ProjectionType.KEYS_ONLY },
    ],
  })
  const dead = new sqs.Queue(data, 'Dead')
  const queue = new sqs.Queue(data, 'Queue', {
    visibilityTimeout: Duration.seconds(180),
    deadLetterQueue: { queue: dead, maxReceiveCount: 5 },
  })
  const bus = new events.EventBus(data, 'Bus')
  const secret = new secretsmanager.Secret(data, 'Secret', { generateSecretString: { passwordLength: 64 } })

  const rest = new apigateway.RestApi(api, 'Rest', {
    binaryMediaTypes: ['multipart/form-data'],
    deployOptions: { stageName: 'v1' },
    cloudWatchRole: false,
  })
  rest.addGatewayResponse('TooLarge', {
    type: apigateway.ResponseType.REQUEST_TOO_LARGE,
    statusCode: '413',
    templates: { 'application/json': '{"detail": $context.error.messageString}' },
    responseHeaders: { 'X-Request-Id': 'context.requestId', 'X-Kind': "'gateway'" },
  })
  const environment = {
    TABLE_NAME: table.tableName,
    CALL_QUEUE_URL: queue.queueUrl,
    EVENT_BUS_NAME: bus.eventBusName,
    KEY_ARN: secret.secretArn,
  }
  const answer = new lambda.Function(api, 'Answer', { ...runtime, code: code.answer, environment })
  const integration = new apigateway.LambdaIntegration(answer)
  const leads = rest.root.addResource('api').addResource('leads')
  leads.addMethod('POST', integration)
  leads.addResource('{id}').addMethod('GET', integration)
  rest.root.addMethod('ANY', integration)
  rest.root.addResource('{proxy+}').addMethod('ANY', integration)

  const worker = new lambda.Function(work, 'Worker', {
    ...runtime,
    code: code.work,
    timeout: Duration.seconds(30),
    memorySize: 512,
    environment: {
      PUBLIC_BASE_URL: rest.url,
      LEADS_URL: rest.urlForPath('/api/leads'),
      STREAM: table.tableStreamArn ?? '',
      LAST_PART: queue.queueName,
      NUMBER: work.stackName,
    },
  })
  worker.addEventSource(new sources.SqsEventSource(queue, { batchSize: 1, maxConcurrency: 5, reportBatchItemFailures: true }))
  new lambda.EventSourceMapping(work, 'Stream', {
    target: worker,
    eventSourceArn: table.tableStreamArn ?? '',
    startingPosition: lambda.StartingPosition.TRIM_HORIZON,
    batchSize: 50,
    maxBatchingWindow: Duration.seconds(1),
    retryAttempts: 7,
    bisectBatchOnError: true,
    reportBatchItemFailures: true,
    onFailure: new sources.SqsDlq(dead),
    filters: [lambda.FilterCriteria.filter({ eventName: lambda.FilterRule.isEqual('INSERT') })],
  })
  new lambda.EventSourceMapping(work, 'Off', { target: worker, eventSourceArn: dead.queueArn, enabled: false })
  const eventsQueue = new sqs.Queue(work, 'Events')
  new events.Rule(work, 'EachMinute', {
    schedule: events.Schedule.rate(Duration.minutes(1)),
    targets: [new targets.LambdaFunction(worker)],
  })
  new events.Rule(work, 'ToEvents', {
    eventBus: bus,
    eventPattern: { source: ['lead-outreach'], detail: { owner: [{ exists: true }] } },
    targets: [new targets.SqsQueue(eventsQueue)],
  })
  const cors = [{ allowedMethods: [s3.HttpMethods.PUT], allowedOrigins: ['https://leads.example.com'] }]
  const uploads = new s3.Bucket(work, 'Uploads', { cors })
  uploads.addEventNotification(s3.EventType.OBJECT_CREATED, new notifications.LambdaDestination(worker), { prefix: 'in/', suffix: '.csv' })
  new s3.CfnBucket(work, 'Plain', {
    notificationConfiguration: { queueConfigurations: [{ event: 's3:ObjectRemoved:*', queue: eventsQueue.queueArn }] },
  })
  return app.synth({ skipValidation: true }).directory
}
