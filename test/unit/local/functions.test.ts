import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { withLocalEnvironment } from '#lib/local/functions/environment.ts'
import type { FunctionSpec } from '#lib/local/model.ts'
import { MOST_IN_BACKGROUND } from '#lib/local/sandbox-limits.ts'
import { eventually } from '#test/support/eventually.ts'
import { BACKGROUND, CROWD, type SampleFunction, SECONDS, startSampleFunctions } from '#test/support/sample-functions.ts'

let running: Awaited<ReturnType<typeof startSampleFunctions>>
beforeAll(async () => {
  running = await startSampleFunctions()
})
afterAll(() => running?.stop())

const invoke = (name: SampleFunction, event: unknown = {}) => running.invoke(name, event)

describe('a function', () => {
  it('a function gets its event, its context and only its own environment', async () => {
    expect(await invoke('echo', { a: [1, undefined, new Date(0)] })).toEqual({
      ok: true,
      payload: {
        event: { a: [1, null, '1970-01-01T00:00:00.000Z'] },
        name: 'echo',
        home: null,
        zone: 0,
        context: expect.objectContaining({
          functionName: 'echo',
          functionVersion: '$LATEST',
          invokedFunctionArn: 'arn:aws:lambda:us-east-1:123456789012:function:echo',
          memoryLimitInMB: '128',
          awsRequestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
          logGroupName: '/aws/lambda/echo',
          left: expect.any(Number),
        }),
      },
    })
    expect(await invoke('other')).toEqual({ ok: true, payload: { name: 'other', global: null } })
  })

  it('a function keeps its sandbox between events', async () => {
    expect([await invoke('marking'), await invoke('marking')]).toEqual([
      { ok: true, payload: 1 },
      { ok: true, payload: 2 },
    ])
    expect(await invoke('other')).toMatchObject({ payload: { global: null } })
  })

  it('a function answers null when it returns nothing, and logs what it prints', async () => {
    expect(await invoke('nothing')).toEqual({ ok: true, payload: null })
    await eventually(() => running.lines.includes('said by a function'))
  })

  it('a function handles several events at once, each in its own sandbox', async () => {
    const { arrive } = running.meetingOf(5)
    const met = await Promise.all(Array.from({ length: 5 }, (_, index) => arrive(`${index}`)))
    expect(met).toEqual(Array(5).fill({ ok: true, payload: 'met' }))
  })

  it('a function handles more events than there can be sandboxes', async () => {
    const all = [...Array(40).fill('nothing'), ...Array(40).fill('marking'), ...Array(40).fill('other')]
    const results = await Promise.all(all.map((name) => invoke(name)))
    expect(results.filter(({ ok }) => ok)).toHaveLength(120)
  })

  it('a function still runs when more functions have events than the limit of sandboxes', async () => {
    const all = [...CROWD, ...CROWD]
    expect(await Promise.all(all.map((name) => running.functions.invoke(name, {})))).toEqual(
      all.map((name) => ({ ok: true, payload: { name, global: null } })),
    )
  })

  it('a function runs at once when a client waits, even during much background work', async () => {
    const { arrive, arrived } = running.meetingOf(31)
    const busy = BACKGROUND.flatMap((name) => Array.from({ length: 10 }, (_, index) => arrive(`${name}-${index}`, name)))
    await eventually(() => arrived() === MOST_IN_BACKGROUND)
    expect(await Promise.all([invoke('other'), invoke('marking'), invoke('echo')])).toMatchObject([
      { ok: true },
      { ok: true },
      { ok: true },
    ])
    expect(arrived()).toBe(MOST_IN_BACKGROUND)
    // The others arrive once these have ended.
    running.endMeetings()
    expect(await Promise.all(busy)).toEqual(Array(30).fill({ ok: true, payload: 'met' }))
  })
})

