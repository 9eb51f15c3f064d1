import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { Stack } from 'aws-cdk-lib'
import { Template } from 'aws-cdk-lib/assertions'
import { buildApp } from '#lib/app.ts'
import { bundleName } from '#lib/constructs/bundle.ts'
import { routes as allRoutes, type Route } from '#lib/routes.ts'
import { built } from '#test/support/built.ts'

/** Those that have a default: what is not told holds. */
const OPTIONAL = ['CLOCK_OFFSET_MS', 'WEBHOOK_TIMEOUT_MS']
const VARIABLE = /[("'`]([A-Z][A-Z_]+_(?:NAME|URL|ARN|HOSTS|TIMEZONE|MS|BUCKET))["'`)]\)/g

/** Every function's permissions, as people review them; `UPDATE_GOLDEN=1 npm test` writes them anew. */
const GOLDEN = new URL('stacks-permissions.json', import.meta.url)

/** What a bundle holds when its code asks for something, and the actions without which that is refused. */
const ASKED: readonly (readonly [string, readonly string[]])[] = [
  ...['GetItem', 'BatchGetItem', 'PutItem', 'UpdateItem', 'DeleteItem', 'BatchWriteItem'].map(
    (name) => [`,"${name}",`, [`dynamodb:${name}`]] as const,
  ),
  ['KeyConditionExpression:', ['dynamodb:Query']],
  [',"TransactWriteItems",', ['dynamodb:PutItem', 'dynamodb:UpdateItem', 'dynamodb:DeleteItem']],
  ['ConditionCheck:', ['dynamodb:ConditionCheckItem']],
  [',"SendMessageBatch",', ['sqs:SendMessage']],
  [',"ChangeMessageVisibility",', ['sqs:ChangeMessageVisibility']],
  [',"PutEvents",', ['events:PutEvents']],
  [',"GetSecretValue",', ['secretsmanager:GetSecretValue']],
  [',"GenerateDataKey",', ['kms:GenerateDataKey']],
  [',"PutObject",', ['s3:PutObject']],
  [',"GetObject",', ['s3:GetObject']],
  [',"ListObjectsV2",', ['s3:ListBucket']],
  [',"Decrypt",', ['kms:Decrypt']],
]

/** Leaves that are only given together: one of them must be of use. */
const TOGETHER = [
  ['s3:GetObject', 's3:GetObjectVersion'],
  ['dynamodb:GetItem', 'dynamodb:BatchGetItem', 'dynamodb:Query'],
  ['dynamodb:PutItem', 'dynamodb:UpdateItem', 'dynamodb:DeleteItem', 'dynamodb:ConditionCheckItem'],
]

/** What AWS does in a function's name: it hands it messages and records, and keeps its log. */
const IN_ITS_NAME =
  /^(logs:|sqs:(ReceiveMessage|DeleteMessage|GetQueueAttributes|ChangeMessageVisibility)$|dynamodb:(DescribeStream|GetRecords|GetShardIterator|ListStreams)$)/

const routes: readonly Route[] = allRoutes

/** Every function of the API holds the code that counts requests; these never come to it. */
const UNCOUNTED = ['not-found', ...routes.filter((route) => route.auth === 'none').map((route) => route.function), 'agents/calendar-slots']
const COUNTING = ['dynamodb:PutItem', 'dynamodb:UpdateItem']

let bundles: string
let folder: string
let functions: { name: string; variables: string[]; policy: string; permissions: Record<string, string> }[]

interface Statement {
  readonly Action: string | readonly string[]
  readonly Resource: unknown
  readonly Condition?: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>
}

/** The resource's id in its stack without its hash, and which part of it. */
const nameOf = (resource: unknown): string => {
  const text = JSON.stringify(resource)
  const id =
    /GetAtt([A-Za-z]+?)[0-9A-F]{8}(?:Arn|TableArn)/.exec(text) ??
    /Ref([A-Za-z]+?)[0-9A-F]{8}/.exec(text) ??
    /"([A-Za-z]+?)[0-9A-F]{8}"/.exec(text)
  const part = /\/index\/\w+/.exec(text)?.[0] ?? /"(\/\w+\/\*)"/.exec(text)?.[1] ?? ''
  return `${id?.[1] ?? text}${part}`
}

/** Actions by resource, and by the partitions that they are kept to. */
const permissionsOf = (statements: readonly Statement[]): Record<string, string> => {
  const granted = new Map<string, Set<string>>()
  for (const { Action, Resource, Condition } of statements) {
    const keys = Object.values(Condition ?? {}).flatMap((condition) => Object.values(condition).flat())
    for (const resource of [Resource].flat()) {
      const name = [nameOf(resource), ...keys].join(' ')
      granted.set(name, new Set([...(granted.get(name) ?? []), ...[Action].flat()]))
    }
  }
  return Object.fromEntries(
    [...granted].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, actions]) => [name, [...actions].sort().join(' ')]),
  )
}

