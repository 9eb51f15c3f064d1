import { CfnOutput, Duration, RemovalPolicy, Stack, type StackProps } from 'aws-cdk-lib'
import {
  AccessLogFormat,
  EndpointType,
  LambdaIntegration,
  LogGroupLogDestination,
  MethodLoggingLevel,
  Resource,
  RestApi,
  SecurityPolicy,
} from 'aws-cdk-lib/aws-apigateway'
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager'
import { LogGroup } from 'aws-cdk-lib/aws-logs'
import type { Construct } from 'constructs'
import { REMEDIES } from '#shared/platform/values/remedies.ts'
import { bundleName } from '../constructs/bundle.ts'
import { Firewall } from '../constructs/firewall.ts'
import { ALARM_PERIOD, ImpactAlarm } from '../constructs/impact-alarm.ts'
import { QueueConsumer } from '../constructs/queue-consumer.ts'
import { ServiceFunction } from '../constructs/service-function.ts'
import { tellOperator } from '../constructs/tell-operator.ts'
import { WatchedFunction } from '../constructs/watched-function.ts'
import { type Route, routes } from '../routes.ts'
import { settingsOf } from '../settings.ts'
import { WORKER_CONCURRENCY } from '../worker-concurrency.ts'
import type { DataStack } from './data-stack.ts'
import type { EventsStack } from './events-stack.ts'
import { acknowledgeApiRules, addGatewayResponses } from './gateway-responses.ts'
import { type Need, provide } from './needs.ts'

export interface ApiStackProps extends StackProps {
  readonly data: DataStack
  /** It is deployed first, so its queues are known. */
  readonly events: EventsStack
}

/**
 * No body, path, query string or header: they hold personal data and keys, and the path of an ingestion URL may be a source's only
 * credential. Errors are logged by type: a message may quote a header, and its quotes would break the line.
 */
const LOG_LINE = JSON.stringify({
  request_id: '$context.requestId',
  time: '$context.requestTime',
  ip: '$context.identity.sourceIp',
  method: '$context.httpMethod',
  route: '$context.resourcePath',
  status: '$context.status',
  milliseconds: '$context.responseLatency',
  bytes: '$context.responseLength',
  error: '$context.error.responseType',
  integration_error: '$context.integration.error',
})

/** The table of routes, in the form that the `not-found` function reads from `ROUTES`. */
const knownRoutes = routes
  .map(({ method, path, auth, api: { query = {} } }: Route) => {
    const names = Object.keys(query).join('&')
    return [method, names === '' ? path : `${path}?${names}`, ...(auth === 'token' ? [] : [auth])].join(' ')
  })
  .join(',')

/** For requests of clients: these are counted for the rate limit, and the answers to POST are stored. */
const requestNeeds = (name: string): readonly Need[] => {
  const asked = routes.filter((route) => route.function === name && (route.auth === 'token' || route.auth === 'ingestion'))
  if (asked.length === 0) return []
  return asked.some(({ method }) => method === 'POST') ? ['throttle', 'idempotency'] : ['throttle']
}

/** The REST API. Each route goes to its function, everything else to a function that answers 404 or 405. */
export class ApiStack extends Stack {
  /** Address of the API, without a trailing slash. */
  readonly baseUrl: string
  readonly #functions = new Map<string, LambdaIntegration>()
  readonly #data: DataStack
  readonly #events: EventsStack