describe('a failing function', () => {
  it('a failing function answers with the message of its exception, and can run again', async () => {
    expect(await invoke('throwing')).toEqual({ ok: false, errorType: 'HandlerError', message: 'RangeError: out of range' })
    expect(await invoke('throwing', { fine: true })).toEqual({ ok: true, payload: 'fine' })
  })

  it('a function is stopped at its timeout, even in an endless loop', async () => {
    expect(await invoke('endless', { ever: true })).toEqual({
      ok: false,
      errorType: 'TimedOut',
      message: 'Task timed out after 0.3 seconds',
    })
    expect(await invoke('endless')).toEqual({ ok: true, payload: 'ended' })
  })

  it('a function gets more time than its limit when the machine may be slow', async () => {
    const patient = await startSampleFunctions({ patience: 1000 })
    try {
      expect(await patient.invoke('hasty')).toEqual({ ok: true, payload: 'late' })
    } finally {
      await patient.stop()
    }
    expect(await invoke('hasty')).toMatchObject({ ok: false, errorType: 'TimedOut' })
  })

  it('with longer local time limits, a function that answers a request sees the longer limit, and a background function sees its own', async () => {
    const patient = await startSampleFunctions({ patience: 1000 })
    try {
      const waitedFor = (await patient.invoke('echo')) as { payload: { context: { left: number } } }
      expect(waitedFor.payload.context.left).toBeGreaterThan(SECONDS * 1000)
      const behind = (await patient.invoke('behind')) as { payload: number }
      expect(behind.payload).toBeLessThanOrEqual(SECONDS * 1000)
    } finally {
      await patient.stop()
    }
  })

  it.each<SampleFunction>(['exiting', 'rejecting'])('a function counts as crashed when it ends its sandbox (%s)', async (name) => {
    expect(await invoke(name)).toMatchObject({ ok: false, errorType: 'Crashed' })
    expect(await invoke('other')).toMatchObject({ ok: true })
  })

  it('a function that cannot be loaded tells every caller why', async () => {
    const results = await Promise.all([invoke('broken'), invoke('broken'), invoke('broken')])
    for (const result of results)
      expect(result).toEqual({ ok: false, errorType: 'HandlerError', message: expect.stringContaining('nothing-of-that-name') })
  })

  it('an event for a function that does not exist causes an error', async () => {
    expect(await running.functions.invoke('nobody', {})).toEqual({
      ok: false,
      errorType: 'HandlerError',
      message: 'there is no function nobody',
    })
  })
})

describe('the environment of a function', () => {
  it("the environment of a function is the template's, with the SDK pointed at this machine's engines", () => {
    const endpoints = {
      dynamodb: 'http://127.0.0.1:1',
      sqs: 'http://127.0.0.1:2',
      s3: 'http://127.0.0.1:3',
      eventbridge: 'http://127.0.0.1:4',
      secretsManager: 'http://127.0.0.1:5',
      kms: 'http://127.0.0.1:7',
      api: 'http://127.0.0.1:6',
    }
    const spec: FunctionSpec = {
      name: 'f',
      arn: 'arn',
      bundle: '/b',
      handler: 'index.handler',
      environment: { TABLE_NAME: 't', NODE_OPTIONS: '--enable-source-maps' },
      timeoutSeconds: 3,
      memoryMb: 256,
    }
    expect(
      withLocalEnvironment(spec, {
        endpoints,
        clockOffsetMs: -5,
        logLevel: 'INFO',
        platformUrl: '',
        nodeOptions: '--import file:///observer.ts',
      }).environment,
    ).toEqual({
      TABLE_NAME: 't',
      PLATFORM_BASE_URL: '',
      AWS_REGION: 'us-east-1',
      AWS_ACCESS_KEY_ID: 'S3RVER',
      AWS_SECRET_ACCESS_KEY: 'S3RVER',
      AWS_CONFIG_FILE: '/dev/null',
      AWS_SHARED_CREDENTIALS_FILE: '/dev/null',
      AWS_ENDPOINT_URL_DYNAMODB: 'http://127.0.0.1:1',
      AWS_ENDPOINT_URL_SQS: 'http://127.0.0.1:2',
      AWS_ENDPOINT_URL_S3: 'http://127.0.0.1:3',
      AWS_ENDPOINT_URL_EVENTBRIDGE: 'http://127.0.0.1:4',
      AWS_ENDPOINT_URL_SECRETS_MANAGER: 'http://127.0.0.1:5',
      AWS_ENDPOINT_URL_KMS: 'http://127.0.0.1:7',
      AWS_LAMBDA_FUNCTION_NAME: 'f',
      AWS_LAMBDA_FUNCTION_MEMORY_SIZE: '256',
      POWERTOOLS_LOG_LEVEL: 'INFO',
      STAGE: '',
      CLOCK_OFFSET_MS: '-5',
      NODE_OPTIONS: '--enable-source-maps --import file:///observer.ts',
    })
  })
})
