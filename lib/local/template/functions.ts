import * as v from 'valibot'
import type { FunctionSpec } from '../model.ts'
import { ofType, type Resource } from './resource.ts'
import { numeric, text } from './site.ts'

const functionSchema = v.object({
  Code: v.object({ S3Key: v.optional(v.string()) }),
  Handler: v.string(),
  Environment: v.optional(v.object({ Variables: v.optional(v.record(v.string(), text), {}) })),
  Timeout: v.optional(numeric, 3),
  MemorySize: v.optional(numeric, 128),
})

/** Functions that only CloudFormation calls, for custom resources. They belong to a deployment, not to the service. */
const providerArns = (resources: readonly Resource[]): ReadonlySet<string> =>
  new Set(
    resources
      .filter(({ type }) => type.startsWith('Custom::') || type === 'AWS::CloudFormation::CustomResource')
      .map((resource) => resource.read(v.object({ ServiceToken: v.string() })).ServiceToken),
  )

export const readFunctions = (resources: readonly Resource[], assetFolders: ReadonlyMap<string, string>): readonly FunctionSpec[] => {
  const providers = providerArns(resources)
  return ofType(resources, 'AWS::Lambda::Function')
    .filter((resource) => !providers.has(resource.attribute('Arn')))
    .map((resource) => {
      const { Code, Handler, Environment, Timeout, MemorySize } = resource.read(functionSchema)
      const bundle = assetFolders.get(Code.S3Key ?? '') ?? resource.fail('its code is not a folder among the assets of the app')
      return {
        name: resource.name,
        arn: resource.attribute('Arn'),
        bundle,
        handler: Handler,
        environment: Environment?.Variables ?? {},
        timeoutSeconds: Timeout,
        memoryMb: MemorySize,
      }
    })
}
