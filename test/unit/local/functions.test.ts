import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { StartFailure } from '#lib/local/engines/start-failure.ts'
import { withLocalEnvironment } from '#lib/local/functions/environment.ts'
import { type RunningFunctions, startFunctions } from '#lib/local/functions/start-functions.ts'
import type { FunctionSpec } from '#lib/local/model.ts'
import { eventually } from '#test/support/eventually.ts'

const sources = {
  echo: `export const handler = async (event, context) => ({ event, name: process.env.NAME, home: process.env.HOME ?? null, zone: new Date().getTimezoneOffset(),
    context: { ...context, left: context.getRemainingTimeInMillis() } })`,
  other: 'export const handler = async () => ({ name: process.env.NAME, global: globalThis.mark ?? null })',
  marking: 'export const handler = async () => { globalThis.mark = (globalThis.mark ?? 0) + 1; return globalThis.mark }',
  slow: 'export const handler = (event) => new Promise((done) => setTimeout(done, event.ms, "done"))',
  endless: 'export const handler = (event) => { while (event.ever) {} return "ended" }',
  throwing: 'export const handler = async (event) => { if (event.fine) return "fine"; throw new RangeError("out of range") }',
  exiting: 'export const handler = async () => process.exit(0)',
  rejecting: 'export const handler = () => { Promise.reject(new Error("nobody listens")); return new Promise(() => {}) }',
  broken: 'import "nothing-of-that-name"; export const handler = async () => 1',
  nothing: 'export const handler = async () => { console.log("said by a function") }',
}

type Name = keyof typeof sources

let directory = ''
let functions: RunningFunctions
const lines: string[] = []
let specs: FunctionSpec[] = []

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'functions-'))
  specs = Object.entries(sources).map(([name, source]) => {
    const bundle = join(directory, name)
    mkdirSync(bundle)
    writeFileSync(join(bundle, 'index.mjs'), source)
    const arn = `arn:aws:lambda:us-east-1:123456789012:function:${name}`
    return {
      name,
      arn,
      bundle,
      handler: 'index.handler',
      environment: { NAME: name },
      timeoutSeconds: name === 'endless' ? 0.3 : 5,
      memoryMb: 128,
    }
  })
  functions = await startFunctions(specs, { log: (line) => lines.push(line), warm: ['echo'], pidFile: join(directory, 'functions.pid') })
})

afterAll(async () => {
  await functions.stop()
  rmSync(directory, { recursive: true })
})

const invoke = (name: Name, event: unknown = {}) => functions.invoke(name, event)

