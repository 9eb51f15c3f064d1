import type { Endpoints } from '../model.ts'
import { type AwsPlace, arnOf, partition, urlSuffix } from './arn.ts'
import type { Stack } from './assembly.ts'
import { type Identity, kindOf } from './identity.ts'
import { intrinsics, type Lookups } from './intrinsics.ts'
import { fail, parseAt, type Site, text } from './site.ts'

export interface Resolver {
  /**
   * The value with every reference resolved to the local engines. `AWS::NoValue` removes its property. @throws Error on unknown references
   */
  readonly resolve: (value: unknown, at: Site) => unknown
  readonly identify: (at: Site) => Identity
  /** Whether the resource's condition holds, or there is none. */
  readonly isDeployed: (at: Site) => boolean
}

export const createResolver = (stacks: readonly Stack[], place: AwsPlace, endpoints: Endpoints): Resolver => {
  const identities = new Map<string, Identity>()
  const invokeUrl = new RegExp(`https://[^./]+\\.execute-api\\.${place.region}\\.${urlSuffix}/[\\w-]+(?=/|$)`, 'g')

  const bucketUrl = new RegExp(`https://[^./]+\\.s3\\.${place.region}\\.${urlSuffix}(?=/|$)`, 'g')

  const pseudo = (name: string, { stack }: Site): string | undefined => {
    switch (name) {
      case 'AWS::AccountId':
        return place.account
      case 'AWS::Partition':
        return partition
      case 'AWS::Region':
        return place.region
      case 'AWS::StackId':
        return arnOf(place, 'cloudformation', `stack/${stack.name}/local`)
      case 'AWS::StackName':
        return stack.name
      case 'AWS::URLSuffix':
        return urlSuffix
      default:
        return undefined
    }
  }

  const evaluate = (value: unknown, at: Site): unknown => {
    if (Array.isArray(value)) return value.map((item) => evaluate(item, at)).filter((item) => item !== undefined)
    if (typeof value !== 'object' || value === null) return value
    const entries: [string, unknown][] = Object.entries(value)
    const [only] = entries
    if (entries.length === 1 && only !== undefined) {
      const intrinsic = intrinsics.get(only[0])
      // An event pattern or policy may use `Condition` as a plain key. As a reference, its argument is always a string.
      if (intrinsic !== undefined && (only[0] !== 'Condition' || typeof only[1] === 'string')) return intrinsic(only[1], at, lookups)
      if (only[0].startsWith('Fn::')) return fail(at, `the function ${only[0]} is not supported`)
    }
    return Object.fromEntries(entries.map(([key, item]) => [key, evaluate(item, at)] as const).filter(([, item]) => item !== undefined))
  }

  const nameOf = (at: Site): string => {
    const { stack, logicalId } = at
    const resource = stack.template.Resources[logicalId]
    if (resource === undefined) return fail(at, 'it is not in the template')
    const kind = kindOf(resource.Type)
    const given = kind?.nameProperty === undefined ? undefined : evaluate(resource.Properties[kind.nameProperty], at)
    if (given !== undefined) return parseAt(text, given, at, kind?.nameProperty ?? 'name')
    const elsewhere = stacks.some((other) => other !== stack && other.template.Resources[logicalId]?.Type === resource.Type)
    const id = elsewhere ? `${stack.name}-${logicalId}` : logicalId
    return kind?.nameFrom?.(id, resource.Properties) ?? id
  }

  const identify = (at: Site): Identity => {
    const key = `${at.stack.name}/${at.logicalId}`
    const known = identities.get(key)
    if (known !== undefined) return known
    const name = nameOf(at)
    const kind = kindOf(at.stack.template.Resources[at.logicalId]?.Type ?? '')
    const identity = { name, ...(kind?.identify(name, place, endpoints) ?? { ref: name, attributes: {} }) }
    identities.set(key, identity)
    return identity
  }

  /** The resource that a reference means. Fails unless references to its type are supported. */
  const target = (logicalId: string, at: Site, reference: string): Site => {
    const resource = at.stack.template.Resources[logicalId]
    if (resource === undefined) return fail(at, `${reference} names something that is not in the template`)
    if (kindOf(resource.Type) === undefined)
      return fail(at, `${reference} points at a ${resource.Type}, whose references are not supported`)
    return { stack: at.stack, logicalId }
  }

  const lookups: Lookups = {
    evaluate,
    ref: (name, at) => {
      if (name === 'AWS::NoValue') return undefined
      const value = pseudo(name, at)
      if (value !== undefined) return value
      const parameter = at.stack.template.Parameters[name]
      if (parameter !== undefined) return parameter.Default ?? fail(at, `the parameter ${name} has no default`)
      return identify(target(name, at, `Ref ${name}`)).ref
    },
    attribute: (logicalId, name, at) => {
      const reference = `Fn::GetAtt ${logicalId}.${name}`
      return identify(target(logicalId, at, reference)).attributes[name] ?? fail(at, `the attribute of ${reference} is not supported`)
    },
    imported: (name, at) => {
      for (const stack of stacks) {
        for (const [logicalId, output] of Object.entries(stack.template.Outputs)) {
          const site = { stack, logicalId }
          if (output.Export !== undefined && evaluate(output.Export.Name, site) === name) return evaluate(output.Value, site)
        }
      }
      return fail(at, `no stack exports ${name}`)
    },
    condition: (name, at) => {
      const condition = at.stack.template.Conditions[name]
      return condition === undefined ? fail(at, `the condition ${name} is not in the template`) : evaluate(condition, at) === true
    },
  }

  /** Replaces the addresses of the service and of its buckets on AWS with the local ones. */
  const withLocalAddress = (value: unknown): unknown => {
    if (typeof value === 'string') return value.replace(invokeUrl, endpoints.api).replace(bucketUrl, endpoints.s3)
    if (Array.isArray(value)) return value.map(withLocalAddress)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withLocalAddress(item)]))
  }

  return {
    resolve: (value, at) => withLocalAddress(evaluate(value, at)),
    identify,
    isDeployed: (at) => {
      const condition = at.stack.template.Resources[at.logicalId]?.Condition
      return condition === undefined || lookups.condition(condition, at)
    },
  }
}
