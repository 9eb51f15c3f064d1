import type { Construct } from 'constructs'
import { ALARM_PERIOD, ImpactAlarm } from './impact-alarm.ts'
import { ServiceFunction, type ServiceFunctionProps } from './service-function.ts'

const REMEDY =
  'What to do: look for lines of the level ERROR in the log of the function; each tells the error, and of which run. When they began with a deployment, deploy the version before it again.'

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