describe('a function', () => {
  it('gets its event, its context and its own environment only', async () => {
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

  it('keeps its sandbox from one event to the next', async () => {
    expect([await invoke('marking'), await invoke('marking')]).toEqual([
      { ok: true, payload: 1 },
      { ok: true, payload: 2 },
    ])
    expect(await invoke('other')).toMatchObject({ payload: { global: null } })
  })

  it('answers null for nothing, and what it prints is logged', async () => {
    expect(await invoke('nothing')).toEqual({ ok: true, payload: null })
    await eventually(() => lines.includes('said by a function'))
  })

  it('runs several events at once, each in a sandbox of its own', async () => {
    const start = performance.now()
    await Promise.all(Array.from({ length: 5 }, () => invoke('slow', { ms: 3000 })))
    expect(performance.now() - start).toBeLessThan(12_000)
  })

  it('takes more events than there may be sandboxes', async () => {
    const all = [...Array(40).fill('slow'), ...Array(40).fill('marking'), ...Array(40).fill('other')]
    const results = await Promise.all(all.map((name) => invoke(name, { ms: 20 })))
    expect(results.filter(({ ok }) => ok)).toHaveLength(120)
  })
})

describe('a failing function', () => {
  it('that throws has failed with its message, and its sandbox goes on', async () => {
    expect(await invoke('throwing')).toEqual({ ok: false, errorType: 'HandlerError', message: 'RangeError: out of range' })
    expect(await invoke('throwing', { fine: true })).toEqual({ ok: true, payload: 'fine' })
  })

  it('that takes too long is ended, though it never yields', async () => {
    expect(await invoke('endless', { ever: true })).toEqual({
      ok: false,
      errorType: 'TimedOut',
      message: 'Task timed out after 0.3 seconds',
    })
    expect(await invoke('endless')).toEqual({ ok: true, payload: 'ended' })
  })

  it.each<Name>(['exiting', 'rejecting'])('that ends its sandbox has crashed (%s)', async (name) => {
    expect(await invoke(name)).toMatchObject({ ok: false, errorType: 'Crashed' })
    expect(await invoke('other')).toMatchObject({ ok: true })
  })

  it('that cannot be loaded says why, to everyone who asks', async () => {
    const results = await Promise.all([invoke('broken'), invoke('broken'), invoke('broken')])
    for (const result of results)
      expect(result).toEqual({ ok: false, errorType: 'HandlerError', message: expect.stringContaining('nothing-of-that-name') })
  })

  it('that is not there is an error', async () => {
    expect(await functions.invoke('nobody', {})).toEqual({ ok: false, errorType: 'HandlerError', message: 'there is no function nobody' })
  })
})

describe("the functions' process", () => {
  it('is started again when it dies: what ran in it has crashed, what comes meanwhile waits', async () => {
    const before = functions.pid()
    const running = [invoke('slow', { ms: 4000 }), invoke('slow', { ms: 4000 })]
    await pause(1000)
    process.kill(before, 'SIGKILL')
    expect(await Promise.all(running)).toEqual(Array(2).fill({ ok: false, errorType: 'Crashed', message: "the functions' process died" }))
    expect(await invoke('other')).toMatchObject({ ok: true })
    expect(functions.pid()).not.toBe(before)
    expect(readFileSync(join(directory, 'functions.pid'), 'utf8')).toBe(`${functions.pid()}\n`)
  })

  it('answers every event, however often it dies', async () => {
    const answers = Array.from({ length: 200 }, async (_, index) => {
      await pause(index * 10)
      return invoke('marking')
    })
    for (let kill = 0; kill < 8; kill++) {
      await pause(200)
      // On a busy machine the next process may not be there yet.
      if (runs(functions.pid())) process.kill(functions.pid(), 'SIGKILL')
    }
    const results = await Promise.all(answers)
    for (const result of results) expect(result.ok || result.errorType === 'Crashed').toBe(true)
    expect(results.filter(({ ok }) => ok).length).toBeGreaterThan(20)
  })

  it('that cannot be started at first is one sentence', async () => {
    const pidFile = join(directory, 'never.pid')
    const start = startFunctions(specs, { log: () => {}, node: join(directory, 'no-node'), pidFile })
    await expect(start).rejects.toThrow(StartFailure)
    await expect(start).rejects.toThrow(/^The functions' process cannot be started: spawn .*no-node ENOENT\.$/)
    expect(existsSync(pidFile)).toBe(false)
  })

  it('that ends before it is ready is one sentence, when it does so again and again', async () => {
    const start = startFunctions(specs, { log: () => {}, node: '/bin/false' })
    await expect(start).rejects.toThrow(
      new StartFailure("The functions' process cannot be started: the process ended (1) before it was ready."),
    )
  })

  it('that cannot be started again is, as soon as it can', async () => {
    const node = join(directory, 'node')
    const pidFile = join(directory, 'mortal.pid')
    symlinkSync(process.execPath, node)
    const mortal = await startFunctions(specs, { log: () => {}, node, pidFile })
    try {
      const before = mortal.pid()
      rmSync(node)
      process.kill(before, 'SIGKILL')
      const waiting = mortal.invoke('other', {})
      await pause(600)
      expect(readFileSync(pidFile, 'utf8')).toBe(`${before}\n`)
      symlinkSync(process.execPath, node)
      const crashed = await waiting
      expect(crashed.ok || crashed.errorType === 'Crashed').toBe(true)
      expect(await mortal.invoke('other', {})).toMatchObject({ ok: true })
      expect(readFileSync(pidFile, 'utf8')).toBe(`${mortal.pid()}\n`)
      expect(mortal.pid()).not.toBe(before)
    } finally {
      await mortal.stop()
    }
  })

  it('dies with the process that started it', async () => {
    const program = `
      const { startFunctions } = await import(${JSON.stringify(new URL('../../../lib/local/functions/start-functions.ts', import.meta.url).href)})
      const functions = await startFunctions(${JSON.stringify(specs)}, { log() {} })
      functions.invoke('endless', { ever: true })
      console.log(functions.pid())`
    const owner = spawn(process.execPath, ['--input-type=module', '-e', program], { stdio: ['ignore', 'pipe', 'inherit'] })
    const [pid] = await once(createInterface({ input: owner.stdout }), 'line')
    owner.kill('SIGKILL')
    await eventually(() => !runs(Number(pid)))
  })
})

/** Whether a process runs; one that ended and is not yet buried does not. */
const runs = (pid: number): boolean => {
  try {
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return false
  }
}

describe('the environment of a function', () => {
  it("is the template's, with the SDK pointed at this machine's engines", () => {
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
      withLocalEnvironment(spec, { endpoints, clockOffsetMs: -5, logLevel: 'INFO', nodeOptions: '--import file:///observer.ts' })
        .environment,
    ).toEqual({
      TABLE_NAME: 't',
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
