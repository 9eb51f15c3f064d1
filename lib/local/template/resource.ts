import type * as v from 'valibot'
import type { Stack } from './assembly.ts'
import type { Resolver } from './resolve.ts'
import { fail, parseAt } from './site.ts'

/** A resource of the app, resolved for this machine. */
export interface Resource {
  readonly type: string
  readonly name: string
  readonly ref: string
  /** @throws Error when the type has no such attribute */
  readonly attribute: (name: string) => string
  /**
   * Resolves and parses the properties in the schema.
   * @param ignored other properties that are permitted because they have no effect here. Without it: all others are permitted
   * @throws Error with resource, stack and property
   */
  readonly read: <const Entries extends v.ObjectEntries>(
    schema: v.ObjectSchema<Entries, undefined>,
    ignored?: readonly string[],
  ) => v.InferOutput<v.ObjectSchema<Entries, undefined>>
  /** @throws Error always, with the resource and its stack */
  readonly fail: (problem: string) => never
}

/** The resources of all stacks whose conditions hold, in template order. */
export const resourcesOf = (stacks: readonly Stack[], resolver: Resolver): readonly Resource[] =>
  stacks.flatMap((stack) =>
    Object.entries(stack.template.Resources).flatMap(([logicalId, { Type, Properties }]) => {
      const at = { stack, logicalId }
      if (!resolver.isDeployed(at)) return []
      const { name, ref, attributes } = resolver.identify(at)
      const resource: Resource = {
        type: Type,
        name,
        ref,
        attribute: (attribute) => attributes[attribute] ?? fail(at, `it has no ${attribute}`),
        read: (schema, ignored) => {
          const unknown = Object.keys(Properties).find((key) => !(key in schema.entries) && ignored?.includes(key) === false)
          if (unknown !== undefined) return fail(at, `its property ${unknown} is not known`)
          const wanted = Object.keys(schema.entries).filter((key) => key in Properties)
          const properties = Object.fromEntries(wanted.map((key) => [key, resolver.resolve(Properties[key], at)] as const))
          return parseAt(schema, properties, at, 'Properties')
        },
        fail: (problem) => fail(at, problem),
      }
      return [resource]
    }),
  )

export const ofType = (resources: readonly Resource[], ...types: readonly string[]): readonly Resource[] =>
  resources.filter(({ type }) => types.includes(type))
