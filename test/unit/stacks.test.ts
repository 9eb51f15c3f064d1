import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { App, Stack } from 'aws-cdk-lib'
import { Template } from 'aws-cdk-lib/assertions'
import { buildApp } from '#lib/app.ts'
import { FUNCTIONS, makeBundles, resourcesOf } from '#test/support/stacks.ts'

let folder: string
let stacks: Template[]
let app: App
let report: () => void

const stack = (id: string, app: App) => Template.fromStack(app.node.findChild(id) as Stack)
const ofType = (type: string) => resourcesOf(stacks, type)
const byId = (type: string) => Object.fromEntries(ofType(type))

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'stacks-'))
  makeBundles(folder)
  app = buildApp({ context: { bundles: folder, privateHosts: 'agent.internal' }, outdir: join(folder, 'out') })
  app.synth({ skipValidation: true })
  report = () => app.synth({ force: true })
  stacks = ['Data', 'Api', 'Calling', 'Events', 'Ingestion'].map((id) => stack(id, app))
})

afterAll(() => rmSync(folder, { recursive: true }))

/** Lists are written as such or, with one entry, as that. */
const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : [value])

describe('the app', () => {
  it('is synthesised without an account, and breaks no security rule without a reason', () => {
    expect(report).not.toThrow()
  })

  it('is deployed so that what tells of changes knows their shapes before they are written', () => {
    const awaited = (id: string) => (app.node.findChild(id) as Stack).dependencies.map(({ node }) => node.id).toSorted()
    expect(awaited('Events')).toEqual(['Data'])
    expect(awaited('Api')).toEqual(['Data', 'Events'])
    expect(awaited('Ingestion')).toEqual(['Data', 'Events'])
    expect(awaited('Calling')).toEqual(['Api', 'Data', 'Events'])
  })

  it('says what to do when a bundle is missing', () => {
    expect(() => buildApp({ context: { bundles: '/nowhere' }, outdir: join(folder, 'other') })).toThrow(
      /workers\/publish-changes is missing.*Run npm run build\.$/,
    )
  })
})

describe('functions', () => {
  it('are all there, on Node 24 and arm64', () => {
    const functions = ofType('AWS::Lambda::Function').map(([, { Properties }]) => Properties)
    expect(functions.map((properties) => properties['Description']).sort()).toEqual([...FUNCTIONS].sort())
    for (const properties of functions)
      expect(properties).toMatchObject({ Runtime: 'nodejs24.x', Architectures: ['arm64'], Handler: 'index.handler' })
  })

  it('log to a group that forgets', () => {
    const groups = byId('AWS::Logs::LogGroup')
    for (const group of Object.values(groups)) expect(group.Properties['RetentionInDays']).toBe(30)
    for (const [, { Properties }] of ofType('AWS::Lambda::Function'))
      expect(Object.keys(groups)).toContain(Properties['LoggingConfig'].LogGroup.Ref)
  })

  it('each have an alarm that says what breaks for whom', () => {
    const watched = ofType('AWS::CloudWatch::Alarm')
      .filter(([, { Properties }]) => Properties['MetricName'] === 'Errors')
      .map(([, { Properties }]) => Properties['Dimensions'][0].Value.Ref)
    expect(watched.sort()).toEqual(
      ofType('AWS::Lambda::Function')
        .map(([id]) => id)
        .sort(),
    )
    for (const [, { Properties }] of ofType('AWS::CloudWatch::Alarm')) expect(Properties['AlarmDescription']).toMatch(/^[A-Z].{30,}\.$/)
  })

  it('may do what they need and nothing else', () => {
    const roles = ofType('AWS::IAM::Role').filter(([, { Properties }]) => Properties['Policies'])
    expect(roles).toHaveLength(FUNCTIONS.length)
    expect(ofType('AWS::IAM::Policy')).toEqual([])
    for (const { Action, Effect, Resource } of roles.flatMap(([, { Properties }]) => Properties['Policies'][0].PolicyDocument.Statement)) {
      expect(Effect).toBe('Allow')
      for (const action of list(Action)) expect(action).toMatch(/^[a-z0-9]+:[A-Za-z]+$/)
      // The one action that knows no narrower resource. Objects have theirs in the folder that is allowed.
      if (Action !== 'dynamodb:ListStreams') expect(JSON.stringify(Resource).replace(/"\/\w+\/\*"/g, '')).not.toContain('*')
    }
  })

  it('are told the settings of the deployment', () => {
    stacks[2]!.hasResourceProperties('AWS::Lambda::Function', { Environment: { Variables: { PRIVATE_HOSTS: 'agent.internal' } } })
  })
})
