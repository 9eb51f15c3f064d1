import { ArnFormat, Duration, Stack, type StackProps } from 'aws-cdk-lib'
import {
  Alarm,
  AlarmStatusWidget,
  AlarmStatusWidgetSortBy,
  Dashboard,
  GraphWidget,
  type IMetric,
  type IWidget,
  Metric,
  TextWidget,
} from 'aws-cdk-lib/aws-cloudwatch'
import type { TableV2 } from 'aws-cdk-lib/aws-dynamodb'
import { Construct, type IConstruct } from 'constructs'
import { FAILURES, METRIC_NAMESPACE, type MetricName } from '#shared/platform/metrics.ts'
import { DeadLetters } from '../constructs/dead-letters.ts'
import { ImpactAlarm } from '../constructs/impact-alarm.ts'
import { ServiceFunction } from '../constructs/service-function.ts'
import { StreamConsumer } from '../constructs/stream-consumer.ts'
import { WorkQueue } from '../constructs/work-queue.ts'
import { settingsOf } from '../settings.ts'
import type { ApiStack } from './api-stack.ts'
import type { DataStack } from './data-stack.ts'

interface ServiceDashboardProps {
  /** Root of all watched constructs. */
  readonly watched: IConstruct
  readonly table: TableV2
  /** Name of the API. */
  readonly api: string
}

const WIDTH = 24
const PERIOD = Duration.minutes(1)

const TEXT = `The alarms show what is wrong now. The text of each alarm says what is broken, and for whom. The graphs below follow a lead: \
the API accepts it, an agent calls it, customers get its events. Dead letters wait 14 days for a person.`

/** The part of a construct's path below its stack: the name that people know it by. */
const nameOf = (construct: IConstruct): string => construct.node.path.split('/').slice(1).join(' ')

/** The state of the service on one page of CloudWatch. */
class ServiceDashboard extends Construct {
  readonly #stage: string

