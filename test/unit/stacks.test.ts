import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { App, Stack } from 'aws-cdk-lib'
import { Template } from 'aws-cdk-lib/assertions'
import { buildApp } from '#lib/app.ts'
import { ImpactAlarm } from '#lib/constructs/impact-alarm.ts'
import { alarmsPage, EXAMPLE_INSTANCE } from '#lib/reference/from-stacks.ts'
import { METRIC_NAMESPACE, METRICS } from '#shared/platform/metrics.ts'
import { FUNCTIONS, makeBundles, resourcesOf } from '#test/support/stacks.ts'
import { withoutLayout } from '#test/support/without-layout.ts'

let folder: string
let stacks: Template[]
let app: App
let context: Record<string, string>
let report: () => void

const stack = (id: string, app: App) => Template.fromStack(app.node.findChild(id) as Stack)
const ofType = (type: string) => resourcesOf(stacks, type)
const byId = (type: string) => Object.fromEntries(ofType(type))

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'stacks-'))
  makeBundles(folder)
  context = {
    bundles: folder,
    privateAgentHosts: 'agent.internal:8443',
    privateWebhookHosts: 'hooks.internal',
    alarmTopicArn: 'arn:aws:sns:eu-west-1:111122223333:alarms',
    connectInstances: EXAMPLE_INSTANCE,
  }
  app = buildApp({ context, outdir: join(folder, 'out') })
  app.synth({ skipValidation: true })
  report = () => app.synth({ force: true })
  stacks = ['Data', 'Api', 'Calling', 'Events', 'Ingestion', 'Monitoring'].map((id) => stack(id, app))
})

afterAll(() => rmSync(folder, { recursive: true }))

/** CloudFormation lists with a single entry may be written without the list. */
const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : [value])

describe('the app', () => {
  it('the app synthesises without an account, and without unexplained security findings', () => {
    expect(report).not.toThrow()
  })

  it('the app gives the same templates when it is synthesised again', () => {
    const [one, other] = ['out', 'again'].map((name) => join(folder, name))
    buildApp({ context, outdir: other!, checked: false }).synth()
    const templates = readdirSync(one!).filter((name) => /\.(template|assets)\.json$/.test(name))
    expect(templates).toHaveLength(2 * stacks.length)
    for (const name of templates) expect(readFileSync(join(other!, name), 'utf8')).toBe(readFileSync(join(one!, name), 'utf8'))
  })

  it('the app deploys readers of changes before their writers, and workers of files before the API that asks them', () => {
    const awaited = (id: string) => (app.node.findChild(id) as Stack).dependencies.map(({ node }) => node.id).toSorted()
    expect(awaited('Events')).toEqual(['Data'])
    expect(awaited('Api')).toEqual(['Data', 'Events', 'Ingestion'])
    expect(awaited('Ingestion')).toEqual(['Data', 'Events'])
    expect(awaited('Calling')).toEqual(['Api', 'Data', 'Events'])
  })

  it('the app says what to do when a bundle is missing', () => {
    expect(() => buildApp({ context: { bundles: '/nowhere' }, outdir: join(folder, 'other') })).toThrow(
      /workers\/publish-changes is missing.*Run npm run build\.$/,
    )
  })
})

