import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { buildApp } from '#lib/app.ts'
import { bundleName } from '#lib/constructs/bundle.ts'
import type { ServiceTemplate } from '#lib/local/model.ts'
import { readServiceTemplate } from '#lib/local/template/read.ts'
import { outputOf, variableOf } from '#lib/operator-outputs.ts'
import { routes } from '#lib/routes.ts'
import { serviceTable } from '#test/support/engine.ts'

const WORKERS = [
  'apply-updates',
  'dispatch-due',
  'place-call',
  'publish-changes',
  'count-changes',
  'match-webhooks',
  'deliver-webhook',
  'ingest-csv',
].map((name) => `workers/${name}`)
const FUNCTIONS = [...new Set<string>([...routes.map((route) => route.function), 'not-found', ...WORKERS])]
const endpoints = { dynamodb: '', sqs: 'http://sqs', s3: '', eventbridge: '', secretsManager: '', kms: '', api: 'http://api' }

const folder = mkdtempSync(join(tmpdir(), 'template-service-'))
let service: ServiceTemplate

beforeAll(() => {
  for (const name of FUNCTIONS) {
    mkdirSync(join(folder, bundleName(name)))
    writeFileSync(join(folder, bundleName(name), 'index.mjs'), `export const handler = async () => '${name}'`)
  }
  buildApp({ context: { bundles: folder }, outdir: join(folder, 'out'), checked: false }).synth()
  service = readServiceTemplate(join(folder, 'out'), endpoints)
})
afterAll(() => rmSync(folder, { recursive: true }))

describe('the app of the service', () => {
  it('the app of the service has every function, and a function for every route', () => {
    const names = service.functions.map(({ name }) => name)
    expect(names).toHaveLength(FUNCTIONS.length)
    for (const { method, path } of routes) {
      const served = service.api.routes.find((route) => route.method === method && `${route.path}/` === path)
      expect(names).toContain(served?.functionName)
    }
  })

  it('the app of the service connects event sources and rules to its own resources', () => {
    const arns = [...service.functions, ...service.queues].map(({ arn }) => arn)
    const sources = [...service.queues.map(({ arn }) => arn), ...service.tables.map(({ streamArn }) => streamArn)]
    for (const { sourceArn, functionName } of service.eventSources) {
      expect(sources).toContain(sourceArn)
      expect(service.functions.map(({ name }) => name)).toContain(functionName)
    }
    for (const { bus, targets } of service.rules) {
      expect([...service.buses, undefined]).toContain(bus)
      for (const { arn } of targets) expect(arns).toContain(arn)
    }
  })

  it('the app of the service has the same table as the tests', () => {
    const [table, ...others] = service.tables
    expect(others).toEqual([])
    expect(serviceTable(table!.name).createTable).toEqual(table!.createTable)
  })

  it('the app of the service gives the operator all variables of functions and the URL of every queue', () => {
    const own = [
      'NODE_OPTIONS',
      'ROUTES',
      'OUTPUT_TIMEZONE',
      'PRIVATE_AGENT_HOSTS',
      'PRIVATE_WEBHOOK_HOSTS',
      'STAGE',
      'UPLOADS_ORIGIN',
      'COUNTED_QUEUES',
      'COUNTED_EVENT_QUEUES',
      'ROWS_PER_SECOND',
    ]
    const told = service.functions.flatMap(({ environment }) => Object.entries(environment)).filter(([name]) => !own.includes(name))
    expect(service.operator).toMatchObject(Object.fromEntries(told))
    expect(Object.values(service.operator)).toEqual(expect.arrayContaining(service.queues.map(({ url }) => url)))
    expect(service.operator).toHaveProperty('CALL_DEAD_LETTERS_URL')
    expect(Object.keys(service.operator).map((name) => variableOf(outputOf(name)))).toEqual(Object.keys(service.operator))
  })

  it('the app of the service gives functions the local addresses of resources', () => {
    const environments = service.functions.map(({ environment }) => environment)
    const valuesOf = (name: string) => new Set(environments.flatMap((environment) => environment[name] ?? []))
    expect(valuesOf('PUBLIC_BASE_URL')).toEqual(new Set(['http://api']))
    expect(valuesOf('TABLE_NAME')).toEqual(new Set(service.tables.map(({ name }) => name)))
    expect(valuesOf('EVENT_BUS_NAME')).toEqual(new Set(service.buses))
    expect(valuesOf('PHONE_HASH_SECRET_ARN')).toEqual(new Set(service.secrets.map(({ arn }) => arn)))
    expect(valuesOf('HEADERS_KEY_ARN')).toEqual(new Set(service.keys.map(({ arn }) => arn)))
    for (const url of valuesOf('CALL_QUEUE_URL')) expect(service.queues.map((queue) => queue.url)).toContain(url)
    for (const url of valuesOf('DELIVERY_QUEUE_URL')) expect(service.queues.map((queue) => queue.url)).toContain(url)
  })
})
