import type { Construct } from 'constructs'
import { ALARM_PERIOD, ImpactAlarm } from './impact-alarm.ts'
import { ServiceFunction, type ServiceFunctionProps } from './service-function.ts'

const REMEDY =
  'What to do: search the log of the function for lines with the level ERROR; each names the error and the run. If the errors began with a deployment, deploy the previous version again.'

/** A function that no client waits for, with an alarm on its errors: runs that failed, crashed or took too long. */
export class WatchedFunction extends ServiceFunction {
  constructor(scope: Construct, id: string, props: ServiceFunctionProps) {
    super(scope, id, props)
    new ImpactAlarm(this, 'Errors', {
      impact: this.impact,
      remedy: REMEDY,
      metric: this.lambda.metricErrors({ period: ALARM_PERIOD }),
    })
  }
}
