import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { App } from 'aws-cdk-lib'
import * as v from 'valibot'
import { buildApp } from '../app.ts'
import { buildFunctions } from '../build-functions.ts'
import { ImpactAlarm } from '../constructs/impact-alarm.ts'
import { settingsOf } from '../settings.ts'
import { code, markdownPage, markdownTable } from './markdown.ts'

/** A single name is the heading. Several names have their common end as heading. */
const headingOf = (names: readonly string[]): string => {
  const [first = '', ...others] = names
  const parts = first.split('/')
  // Alarms with the same remedy have the same name, at least at its end.
  const from = parts.findIndex((_, at) => others.every((name) => name.endsWith(`/${parts.slice(at).join('/')}`)))
  return others.length === 0 ? first : `…/${parts.slice(from).join('/')}`
}

/** Every alarm of the service, with its meaning and its remedy. Alarms with the same remedy are in one section. */
export const alarmsPage = (app: App): string => {
  const prefix = `lead-outreach-${settingsOf(app).stage}-`
  const alarms = app.node.findAll().filter((one) => one instanceof ImpactAlarm)
  const named = ({ name }: ImpactAlarm): string => name.replace(prefix, '')
  return markdownPage(
    '# Alarms',
    `The name of an alarm contains its stack, the watched resource and the measure: \`lead-outreach-prod-calling/PlaceCall/Errors\`.
CloudWatch shows the text below. The dashboard \`lead-outreach-prod\` shows the active alarms. For another stage, replace \`prod\` by its
name.`,
    ...[...Map.groupBy(alarms, ({ remedy }) => remedy)].flatMap(([remedy, group]) => {
      const rows = group.map((alarm) => [code(named(alarm)), alarm.impact])
      const covered = group
        .flatMap((alarm) => alarm.covered)
        .map(({ functionName, impact }) => [code(functionName.replace(prefix, '')), impact])
      return [
        `## ${code(headingOf(group.map(named)))}`,
        remedy,
        markdownTable(['Alarm', 'What it means'], rows),
        ...(covered.length > 0 ? [markdownTable(['Function that fails', 'What that means'], covered)] : []),
      ]
    }),
  )
}

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
  return `${id?.[1] ?? (typeof resource === 'string' ? resource : text)}${part}`
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

interface FromStacks {
  readonly alarms: string
  readonly permissions: string
}

/** An instance of Amazon Connect, so that the references have the parts that exist only with one. */
export const EXAMPLE_INSTANCE = 'arn:aws:connect:us-east-1:111122223333:instance/10a4c4eb-f57e-4d4c-b602-bf39176ced07'

const make = async (): Promise<FromStacks> => {
  const folder = await mkdtemp(join(tmpdir(), 'stacks-'))
  try {
    const bundles = join(folder, 'functions')
    await buildFunctions({ outdir: bundles })
    const app = buildApp({ context: { bundles, connectInstances: EXAMPLE_INSTANCE }, outdir: join(folder, 'assembly'), checked: false })
    const templates = app.synth().stacks.map(({ template }): unknown => template)
    return { alarms: alarmsPage(app), permissions: JSON.stringify(permissionsIn(templates), null, 2) }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

let made: Promise<FromStacks> | undefined

/** References that are made from the stacks. The stacks need the bundles of all functions, so they are built only once. */
export const fromStacks = (): Promise<FromStacks> => {
  made ??= make()
  return made
}
