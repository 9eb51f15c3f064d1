import { Duration, Stack, type StackProps } from 'aws-cdk-lib'
import { Metric } from 'aws-cdk-lib/aws-cloudwatch'
import { Rule, Schedule } from 'aws-cdk-lib/aws-events'
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets'
import type { Construct } from 'constructs'
import { MOST_ID } from '#shared/platform/ids/ids.ts'
import { METRIC_NAMESPACE, type MetricName } from '#shared/platform/metrics.ts'
import { REMEDIES } from '#shared/platform/values/remedies.ts'
import { ALARM_PERIOD, ImpactAlarm } from '../constructs/impact-alarm.ts'
import { QueueConsumer } from '../constructs/queue-consumer.ts'
import { WatchedFunction } from '../constructs/watched-function.ts'
import { settingsOf } from '../settings.ts'
import { CALLS_A_RUN } from '../worker-concurrency.ts'
import { ContactEvents } from './contact-events.ts'
import type { DataStack } from './data-stack.ts'
import { provide } from './needs.ts'

const OVERDUE: MetricName = 'leads_overdue'
const IDS_TAKEN: MetricName = 'ids_taken'

export interface CallingStackProps extends StackProps {
  readonly data: DataStack
  /** Address of the API, without a trailing slash. Voice agents report to it. */
  readonly baseUrl: string
}

/** The sweep for due work in each minute, and the placing of calls. */
export class CallingStack extends Stack {
  constructor(scope: Construct, id: string, { data, baseUrl, ...props }: CallingStackProps) {
    super(scope, id, props)

    const { lambda: dispatchDue } = new WatchedFunction(this, 'DispatchDue', {
      name: 'workers/dispatch-due',
      impact:
        'Due calls, webhook retries, lost updates and uploads wait. Leads that are created inside their calling window are still called.',
      timeout: Duration.seconds(50),
      provisions: provide(
        data,
        'table:get',
        'table:batch-get',
        'table:query',
        'table:put',
        'table:update',
        'index:by-due',
        'calls:send',
        'deliveries:send',
        'updates:send',
        'uploads:find',
        'ingestion:send',
        'default-hours',
      ),
    })
    // Invoked asynchronously. A failed sweep is not retried: the next one finds everything that it missed.
    dispatchDue.configureAsyncInvoke({ retryAttempts: 0, maxEventAge: Duration.minutes(1) })
    new Rule(this, 'EachMinute', {
      schedule: Schedule.rate(Duration.minutes(1)),
      targets: [new LambdaFunction(dispatchDue, { retryAttempts: 0 })],
    })

    new QueueConsumer(this, 'PlaceCall', {
      name: 'workers/place-call',
      impact: 'Calls are not started, or the outcome of calls in progress is not determined. Leads are called late.',
      source: data.calls,
      batchSize: CALLS_A_RUN,
      maxConcurrency: settingsOf(this).callConcurrency,
      isReserved: true,
      // It sends messages for the owner's next lead, and to itself to check a call later.
      causesItself: true,
      provisions: [
        ...provide(
          data,
          'table:get',
          'table:batch-get',
          'table:put',
          'table:update',
          'table:delete',
          'table:query',
          'index:by-due',
          'index:by-owner',
          'calls:send',
          'calls:return',
          'phone-hash',
          'agent-hosts',
          'agent-credentials:open',
          'connect:call',
          'connect:contacts',
          'calling-policy',
          'revocation',
        ),
        { environment: { PUBLIC_BASE_URL: baseUrl, PLATFORM_BASE_URL: baseUrl } },
      ],
    })

    const { connectInstances } = settingsOf(this)
    if (connectInstances.length > 0) new ContactEvents(this, 'ContactEvents', { data, instances: connectInstances })

    new ImpactAlarm(this, 'Overdue', {
      impact: 'For 15 minutes, every sweep has found leads whose call is overdue. Leads are called late, and so are promised callbacks.',
      remedy: REMEDIES.Overdue,
      metric: new Metric({
        namespace: METRIC_NAMESPACE,
        metricName: OVERDUE,
        dimensionsMap: { stage: settingsOf(this).stage },
        // Several runs measure it. One late lead that the next sweep calls raises no alarm: three periods in a row must have one.
        statistic: 'Maximum',
        period: ALARM_PERIOD,
      }),
      periods: 3,
    })

    new ImpactAlarm(this, 'IdsHalfUsed', {
      impact:
        'Half of all ids are used up. Nothing is broken yet. When no id is left, no lead, user, lead type or webhook can be created, and the API answers such requests with 503.',
      remedy: REMEDIES.IdsHalfUsed,
      metric: new Metric({
        namespace: METRIC_NAMESPACE,
        metricName: IDS_TAKEN,
        dimensionsMap: { stage: settingsOf(this).stage },
        statistic: 'Maximum',
        period: ALARM_PERIOD,
      }),
      threshold: Math.ceil(MOST_ID / 2),
    })

    new ImpactAlarm(this, 'SweepStopped', {
      impact: 'The sweep does not run. No lead is called when it is due; this includes further calls and callbacks.',
      remedy: REMEDIES.SweepStopped,
      metric: dispatchDue.metricInvocations({ period: ALARM_PERIOD, statistic: 'Sum' }),
      threshold: 3,
      whenBelow: true,
      // In the first minutes of a new stage, the rule has not yet run three times.
      periods: 2,
    })
  }
}
