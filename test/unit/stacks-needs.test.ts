import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { Stack } from 'aws-cdk-lib'
import { Template } from 'aws-cdk-lib/assertions'
import { buildApp } from '#lib/app.ts'
import { bundleName } from '#lib/constructs/bundle.ts'
import { EXAMPLE_INSTANCE, permissionsIn } from '#lib/reference/from-stacks.ts'
import { routes as allRoutes, type Route } from '#lib/routes.ts'
import { built } from '#test/support/built.ts'

/** Variables with a default. */
const OPTIONAL = ['CLOCK_OFFSET_MS', 'WEBHOOK_TIMEOUT_MS']
const VARIABLE = /[("'`]([A-Z][A-Z_]+_(?:NAME|URL|ARN|HOSTS|TIMEZONE|MS|BUCKET))["'`)]\)/g

/** The permissions of all functions, for people to review. `npm run generate` writes the file. */
const GOLDEN = new URL('stacks-permissions.json', import.meta.url)

/** Code in a bundle, and the action that it needs. */
const ASKED: readonly (readonly [string, string])[] = [
  ...['GetItem', 'BatchGetItem', 'PutItem', 'UpdateItem', 'DeleteItem', 'BatchWriteItem'].map(
    (name) => [`,"${name}",`, `dynamodb:${name}`] as const,
  ),
  // Parts of a transaction.
  ...['put', 'update', 'delete'].map((part) => [`{${part}:`, `dynamodb:${part[0]!.toUpperCase()}${part.slice(1)}Item`] as const),
  ['KeyConditionExpression:', 'dynamodb:Query'],
  [',"SendMessageBatch",', 'sqs:SendMessage'],
  [',"ChangeMessageVisibility",', 'sqs:ChangeMessageVisibility'],
  [',"PutEvents",', 'events:PutEvents'],
  [',"GetSecretValue",', 'secretsmanager:GetSecretValue'],
  [',"GenerateDataKey",', 'kms:GenerateDataKey'],
  [',"PutObject",', 's3:PutObject'],
  [',"GetObject",', 's3:GetObject'],
  [',"HeadObject",', 's3:GetObject'],
  // Without this permission, S3 answers 403 for a missing object.
  [',"HeadObject",', 's3:ListBucket'],
  ['VersionId:', 's3:GetObjectVersion'],
  [',"ListObjects",', 's3:ListBucket'],
  [',"Decrypt",', 'kms:Decrypt'],
  ['"/contact/outbound-voice"', 'connect:StartOutboundVoiceContact'],
  ['"/search-contacts"', 'connect:SearchContacts'],
  ['"/contact/stop"', 'connect:StopContact'],
  ['`/contacts/', 'connect:DescribeContact'],
  ['`/contact/attributes/', 'connect:GetContactAttributes'],
]

/** Actions that AWS does for the function: passing it messages and records, and writing its log. */
const IN_ITS_NAME =
  /^(logs:|sqs:(ReceiveMessage|DeleteMessage|GetQueueAttributes)$|dynamodb:(DescribeStream|GetRecords|GetShardIterator|ListStreams)$)/

const routes: readonly Route[] = allRoutes

/** Every API function contains the code of the rate limit and of stored answers, but some never run it. */
const COUNTING = ['dynamodb:PutItem', 'dynamodb:UpdateItem']
/** A query of the table. A query of one of its indexes has another name. */
const TABLE_QUERY = 'dynamodb:Query of the table'
const CALLS_BY_CONNECT = ['connect:StartOutboundVoiceContact', 'connect:SearchContacts']
/** Actions in code that functions share, which this function never runs. */
const UNREACHED: Readonly<Record<string, readonly string[]>> = {
  // It gives the lead of a call in progress a representative: no stop, no other phone, email or external id, and no call.
  'calls/live': ['dynamodb:BatchGetItem', 'dynamodb:DeleteItem', 'sqs:SendMessage', 'CALL_QUEUE_URL'],
  // It asks for one lead type by its id, and needs no free line.
  'lead-types/preview': [TABLE_QUERY],
  // It writes only stops at once. Emails and external ids, by which leads are found, stay unchanged.
  'leads/bulk-update': ['dynamodb:DeleteItem'],
  // Amazon Connect reports nothing over HTTP.
  'agents/platform-events': [...CALLS_BY_CONNECT, 'connect:StopContact', 'connect:DescribeContact', 'connect:GetContactAttributes'],
  // They place no calls.
  'workers/contact-events': CALLS_BY_CONNECT,
  'agents/platform-tools': CALLS_BY_CONNECT,
  // An inbound call has neither an email nor an external id.
  'agents/inbound-calls': ['dynamodb:DeleteItem'],
}
const isOfApi = (name: string) => name === 'not-found' || routes.some((route) => route.function === name)

let bundles: string
let folder: string
let permissionsNow: ReturnType<typeof permissionsIn>
let functions: { name: string; variables: string[]; policy: string; permissions: Readonly<Record<string, string>> }[]

beforeAll(async () => {
  bundles = (await built()).bundles
  folder = mkdtempSync(join(tmpdir(), 'stacks-needs-'))
  const app = buildApp({ context: { bundles, connectInstances: EXAMPLE_INSTANCE }, outdir: folder, checked: false })
  const templates = ['Data', 'Api', 'Calling', 'Events', 'Ingestion'].map((id) => Template.fromStack(app.node.findChild(id) as Stack))
  permissionsNow = permissionsIn(templates.map((template) => template.toJSON()))
  functions = templates.flatMap((template) => {
    const roles = template.findResources('AWS::IAM::Role')
    return Object.values(template.findResources('AWS::Lambda::Function')).map(({ Properties: { Description, Environment, Role } }) => ({
      name: Description,
      variables: Object.keys(Environment.Variables),
      policy: JSON.stringify(roles[Role['Fn::GetAtt'][0]]),
      permissions: permissionsNow[Description]!,
    }))
  })
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))

const askedIn = (code: string) => ASKED.flatMap(([sign, action]) => (code.includes(sign) ? action : []))

const unreached = (name: string) => UNREACHED[name] ?? []

const bundle = (name: string) => readFileSync(join(bundles, bundleName(name), 'index.mjs'), 'utf8')

describe('a function in the stacks', () => {
  it('every bundle has a function in the stacks', () => {
    const all = readdirSync(bundles).filter((entry) => !entry.endsWith('.meta.json'))
    expect(functions.map(({ name }) => bundleName(name)).sort()).toEqual(all.sort())
  })

  it('a function has every variable that its code reads', () => {
    for (const { name, variables } of functions) {
      const asked = [...new Set([...bundle(name).matchAll(VARIABLE)].map(([, variable]) => variable!))]
      expect({ name, lacks: asked.filter((variable) => ![...variables, ...OPTIONAL, ...unreached(name)].includes(variable)) }).toEqual({
        name,
        lacks: [],
      })
    }
  })

  it.each(['by_due', 'by_owner'])('a function may query the index %s if its code does', (index) => {
    for (const { name, policy } of functions) {
      const asks = bundle(name).includes(`"${index}"`)
      expect({ name, may: policy.includes(`/index/${index}`) || !asks }).toEqual({ name, may: true })
    }
  })

  it('a function may query the table itself if its code does', () => {
    // Indexes have other keys, and permissions of their own.
    const asking = functions.filter(
      ({ name }) => bundle(name).includes('KeyConditionExpression:"pk = :pk') && !unreached(name).includes(TABLE_QUERY),
    )
    const lacking = asking.filter(({ permissions }) => !permissions['Table']?.includes('dynamodb:Query'))
    expect(lacking.map(({ name }) => name)).toEqual([])
  })

  it('a function that adds items only once may put them into the table', () => {
    // Every API function may put the answers to requests, but only into a partition of their own.
    const adding = functions.filter(({ name }) => bundle(name).includes('{ConditionExpression:"attribute_not_exists(pk)"}'))
    expect(adding.map(({ name }) => name)).toContain('webhooks/test')
    expect(adding.filter(({ permissions }) => !permissions['Table']?.includes('dynamodb:PutItem')).map(({ name }) => name)).toEqual([])
  })

  it('a function may perform every operation in its code', () => {
    const lacking = functions.flatMap(({ name, permissions }) => {
      const asked = askedIn(bundle(name))
      const may = Object.values(permissions).join(' ').split(' ')
      const granted = [...may, ...unreached(name), ...(isOfApi(name) ? COUNTING : [])]
      return asked.filter((action) => !granted.includes(action)).map((action) => `${name} ${action}`)
    })
    expect(lacking).toEqual([])
  })

  it('a function has only variables that its code reads', () => {
    for (const { name, variables } of functions) {
      const asks = (variable: string) => new RegExp(`[("'\`]${variable}["'\`]\\)`).test(bundle(name))
      const idle = variables.filter((variable) => variable !== 'NODE_OPTIONS' && !asks(variable))
      expect({ name, idle }).toEqual({ name, idle: [] })
    }
  })

  it('a function has only permissions that its code can use', () => {
    for (const { name, permissions } of functions) {
      const code = bundle(name)
      const usable = askedIn(code)
      const idle = Object.entries(permissions).flatMap(([resource, actions]) => {
        const [, index] = /\/index\/(\w+)/.exec(resource) ?? []
        if (index) return code.includes(`"${index}"`) ? [] : [resource]
        return actions.split(' ').filter((action) => !IN_ITS_NAME.test(action) && !usable.includes(action))
      })
      expect({ name, idle }).toEqual({ name, idle: [] })
    }
  })

  it('each function has the recorded permissions (npm run generate updates the record)', () => {
    expect(permissionsNow).toEqual(JSON.parse(readFileSync(GOLDEN, 'utf8')))
  })
})
