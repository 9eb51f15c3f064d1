import { Stack, type StackProps } from 'aws-cdk-lib'
import type { Construct } from 'constructs'
import { ServiceDashboard } from '../constructs/service-dashboard.ts'
import type { ApiStack } from './api-stack.ts'
import type { DataStack } from './data-stack.ts'

export interface MonitoringStackProps extends StackProps {
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
