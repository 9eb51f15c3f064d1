import * as v from 'valibot'
import type { KeySpec } from '../model.ts'
import { ofType, type Resource } from './resource.ts'

const keySchema = v.object({ KeySpec: v.optional(v.literal('SYMMETRIC_DEFAULT')), KeyUsage: v.optional(v.literal('ENCRYPT_DECRYPT')) })

/** Keys of the Key Management Service. The local engine makes the key material; no template holds it. */
export const readKeys = (resources: readonly Resource[]): readonly KeySpec[] =>
  ofType(resources, 'AWS::KMS::Key').map((resource) => {
    resource.read(keySchema)
    return { arn: resource.attribute('Arn') }
  })