beforeAll(async () => {
  bundles = (await built()).bundles
  folder = mkdtempSync(join(tmpdir(), 'needs-'))
  const app = buildApp({ context: { bundles }, outdir: folder })
  // Security rules have their own test, and take their time.
  app.synth({ skipValidation: true })
  functions = app.node.children
    .filter((child) => child instanceof Stack)
    .flatMap((stack) => {
      const template = Template.fromStack(stack)
      const roles = template.findResources('AWS::IAM::Role')
      return Object.values(template.findResources('AWS::Lambda::Function')).map(({ Properties: { Description, Environment, Role } }) => ({
        name: Description,
        variables: Object.keys(Environment.Variables),
        policy: JSON.stringify(roles[Role['Fn::GetAtt'][0]]),
        permissions: permissionsOf(roles[Role['Fn::GetAtt'][0]]!['Properties'].Policies[0].PolicyDocument.Statement),
      }))
    })
}, 120_000)

afterAll(() => rmSync(folder, { recursive: true }))

const bundle = (name: string) => readFileSync(join(bundles, bundleName(name), 'index.mjs'), 'utf8')

describe('what a function is given', () => {
  it('is given to every function there is', () => {
    const all = readdirSync(bundles).filter((entry) => !entry.endsWith('.meta.json'))
    expect(functions.map(({ name }) => bundleName(name)).sort()).toEqual(all.sort())
  })

  it('has every variable that its code asks for', () => {
    for (const { name, variables } of functions) {
      const asked = [...new Set([...bundle(name).matchAll(VARIABLE)].map(([, variable]) => variable!))]
      expect({ name, lacks: asked.filter((variable) => ![...variables, ...OPTIONAL].includes(variable)) }).toEqual({ name, lacks: [] })
    }
  })

  it.each(['by_due', 'by_owner'])('has leave to ask the index %s where its code does', (index) => {
    for (const { name, policy } of functions) {
      const asks = bundle(name).includes(`"${index}"`)
      expect({ name, may: policy.includes(`/index/${index}`) || !asks }).toEqual({ name, may: true })
    }
  })

  it('has leave for every operation in its code', () => {
    for (const { name, permissions } of functions) {
      const code = bundle(name)
      const asked = ASKED.flatMap(([sign, actions]) => (code.includes(sign) ? actions : []))
      const may = Object.values(permissions).join(' ').split(' ')
      const granted = UNCOUNTED.includes(name) ? [...may, ...COUNTING] : may
      expect({ name, lacks: asked.filter((action) => !granted.includes(action)) }).toEqual({ name, lacks: [] })
    }
  })

  it('has no variable that its code does not ask for', () => {
    for (const { name, variables } of functions) {
      const asks = (variable: string) => new RegExp(`[("'\`]${variable}["'\`]\\)`).test(bundle(name))
      const idle = variables.filter((variable) => variable !== 'NODE_OPTIONS' && !asks(variable))
      expect({ name, idle }).toEqual({ name, idle: [] })
    }
  })

  it('has no leave that its code cannot use', () => {
    for (const { name, permissions } of functions) {
      const code = bundle(name)
      const usable = ASKED.flatMap(([sign, actions]) => (code.includes(sign) ? actions : []))
      const isOfUse = (action: string) => (TOGETHER.find((group) => group.includes(action)) ?? [action]).some((one) => usable.includes(one))
      const idle = Object.entries(permissions).flatMap(([resource, actions]) => {
        const [, index] = /\/index\/(\w+)/.exec(resource) ?? []
        if (index) return code.includes(`"${index}"`) ? [] : [resource]
        return actions.split(' ').filter((action) => !IN_ITS_NAME.test(action) && !isOfUse(action))
      })
      expect({ name, idle }).toEqual({ name, idle: [] })
    }
  })

  it('is on record, so that nobody widens it unseen', () => {
    const now = Object.fromEntries(
      functions.toSorted((a, b) => (a.name < b.name ? -1 : 1)).map(({ name, permissions }) => [name, permissions]),
    )
    if (process.env['UPDATE_GOLDEN']) writeFileSync(GOLDEN, `${JSON.stringify(now, null, 2)}\n`)
    expect(now).toEqual(JSON.parse(readFileSync(GOLDEN, 'utf8')))
  })
})