describe('functions', () => {
  const reserved = (templates: readonly Template[]) =>
    resourcesOf(templates, 'AWS::Lambda::Function').flatMap(([, { Properties }]) =>
      'ReservedConcurrentExecutions' in Properties ? [[Properties['Description'], Properties['ReservedConcurrentExecutions']]] : [],
    )

  it('the functions reserve no concurrency by default', () => {
    expect(reserved(stacks)).toEqual([])
  })

  it('the functions reserve concurrency for calls and their reports when configured', () => {
    const other = buildApp({ context: { ...context, reservedConcurrency: '60' }, outdir: join(folder, 'reserved'), checked: false })
    expect(reserved([stack('Api', other), stack('Calling', other)])).toEqual([
      ['agents/call-events', 60],
      ['agents/platform-events', 60],
      ['agents/platform-tools', 60],
      ['workers/place-call', 60],
    ])
  })

  it('the functions are all deployed, on Node 24 and arm64', () => {
    const functions = ofType('AWS::Lambda::Function').map(([, { Properties }]) => Properties)
    expect(functions.map((properties) => properties['Description']).sort()).toEqual([...FUNCTIONS].sort())
    for (const properties of functions)
      expect(properties).toMatchObject({ Runtime: 'nodejs24.x', Architectures: ['arm64'], Handler: 'index.handler' })
  })

  it('the functions log to a group that keeps lines for 30 days', () => {
    const groups = byId('AWS::Logs::LogGroup')
    for (const group of Object.values(groups)) expect(group.Properties['RetentionInDays']).toBe(30)
    for (const [, { Properties }] of ofType('AWS::Lambda::Function'))
      expect(Object.keys(groups)).toContain(Properties['LoggingConfig'].LogGroup.Ref)
  })

  /** Names of the functions that alarms on this metric watch. */
  const watchedBy = (metric: string): string[] =>
    ofType('AWS::CloudWatch::Alarm').flatMap(([, { Properties }]) => {
      if (Properties['MetricName'] !== metric) return []
      const values: unknown[] = Properties['Dimensions'].map(({ Value }: { Value: unknown }) => Value)
      const told = values.find((value) => value !== 'prod')
      return typeof told === 'string' ? [told] : [byId('AWS::Lambda::Function')[(told as { Ref: string }).Ref]!.Properties['FunctionName']]
    })
  const ofFolder = (name: string) => `lead-outreach-prod-${name.replaceAll('/', '-')}`

  it('each worker has an error alarm, and the functions of the API have one together', () => {
    const [workers, others] = [true, false].map((worker) =>
      FUNCTIONS.filter((name) => name.startsWith('workers/') === worker).map(ofFolder),
    )
    expect(watchedBy('Errors').toSorted()).toEqual(workers!.toSorted())
    const alarms = app.node.findAll().filter((one) => one instanceof ImpactAlarm)
    const all = alarms.find(({ name }) => name === 'lead-outreach-prod-api/ServerErrors')
    expect(all?.covered.map(({ functionName }) => functionName).toSorted()).toEqual(others!.toSorted())
    for (const { impact } of all?.covered ?? []) expect(impact).toMatch(/^[A-Z].{10,}\.$/)
    stacks[1]!.hasResourceProperties('AWS::CloudWatch::Alarm', {
      MetricName: '5XXError',
      Namespace: 'AWS/ApiGateway',
      Dimensions: [{ Name: 'ApiName', Value: 'lead-outreach-prod-api' }],
      Threshold: 1,
      EvaluationPeriods: 1,
    })
  })

  it('the functions that consume a queue have an alarm on failing messages', () => {
    const consumers = ofType('AWS::Lambda::EventSourceMapping').filter(([, { Properties }]) => !Properties['StartingPosition'])
    const functions = byId('AWS::Lambda::Function')
    const named = consumers.map(([, { Properties }]) => functions[Properties['FunctionName'].Ref]?.Properties['FunctionName'])
    expect(watchedBy('failures').toSorted()).toEqual([...new Set(named)].toSorted())
    const alarms = ofType('AWS::CloudWatch::Alarm').filter(([, { Properties }]) => Properties['MetricName'] === 'failures')
    for (const [, { Properties }] of alarms) {
      expect(Properties).toMatchObject({ Namespace: METRIC_NAMESPACE, Statistic: 'Sum', Period: 300, EvaluationPeriods: 3, Threshold: 1 })
      expect(Properties['Dimensions']).toContainEqual({ Name: 'stage', Value: 'prod' })
    }
  })

  it('the functions have narrow permissions without wildcards', () => {
    const roles = ofType('AWS::IAM::Role').filter(([, { Properties }]) => Properties['Policies'])
    expect(roles).toHaveLength(FUNCTIONS.length)
    expect(ofType('AWS::IAM::Policy')).toEqual([])
    for (const { Action, Effect, Resource } of roles.flatMap(([, { Properties }]) => Properties['Policies'][0].PolicyDocument.Statement)) {
      expect(Effect).toBe('Allow')
      for (const action of list(Action)) expect(action).toMatch(/^[a-z0-9]+:[A-Za-z]+$/)
      // The only action without a narrower resource. Objects are limited to the allowed folder, and contacts to their instance.
      const narrow = JSON.stringify(Resource)
        .replace(/"\/\w+\/\*"/g, '')
        .replace(`${EXAMPLE_INSTANCE}/*`, '')
      if (Action !== 'dynamodb:ListStreams') expect(narrow).not.toContain('*')
    }
  })

  it('the functions receive the settings of the deployment', () => {
    stacks[2]!.hasResourceProperties('AWS::Lambda::Function', {
      Environment: { Variables: { PRIVATE_AGENT_HOSTS: 'agent.internal:8443' } },
    })
  })
})

