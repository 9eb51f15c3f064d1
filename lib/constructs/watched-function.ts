import type { Construct } from 'constructs'
import { REMEDIES } from '#shared/platform/values/remedies.ts'
import { ALARM_PERIOD, ImpactAlarm } from './impact-alarm.ts'
import { ServiceFunction, type ServiceFunctionProps } from './service-function.ts'

/** A function that no client waits for, with an alarm on its errors: runs that failed, crashed or took too long. */
export class WatchedFunction extends ServiceFunction {
  constructor(scope: Construct, id: string, props: ServiceFunctionProps) {
    super(scope, id, props)
    new ImpactAlarm(this, 'Errors', {
      impact: this.impact,
      remedy: REMEDIES.Errors,
      metric: this.lambda.metricErrors({ period: ALARM_PERIOD }),
    })
  }
}
