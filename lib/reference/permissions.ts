import * as v from 'valibot'

const Statement = v.object({
  Action: v.union([v.string(), v.array(v.string())]),
  Resource: v.unknown(),
  Condition: v.optional(v.record(v.string(), v.record(v.string(), v.array(v.string()))), {}),
})

const Role = v.object({ Policies: v.tuple([v.object({ PolicyDocument: v.object({ Statement: v.array(Statement) }) })]) })

const FunctionProperties = v.object({ Description: v.string(), Role: v.object({ 'Fn::GetAtt': v.tuple([v.string(), v.string()]) }) })

const Template = v.object({ Resources: v.record(v.string(), v.object({ Type: v.string(), Properties: v.optional(v.unknown()) })) })

/** A resource's id in its stack, without its hash, and the part of the resource. */
const nameOf = (resource: unknown): string => {
  const text = JSON.stringify(resource)
  const id =
    /GetAtt([A-Za-z]{1,60}?)[0-9A-F]{8}(?:Arn|TableArn|StreamArn)/.exec(text) ??
    /Ref([A-Za-z]{1,60}?)[0-9A-F]{8}/.exec(text) ??
    /"([A-Za-z]{1,60}?)[0-9A-F]{8}"/.exec(text)
  const stream = text.includes('StreamArn') ? '/stream' : ''
  const part = /\/index\/\w+/.exec(text)?.[0] ?? /"(\/\w+\/\*)"/.exec(text)?.[1] ?? stream
  return `${id?.[1] ?? text}${part}`
}

type Permissions = Readonly<Record<string, string>>

/** Actions by resource, and by the partitions to which they are limited. */
const permissionsOf = (role: unknown): Permissions => {
  const granted = new Map<string, Set<string>>()
  for (const { Action, Resource, Condition } of v.parse(Role, role).Policies[0].PolicyDocument.Statement) {
    const keys = Object.values(Condition).flatMap((condition) => Object.values(condition).flat())
    for (const resource of [Resource].flat()) {
      const name = [nameOf(resource), ...keys].join(' ')
      granted.set(name, new Set([...(granted.get(name) ?? []), ...[Action].flat()]))
    }
  }
  return Object.fromEntries(
    [...granted].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, actions]) => [name, [...actions].sort().join(' ')]),
  )
}

/** The permissions of each function, by its name. */
export const permissionsIn = (templates: readonly unknown[]): Readonly<Record<string, Permissions>> =>
  Object.fromEntries(
    templates
      .flatMap((template) => {
        const { Resources } = v.parse(Template, template)
        return Object.values(Resources)
          .filter(({ Type }) => Type === 'AWS::Lambda::Function')
          .map(({ Properties }) => {
            const { Description, Role } = v.parse(FunctionProperties, Properties)
            return [Description, permissionsOf(Resources[Role['Fn::GetAtt'][0]]?.Properties)] as const
          })
      })
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  )