describe('alarms', () => {
  const alarms = () => ofType('AWS::CloudWatch::Alarm').map(([, { Properties }]) => Properties)

  it('the alarms say what is broken and what to do, and notify the topic', () => {
    for (const { AlarmDescription, AlarmActions } of alarms()) {
      expect(AlarmDescription).toMatch(/^[A-Z].{30,}\. What to do: .{30,}\.$/)
      expect(AlarmDescription.length).toBeLessThanOrEqual(1024)
      expect(AlarmActions).toEqual([context['alarmTopicArn']])
    }
  })

  it('the alarms have unique names with the stack and what they watch', () => {
    const names = alarms().map(({ AlarmName }) => AlarmName)
    expect(names).toEqual(expect.arrayContaining(['lead-outreach-prod-calling/PlaceCall/Errors', 'lead-outreach-prod-data/Calls/Late']))
    expect(new Set(names).size).toBe(names.length)
    for (const name of names) expect(name).toMatch(/^lead-outreach-prod-[\w/-]+$/)
  })

  it('the alarms watch for overdue leads and for a sweep that stops', () => {
    const calling = stacks[2]!
    const overdue = { Namespace: METRIC_NAMESPACE, MetricName: 'leads_overdue', Dimensions: [{ Name: 'stage', Value: 'prod' }] }
    calling.hasResourceProperties('AWS::CloudWatch::Alarm', { ...overdue, Statistic: 'Maximum', Threshold: 1, EvaluationPeriods: 3 })
    const stopped = { MetricName: 'Invocations', TreatMissingData: 'breaching', EvaluationPeriods: 2 }
    calling.hasResourceProperties('AWS::CloudWatch::Alarm', stopped)
  })

  it('the alarms watch for half of the ids being used up', () => {
    const taken = { Namespace: METRIC_NAMESPACE, MetricName: 'ids_taken', Statistic: 'Maximum', Threshold: 2 ** 30 }
    stacks[2]!.hasResourceProperties('AWS::CloudWatch::Alarm', taken)
  })

  it('the alarms are all in the reference that npm run generate writes', () => {
    const written = readFileSync(new URL('../../docs/reference/alarms.md', import.meta.url), 'utf8')
    expect(withoutLayout(written)).toBe(withoutLayout(alarmsPage(app)))
  })
})

describe('the dashboard', () => {
  interface Widget {
    readonly type: string
    readonly properties: { readonly title: string; readonly metrics?: unknown[][]; readonly alarms?: string[] }
  }
  const widgets = (): Widget[] => {
    const [[, { Properties }] = ['', { Properties: {} }]] = ofType('AWS::CloudWatch::Dashboard')
    const parts: unknown[] = Properties['DashboardBody']['Fn::Join'][1]
    return JSON.parse(parts.map((part) => (typeof part === 'string' ? part : JSON.stringify(part).replaceAll('"', "'"))).join('')).widgets
  }

  it('the dashboard exists once, and shows every alarm', () => {
    expect(ofType('AWS::CloudWatch::Dashboard')).toHaveLength(1)
    const shown = widgets().flatMap(({ type, properties }) => (type === 'alarm' ? (properties.alarms ?? []) : []))
    expect(shown.map((arn) => arn.split(':alarm:').at(-1)).toSorted()).toEqual(
      ofType('AWS::CloudWatch::Alarm')
        .map(([, { Properties }]) => Properties['AlarmName'])
        .toSorted(),
    )
  })

  it('the dashboard shows the metrics of this stage by the names that the functions write', () => {
    const names: readonly string[] = METRICS.map(({ name }) => name)
    const own = widgets().flatMap(({ properties }) => (properties.metrics ?? []).filter(([namespace]) => namespace === METRIC_NAMESPACE))
    expect(own.length).toBeGreaterThan(10)
    for (const [, name, ...dimensions] of own) {
      expect(names).toContain(name)
      const told = name === 'failures' ? ['function', expect.stringMatching(/^lead-outreach-prod-/), 'stage', 'prod'] : ['stage', 'prod']
      expect(dimensions.slice(0, -1)).toEqual(told)
    }
  })

  it('the dashboard shows errors and throttles of every function, and every queue', () => {
    const seriesOf = (title: string) => widgets().find(({ properties }) => properties.title === title)?.properties.metrics
    const named = ofType('AWS::Lambda::Function').map(([, { Properties }]) => Properties['FunctionName'])
    const shown = (title: string, metric: string) => seriesOf(title)?.flatMap(([, name, , of]) => (name === metric ? [of] : []))
    expect(shown('Functions that fail', 'Errors')?.toSorted()).toEqual(named.toSorted())
    expect(shown('Functions that fail', 'failures')?.toSorted()).toEqual(named.toSorted())
    expect(shown('Throttled functions', 'Throttles')?.toSorted()).toEqual(named.toSorted())
    expect((seriesOf('Waiting messages')?.length ?? 0) + (seriesOf('Dead letters')?.length ?? 0)).toBe(ofType('AWS::SQS::Queue').length)
  })
})
