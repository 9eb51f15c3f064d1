import * as v from 'valibot'
import type { SecretSpec } from '../model.ts'
import { ofType, type Resource } from './resource.ts'
import { numeric } from './site.ts'

const secretSchema = v.object({
  GenerateSecretString: v.optional(v.object({ PasswordLength: v.optional(numeric, 32), SecretStringTemplate: v.optional(v.string()) })),
})

/** Secrets whose whole value is generated. The local engine makes the values; no template holds them. */
export const readSecrets = (resources: readonly Resource[]): readonly SecretSpec[] =>
  ofType(resources, 'AWS::SecretsManager::Secret').map((resource) => {
    const generate = resource.read(secretSchema).GenerateSecretString
    if (generate === undefined || generate.SecretStringTemplate !== undefined)
      return resource.fail('only secrets generated as one string are supported')
    return { arn: resource.ref, generateLength: generate.PasswordLength }
  })
