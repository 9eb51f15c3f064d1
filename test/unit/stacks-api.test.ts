import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { type App, Stack } from 'aws-cdk-lib'
import { Match, Template } from 'aws-cdk-lib/assertions'
import { buildApp } from '#lib/app.ts'
import { routes } from '#lib/routes.ts'
import { builtTemplates, makeBundles, resourcesOf } from '#test/support/stacks.ts'

const CERTIFICATE = 'arn:aws:acm:eu-west-1:111122223333:certificate/0a1b2c3d'

let folder: string
let templates: readonly Template[]
let api: Template
/** With every optional part. */
let app: App
let edge: Template
/** `plain` has no optional part. `closed` has its own address, and closes the one that AWS gives. */
let plain: App
let closed: Template
let closedApp: App

const ofType = (type: string) => resourcesOf(templates, type)
const byId = (type: string) => Object.fromEntries(ofType(type))

beforeAll(async () => {
  api = (await builtTemplates(['Api'])).Api
  templates = [api]
  folder = mkdtempSync(join(tmpdir(), 'stacks-api-'))
  makeBundles(folder)
  const address = { domainName: 'calls.example.com', certificateArn: CERTIFICATE }
  const context = {
    bundles: folder,
    gatewayLogRole: 'false',
    firewallRequests: '2000',
    tags: 'team=sales,cost-center=42',
    warmWriteUnits: '20000',
    ...address,
  }
  app = buildApp({ context, outdir: join(folder, 'out') })
  app.synth()
  edge = Template.fromStack(app.node.findChild('Api') as Stack)
  plain = buildApp({ context: { bundles: folder }, outdir: join(folder, 'plain') })
  const closing = { bundles: folder, ...address, closeGivenAddress: 'true' }
  closedApp = buildApp({ context: closing, outdir: join(folder, 'closed') })
  closed = Template.fromStack(closedApp.node.findChild('Api') as Stack)
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('the API', () => {
  const served = () => {
    const found = byId('AWS::ApiGateway::Resource')
    const path = (id: { Ref?: string }): string => {
      const resource = id.Ref === undefined ? undefined : found[id.Ref]
      return resource ? `${path(resource.Properties['ParentId'])}/${resource.Properties['PathPart']}` : ''
    }
    const functions = byId('AWS::Lambda::Function')
    return ofType('AWS::ApiGateway::Method').map(([, { Properties }]) => {
      const [id] = Properties['Integration'].Uri['Fn::Join'][1].flatMap(
        (part: { 'Fn::GetAtt'?: string[] }) => part['Fn::GetAtt']?.[0] ?? [],
      )
      return `${Properties['HttpMethod']} ${path(Properties['ResourceId'])} ${functions[id]?.Properties['Description']}`
    })
  }

  it('the API serves exactly the routes in the routes table', () => {
    const methods = (method: string) => (method === 'GET' ? ['GET', 'HEAD'] : [method])
    const expected = routes.flatMap((route) =>
      methods(route.method).map((method) => `${method} ${route.path.slice(0, -1)} ${route.function}`),
    )
    expect(
      served()
        .filter((line) => !line.startsWith('ANY '))
        .sort(),
    ).toEqual(expected.sort())
  })

  it('the API sends every other method and path to the not-found function', () => {
    const rest = served().filter((line) => line.startsWith('ANY '))
    expect(rest).toHaveLength(ofType('AWS::ApiGateway::Resource').length + 1)
    expect(rest.every((line) => line.endsWith(' not-found'))).toBe(true)
    expect(rest).toContain('ANY /{proxy+} not-found')
    expect(rest).toContain('ANY  not-found')
  })

  it('the API lets the gateway call each function with one permission', () => {
    const permissions = ofType('AWS::Lambda::Permission').filter(
      ([, { Properties }]) => Properties['Principal'] === 'apigateway.amazonaws.com',
    )
    expect(permissions).toHaveLength(new Set(routes.map((route) => route.function)).size + 1)
  })

  it('the API gives gateway errors the same shape as all other errors', () => {
    const responses = ofType('AWS::ApiGateway::GatewayResponse').map(([, { Properties }]) => Properties)
    expect(responses.map((response) => response['ResponseType'])).toEqual(
      expect.arrayContaining(['DEFAULT_4XX', 'DEFAULT_5XX', 'REQUEST_TOO_LARGE', 'THROTTLED']),
    )
    for (const response of responses) {
      const text = response['ResponseTemplates']['application/json'].replace('$context.error.messageString', '"text"')
      expect(JSON.parse(text)).toEqual({ detail: expect.any(String) })
      expect(response['ResponseParameters']['gatewayresponse.header.X-Request-Id']).toBe('context.requestId')
    }
  })

  it('the API logs each request as JSON without data from the client', () => {
    const format = ofType('AWS::ApiGateway::Stage')[0]![1].Properties['AccessLogSetting'].Format
    const line = JSON.parse(format.replaceAll(/\$context\.[\w.]+/g, '-'))
    expect(Object.values(line)).toEqual(Object.keys(line).map(() => '-'))
    expect(format).not.toMatch(/context\.path|header|body|queryString|error\.message/)
  })

  it('the API sets the log role of the account unless told not to', () => {
    expect(ofType('AWS::ApiGateway::Account')).toHaveLength(1)
    edge.resourceCountIs('AWS::ApiGateway::Account', 0)
  })

  it('the API is regional, logs every request and takes bodies as bytes', () => {
    api.hasResourceProperties('AWS::ApiGateway::RestApi', {
      EndpointConfiguration: { Types: ['REGIONAL'] },
      BinaryMediaTypes: ['application/json', 'multipart/form-data', 'application/x-www-form-urlencoded'],
    })
    api.hasResourceProperties('AWS::ApiGateway::Stage', {
      AccessLogSetting: { DestinationArn: Match.anyValue() },
      MethodSettings: [Match.objectLike({ ThrottlingRateLimit: 500, ThrottlingBurstLimit: 1000 })],
    })
  })
})

describe('a custom domain', () => {
  it('a custom domain is given to clients, agents and the operator, and the AWS address works until closed', () => {
    edge.hasResourceProperties('AWS::ApiGateway::RestApi', { DisableExecuteApiEndpoint: false })
    closed.hasResourceProperties('AWS::ApiGateway::RestApi', { DisableExecuteApiEndpoint: true })
    api.hasResourceProperties('AWS::ApiGateway::RestApi', { DisableExecuteApiEndpoint: false })
    edge.hasResourceProperties('AWS::ApiGateway::DomainName', {
      DomainName: 'calls.example.com',
      RegionalCertificateArn: CERTIFICATE,
      EndpointConfiguration: { Types: ['REGIONAL'] },
      SecurityPolicy: 'TLS_1_2',
    })
    edge.hasOutput('BaseUrl', { Value: 'https://calls.example.com' })
    edge.hasOutput('OperatorPublicBaseUrl', { Value: 'https://calls.example.com' })
    for (const output of ['DomainTarget', 'DomainTargetZone']) edge.hasOutput(output, Match.anyValue())
    Template.fromStack(app.node.findChild('Calling') as Stack).hasResourceProperties('AWS::Lambda::Function', {
      Environment: { Variables: { PUBLIC_BASE_URL: 'https://calls.example.com' } },
    })
  })

  it('a custom domain can be added and removed without breaking the imports of other stacks', () => {
    const texts = (one: App) =>
      one.node.children.filter((child) => child instanceof Stack).map((stack) => Template.fromStack(stack).toJSON())
    const imported = (one: App) => [...JSON.stringify(texts(one)).matchAll(/"Fn::ImportValue":"([^"]+)"/g)].map(([, name]) => name)
    const exported = (one: App) =>
      texts(one).flatMap(({ Outputs = {} }) =>
        Object.values<{ Export?: { Name: string } }>(Outputs).flatMap(({ Export }) => Export?.Name ?? []),
      )
    expect(imported(plain).filter((name) => name?.startsWith('lead-outreach-prod-api:'))).not.toEqual([])
    expect(exported(app)).toEqual(expect.arrayContaining(imported(plain)))
    expect(exported(plain)).toEqual(expect.arrayContaining(imported(app)))
  })

  it('a custom domain is left out by default', () => {
    api.resourceCountIs('AWS::ApiGateway::DomainName', 0)
  })
})

describe('a firewall', () => {
  it('a firewall protects the stage only when configured', () => {
    edge.hasResourceProperties('AWS::WAFv2::WebACLAssociation', { ResourceArn: Match.anyValue(), WebACLArn: Match.anyValue() })
    api.resourceCountIs('AWS::WAFv2::WebACL', 0)
  })

  it('a firewall limits the request rate with the same 429 as the functions', () => {
    const [acl] = Object.values(edge.findResources('AWS::WAFv2::WebACL')).map(({ Properties }) => Properties)
    const [throttling] = acl!['Rules']
    expect(throttling.Statement).toEqual({ RateBasedStatement: { Limit: 2000, AggregateKeyType: 'IP', EvaluationWindowSec: 300 } })
    expect(throttling.Action.Block.CustomResponse).toEqual({
      ResponseCode: 429,
      CustomResponseBodyKey: 'Throttled',
      ResponseHeaders: [{ Name: 'Retry-After', Value: '300' }],
    })
    expect(JSON.parse(acl!['CustomResponseBodies'].Throttled.Content)).toEqual({
      detail: 'Request was throttled. Expected available in 300 seconds.',
    })
  })
})

describe('tags', () => {
  it('tags name the service, stage and stack of every queue, and include the tags of the operator', () => {
    for (const stack of app.node.children.filter((child) => child instanceof Stack)) {
      const expected = { service: 'lead-outreach', stage: 'prod', part: stack.node.id.toLowerCase(), team: 'sales', 'cost-center': '42' }
      for (const { Properties } of Object.values(Template.fromStack(stack).findResources('AWS::SQS::Queue'))) {
        const tags: { Key: string; Value: string }[] = Properties.Tags
        expect(Object.fromEntries(tags.map(({ Key, Value }) => [Key, Value]))).toEqual(expected)
      }
    }
  })
})

describe('the bucket', () => {
  const given = 'execute-api'

  it.each([
    ['the address that AWS gives', () => plain, [given]],
    ['both addresses of the deployment', () => app, ['https://calls.example.com', given]],
    ['its own address, when the other one is closed', () => closedApp, ['https://calls.example.com']],
  ] as const)('the bucket lets pages send and read by signed URLs only from %s', (_, of, origins) => {
    const data = Template.fromStack(of().node.findChild('Data') as Stack)
    const { Properties } = resourcesOf([data], 'AWS::S3::Bucket')[0]![1]
    const [{ AllowedOrigins, ...rule }, ...others] = Properties['CorsConfiguration'].CorsRules
    expect({ rule, others }).toEqual({ rule: { AllowedMethods: ['GET', 'PUT'] }, others: [] })
    expect(AllowedOrigins).toEqual(
      origins.map((origin) =>
        origin === given
          ? { 'Fn::Join': ['', ['https://*.execute-api.', { Ref: 'AWS::Region' }, '.', { Ref: 'AWS::URLSuffix' }]] }
          : origin,
      ),
    )
  })
})

describe('a table that is warmed up', () => {
  it('the table and its indexes take the configured units at once, and without a setting the template names none', () => {
    const tableOf = (from: App) => {
      const [table] = resourcesOf([Template.fromStack(from.node.findChild('Data') as Stack)], 'AWS::DynamoDB::GlobalTable')
      const { WarmThroughput, GlobalSecondaryIndexes } = table![1].Properties
      return [WarmThroughput, ...GlobalSecondaryIndexes.map((index: { WarmThroughput?: unknown }) => index.WarmThroughput)]
    }
    const warm = { WriteUnitsPerSecond: 20_000 }
    expect(tableOf(app)).toEqual([warm, warm, warm, warm])
    expect(tableOf(plain)).toEqual([undefined, undefined, undefined, undefined])
  })
})
