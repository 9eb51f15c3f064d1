import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { buildApp } from '#lib/app.ts'
import { routeByRules } from '#lib/local/events/rules.ts'
import type { Endpoints, ServiceTemplate } from '#lib/local/model.ts'
import { readServiceTemplate } from '#lib/local/template/read.ts'
import { EXAMPLE_INSTANCE, permissionsIn } from '#lib/reference/from-stacks.ts'
import { makeBundles } from '#test/support/stacks.ts'

const OTHER = EXAMPLE_INSTANCE.replace('10a4c4eb', '20b5d5fc')
const endpoints: Endpoints = { dynamodb: '', sqs: 'http://127.0.0.1:1', s3: '', eventbridge: '', secretsManager: '', kms: '', api: '' }

let folder: string
let named: { templates: readonly unknown[]; local: ServiceTemplate }
let unnamed: typeof named

/** The templates, and what the local service reads from them. */
const synthesised = (name: string, context: Record<string, string>) => {
  const bundles = join(folder, 'bundles')
  const { directory, stacks } = buildApp({ context: { bundles, ...context }, outdir: join(folder, name), checked: false }).synth()
  return { templates: stacks.map(({ template }): unknown => template), local: readServiceTemplate(directory, endpoints) }
}

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'stacks-connect-'))
  mkdirSync(join(folder, 'bundles'))
  makeBundles(join(folder, 'bundles'))
  named = synthesised('named', { stage: 'local', connectInstances: `${EXAMPLE_INSTANCE},${OTHER}` })
  unnamed = synthesised('unnamed', { stage: 'local' })
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const allowed = (templates: readonly unknown[]) =>
  Object.entries(permissionsIn(templates)).flatMap(([name, permissions]) =>
    Object.entries(permissions).flatMap(([resource, actions]) => (actions.includes('connect:') ? [[name, resource, actions]] : [])),
  )

describe('a deployment that names instances of Amazon Connect', () => {
  it('only the functions that place, follow and end calls may use the named instances of Amazon Connect', () => {
    const follow = ['connect:DescribeContact', 'connect:GetContactAttributes']
    const place = [...follow, 'connect:SearchContacts', 'connect:StartOutboundVoiceContact', 'connect:StopContact'].join(' ')
    const resources = [EXAMPLE_INSTANCE, `${EXAMPLE_INSTANCE}/*`, OTHER, `${OTHER}/*`]
    expect(allowed(named.templates)).toEqual([
      ...['agents/platform-tools', 'workers/contact-events'].flatMap((name) =>
        resources.map((resource) => [name, resource, [...follow, 'connect:StopContact'].join(' ')]),
      ),
      ...resources.map((resource) => ['workers/place-call', resource, place]),
    ])
  })

  it('a deployment tells the operator’s tool the named instances of Amazon Connect', () => {
    expect(named.local.operator).toMatchObject({
      CONNECT_INSTANCES: `${EXAMPLE_INSTANCE},${OTHER}`,
      CONTACT_EVENT_QUEUE_URL: expect.stringContaining('http'),
      CONTACT_EVENT_DEAD_LETTERS_URL: expect.stringContaining('http'),
    })
  })
})

describe('a deployment that names none', () => {
  it('a deployment that names no instance of Amazon Connect has neither permissions nor a queue for it', () => {
    expect(allowed(unnamed.templates)).toEqual([])
    expect(unnamed.local.functions.map(({ name }) => name).filter((name) => name.includes('contact-events'))).toEqual([])
    expect(Object.keys(unnamed.local.operator).filter((name) => /CON(NE|TA)CT/.test(name))).toEqual([])
    expect(JSON.stringify(unnamed.templates)).not.toContain('aws.connect')
  })
})

describe('the rule for contact events', () => {
  const detail = {
    ...{ eventType: 'DISCONNECTED', contactId: 'c-1', channel: 'VOICE', initiationMethod: 'API' },
    ...{ instanceArn: EXAMPLE_INSTANCE, initiationTimestamp: '2026-11-20T16:00:00.000Z' },
  }

  const worker = () => named.local.eventSources.find(({ functionName }) => functionName.endsWith('workers-contact-events'))

  /** The queues that get an event on the default bus, as the local service routes it, with the messages' groups. */
  const routed = async (changes: object, { source = 'aws.connect', detailType = 'Amazon Connect Contact Event' } = {}) => {
    const got: unknown[] = []
    const route = routeByRules(
      named.local,
      (arn) => async (_, group) => void got.push([arn, group]),
      () => 0,
    )
    await route({ id: '1', bus: 'default', source, detailType, detail: { ...detail, ...changes }, resources: [], time: undefined })
    return got
  }

  it.each([
    ['an end', {}],
    ['an answer', { eventType: 'CONNECTED_TO_SYSTEM' }],
    ['a channel in other letters', { channel: 'Voice' }],
    ['another instance', { instanceArn: OTHER }],
    ['an ARN as in an example of AWS', { instanceArn: EXAMPLE_INSTANCE.replace(':connect:', '::connect:') }],
  ])('the rule for contact events passes %s to the queue of the worker, grouped by instance', async (_, changes) => {
    const { instanceArn } = { ...detail, ...changes }
    expect(await routed(changes)).toEqual([[worker()?.sourceArn, instanceArn]])
  })

  it('the rule for contact events leads to a queue with dead letters, and single messages may fail', () => {
    expect(worker()).toMatchObject({ reportBatchItemFailures: true })
    const queue = named.local.queues.find(({ arn }) => arn === worker()?.sourceArn)
    expect(queue?.attributes['RedrivePolicy']).toContain('maxReceiveCount')
  })

  it.each([
    ['inbound calls', { initiationMethod: 'INBOUND' }],
    ['chats', { channel: 'CHAT' }],
    ['instances that are not named', { instanceArn: EXAMPLE_INSTANCE.replace('10a4c4eb', '30c6e60d') }],
    ['the repeat of an end', { eventType: 'COMPLETED' }],
    ['changed data', { eventType: 'CONTACT_DATA_UPDATED' }],
  ])('the rule for contact events leaves out %s', async (_, changes) => {
    expect(await routed(changes)).toEqual([])
  })

  it('the rule for contact events leaves out other events of Amazon Connect, and other sources', async () => {
    expect(await routed({}, { detailType: 'Contact Lens Analysis State Change' })).toEqual([])
    expect(await routed({}, { source: 'someone.else' })).toEqual([])
  })
})