  constructor(scope: Construct, id: string, { data, events, ...props }: ApiStackProps) {
    super(scope, id, props)
    this.#data = data
    this.#events = events
    const api = this.#makeApi()
    const { domainName, firewallRequests } = settingsOf(this)
    const given = `${api.restApiId}.execute-api.${this.region}.${this.urlSuffix}/${api.deploymentStage.stageName}`
    this.baseUrl = `https://${domainName || given}`
    // Always exported, even if the address needs neither: an export cannot be removed while another stack imports it.
    for (const part of [api.restApiId, api.deploymentStage.stageName]) this.exportValue(part)
    if (api.domainName) {
      new CfnOutput(this, 'DomainTarget', { value: api.domainName.domainNameAliasDomainName })
      new CfnOutput(this, 'DomainTargetZone', { value: api.domainName.domainNameAliasHostedZoneId })
    }
    if (firewallRequests > 0) new Firewall(this, 'Firewall', { stageArn: api.deploymentStage.stageArn, requests: firewallRequests })
    addGatewayResponses(api)
    for (const route of routes) {
      const resource = api.root.resourceForPath(route.path.slice(0, -1))
      resource.addMethod(route.method, this.#integration(route))
      // API Gateway leaves the body out of an answer to HEAD.
      if (route.method === 'GET') resource.addMethod('HEAD', this.#integration(route))
    }
    this.#answerEverythingElse(api)
    acknowledgeApiRules(api, { hasFirewall: firewallRequests > 0 })

    new QueueConsumer(this, 'ApplyUpdates', {
      name: 'workers/apply-updates',
      impact:
        'Accepted bulk updates are not applied: leads stay unchanged. Only changes that stop contact take effect, because they are written at once.',
      source: data.updates,
      batchSize: 10,
      maxConcurrency: WORKER_CONCURRENCY.applyUpdates,
      provisions: provide(
        data,
        'table:get',
        'table:batch-get',
        'table:query',
        'table:put',
        'table:update',
        'table:delete',
        'calls:send',
        'phone-hash',
        'calling-policy',
      ),
    })

    // One alarm for all functions of the API: the gateway counts each failed request, whether by a 500 answer, a crash or a timeout.
    new ImpactAlarm(this, 'ServerErrors', {
      impact: 'Clients and voice agents get errors (5xx) from the API. New leads and reports of call outcomes may not get through.',
      remedy: REMEDIES.ServerErrors,
      metric: api.metricServerError({ period: ALARM_PERIOD, statistic: 'Sum' }),
      covered: this.node
        .findAll()
        .filter((one) => one instanceof ServiceFunction)
        .filter((one) => !(one instanceof WatchedFunction)),
    })
    new CfnOutput(this, 'BaseUrl', { value: this.baseUrl })
    tellOperator(this, { PUBLIC_BASE_URL: this.baseUrl, PLATFORM_BASE_URL: this.baseUrl })
  }

  #makeApi(): RestApi {
    const { stage, logRetentionDays, requestsPerSecond, requestBurst, gatewayLogRole, domainName, certificateArn, closeGivenAddress } =
      settingsOf(this)
    const log = new LogGroup(this, 'AccessLog', { retention: logRetentionDays, removalPolicy: RemovalPolicy.DESTROY })
    return new RestApi(this, 'Rest', {
      restApiName: this.stackName,
      endpointTypes: [EndpointType.REGIONAL],
      // JSON too: otherwise the gateway would repair invalid bytes, which the functions must refuse.
      binaryMediaTypes: ['application/json', 'multipart/form-data', 'application/x-www-form-urlencoded'],
      cloudWatchRole: gatewayLogRole,
      disableExecuteApiEndpoint: closeGivenAddress,
      ...(domainName !== '' && {
        domainName: {
          domainName,
          certificate: Certificate.fromCertificateArn(this, 'Certificate', certificateArn),
          endpointType: EndpointType.REGIONAL,
          securityPolicy: SecurityPolicy.TLS_1_2,
        },
      }),
      deployOptions: {
        stageName: stage,
        accessLogDestination: new LogGroupLogDestination(log),
        accessLogFormat: AccessLogFormat.custom(LOG_LINE),
        loggingLevel: MethodLoggingLevel.OFF,
        throttlingRateLimit: requestsPerSecond,
        throttlingBurstLimit: requestBurst,
      },
    })
  }

  #integration({ function: name, impact, needs, timeoutSeconds, memoryMb, isReserved = false }: Route): LambdaIntegration {
    const known = this.#functions.get(name)
    if (known) return known
    const { lambda } = new ServiceFunction(this, bundleName(name), {
      name,
      impact,
      isReserved,
      provisions: [
        ...provide(this.#data, ...requestNeeds(name), ...needs),
        ...(needs.includes('queues:count') ? [this.#events.counting] : []),
      ],
      ...(timeoutSeconds !== undefined && { timeout: Duration.seconds(timeoutSeconds) }),
      ...(memoryMb !== undefined && { memoryMb }),
    })
    // One permission for each function, not two for each of its methods: a stack may hold 500 resources.
    const integration = new LambdaIntegration(lambda, { scopePermissionToMethod: false })
    this.#functions.set(name, integration)
    return integration
  }

  /**
   * Added to every resource. The gateway matches resource and method as a pair. A method that a literal resource lacks would go to its
   * sibling with a parameter: `DELETE /api/leads/update/` to the lead with the id `update`.
   */
  #answerEverythingElse(api: RestApi): void {
    const { lambda } = new ServiceFunction(this, 'not-found', {
      name: 'not-found',
      impact: 'Clients that request an unknown path, or use a wrong method, get a server error instead of 404 or 405.',
      // Authentication comes first: only clients with a key learn that a method is wrong.
      provisions: [...provide(this.#data, 'table:get'), { environment: { ROUTES: knownRoutes } }],
    })
    const notFound = new LambdaIntegration(lambda, { scopePermissionToMethod: false })
    api.root.resourceForPath('{proxy+}')
    for (const resource of [api.root, ...api.node.findAll().filter((child) => child instanceof Resource)])
      resource.addMethod('ANY', notFound)
  }
}