  constructor(scope: Construct, id: string, { watched, table, api }: ServiceDashboardProps) {
    super(scope, id)
    this.#stage = settingsOf(this).stage
    const constructs = watched.node.findAll()
    const queues = constructs.filter((one) => one instanceof WorkQueue)
    const functions = constructs.filter((one) => one instanceof ServiceFunction)
    const followers = constructs.filter((one) => one instanceof StreamConsumer)
    const ofApi = (metricName: string, statistic: string, label: string) =>
      new Metric({ namespace: 'AWS/ApiGateway', metricName, dimensionsMap: { ApiName: api }, statistic, label, period: PERIOD })

    new Dashboard(this, 'Dashboard', {
      dashboardName: `lead-outreach-${this.#stage}`,
      defaultInterval: Duration.hours(3),
      widgets: [
        [new TextWidget({ markdown: TEXT, width: WIDTH, height: 2 })],
        this.#alarms(constructs.filter((one) => one instanceof ImpactAlarm)),
        row(
          graph('Requests', [
            this.#own('requests_2xx'),
            this.#own('requests_4xx'),
            this.#own('requests_5xx'),
            ofApi('5XXError', 'Sum', 'gateway 5xx'),
          ]),
          graph('Response time (ms)', [
            ofApi('Latency', 'p50', 'median'),
            ofApi('Latency', 'p95', '95 %'),
            ofApi('Latency', 'p99', '99 %'),
          ]),
          graph('Rows of files', [this.#own('rows_ingested'), this.#own('rows_rejected')]),
        ),
        row(
          graph('Calls started', [this.#own('calls_started'), this.#own('calls_FAILED')]),
          graph('Delay of calls (ms)', [this.#own('call_lateness', 'p50'), this.#own('call_lateness', 'p99')]),
          graph('Leads overdue', [this.#own('leads_overdue', 'Maximum')]),
        ),
        row(
          graph('Webhook attempts', [this.#own('deliveries_delivered'), this.#own('deliveries_pending'), this.#own('deliveries_failed')]),
          graph('Response time of destinations (ms)', [this.#own('delivery_duration', 'p50'), this.#own('delivery_duration', 'p99')]),
          graph('Lag of the stream (ms)', ofLambda(followers, 'IteratorAge', 'Maximum')),
        ),
        row(
          graph(
            'Waiting messages',
            queues.map((one) => one.queue.metricApproximateNumberOfMessagesVisible({ label: nameOf(one), period: PERIOD })),
          ),
          graph(
            'Age of the oldest waiting message (s)',
            queues.map((one) => one.queue.metricApproximateAgeOfOldestMessage({ label: nameOf(one), period: PERIOD })),
          ),
          graph(
            'Dead letters',
            constructs
              .filter((one) => one instanceof DeadLetters)
              .map((one) => one.queue.metricApproximateNumberOfMessagesVisible({ label: nameOf(one), period: PERIOD })),
          ),
        ),
        row(
          graph('Functions that fail', [...this.#failures(functions), ...ofLambda(functions, 'Errors', 'Sum', ', crashed')]),
          graph('Throttled functions', ofLambda(functions, 'Throttles')),
          graph('Capacity units of the table', [
            table.metricConsumedReadCapacityUnits({ label: 'read', statistic: 'Sum', period: PERIOD }),
            table.metricConsumedWriteCapacityUnits({ label: 'written', statistic: 'Sum', period: PERIOD }),
          ]),
        ),
      ],
    })
  }

  /** One list for each stack, active alarms first. Refers to alarms by name: an export for each would tie the stacks together. */
  #alarms(alarms: readonly ImpactAlarm[]): IWidget[] {
    const stacks = [...new Set(alarms.map((one) => Stack.of(one)))]
    return stacks.map((stack) => {
      const own = alarms.filter((one) => Stack.of(one) === stack)
      const arnOf = ({ name }: ImpactAlarm) =>
        Stack.of(this).formatArn({ service: 'cloudwatch', resource: 'alarm', resourceName: name, arnFormat: ArnFormat.COLON_RESOURCE_NAME })
      return new AlarmStatusWidget({
        title: stack.node.id,
        alarms: own.map((one) => Alarm.fromAlarmArn(this, one.name, arnOf(one))),
        sortBy: AlarmStatusWidgetSortBy.STATE_UPDATED_TIMESTAMP,
        width: Math.floor(WIDTH / stacks.length),
        height: 6,
      })
    })
  }

  #failures(functions: readonly ServiceFunction[]): IMetric[] {
    return functions.map(
      (one) =>
        new Metric({
          namespace: METRIC_NAMESPACE,
          metricName: FAILURES.name,
          dimensionsMap: { stage: this.#stage, function: one.functionName },
          statistic: 'Sum',
          label: nameOf(one),
          period: PERIOD,
        }),
    )
  }

  /** A metric that the functions write themselves. */
  #own(metricName: MetricName, statistic = 'Sum'): IMetric {
    const label = statistic === 'Sum' ? metricName.replaceAll('_', ' ') : statistic
    return new Metric({ namespace: METRIC_NAMESPACE, metricName, dimensionsMap: { stage: this.#stage }, statistic, label, period: PERIOD })
  }
}

/** Refers to functions by name, as for alarms. */
const ofLambda = (functions: readonly ServiceFunction[], metricName: string, statistic = 'Sum', labelEnd = ''): IMetric[] =>
  functions.map(
    ({ functionName, lambda }) =>
      new Metric({
        namespace: 'AWS/Lambda',
        metricName,
        dimensionsMap: { FunctionName: functionName },
        statistic,
        label: `${nameOf(lambda.node.scope ?? lambda)}${labelEnd}`,
        period: PERIOD,
      }),
  )

const graph = (title: string, left: IMetric[]): GraphWidget => new GraphWidget({ title, left, width: WIDTH / 3, height: 6 })

const row = (...widgets: readonly GraphWidget[]): IWidget[] => [...widgets]

interface MonitoringStackProps extends StackProps {
  readonly data: DataStack
  readonly api: ApiStack
}

/** One page with the state of the service. It depends on all other stacks, and none depends on it. */
export class MonitoringStack extends Stack {
  constructor(scope: Construct, id: string, { data, api, ...props }: MonitoringStackProps) {
    super(scope, id, props)
    new ServiceDashboard(this, 'Dashboard', { watched: scope, table: data.table, api: api.stackName })
  }
}
