import type { Endpoints, ServiceTemplate } from '../model.ts'
import { readAssembly } from './assembly.ts'
import { readBuckets } from './buckets.ts'
import { readEventSources } from './event-sources.ts'
import { readFunctions } from './functions.ts'
import { readKeys } from './keys.ts'
import { readOperator } from './operator.ts'
import { type AwsPlace, localPlace } from './place.ts'
import { readQueues } from './queues.ts'
import { createResolver } from './resolve.ts'
import { ofType, resourcesOf } from './resource.ts'
import { readRestApi } from './rest-api.ts'
import { readRules } from './rules.ts'
import { readSecrets } from './secrets.ts'
import { readTables } from './tables.ts'

/**
 * Reads the synthesised app in `assemblyDir` (CDK's `cdk.out`), with references resolved to the local engines. Physical names are the
 * logical ids, so they are the same at every start.
 * @throws Error when the app is not synthesised, or a template holds something unsupported. The error names the resource and its stack.
 */
export const readServiceTemplate = (assemblyDir: string, endpoints: Endpoints, place: AwsPlace = localPlace): ServiceTemplate => {
  const { stacks, assetFolders } = readAssembly(assemblyDir)
  const resolver = createResolver(stacks, place, endpoints)
  const resources = resourcesOf(stacks, resolver)
  ofType(resources, 'AWS::CloudFormation::Stack')[0]?.fail('nested stacks are not read')
  return {
    functions: readFunctions(resources, assetFolders),
    tables: readTables(resources),
    queues: readQueues(resources),
    buckets: readBuckets(resources),
    buses: ofType(resources, 'AWS::Events::EventBus').map(({ name }) => name),
    rules: readRules(resources),
    eventSources: readEventSources(resources),
    secrets: readSecrets(resources),
    keys: readKeys(resources),
    api: readRestApi(resources),
    operator: readOperator(stacks, resolver),
  }
}
