import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals'
import { readAgent, saveAgent } from '#shared/agents/agent-store.ts'
import { openCredentials } from '#shared/agents/credentials.ts'
import { variable } from '#test/support/ops.ts'
import { opsWorld } from '#test/support/ops-world.ts'
import { type ConnectOptions, startConnectEmulator } from '#test/support/platforms/connect-emulator.ts'
import { CONNECT_ARN, CONNECT_FLOW, CONNECT_INSTANCE, SOUND_FLOW } from '#test/support/platforms/connect-world.ts'

const NUMBER = '+12125550100'
const { tool } = opsWorld()

/** A file with one agent. Values are written as YAML. */
const fileOf = (key: string, settings: Readonly<Record<string, string>>): string =>
  `agents:\n  - key: ${key}\n${Object.entries({ from: `['${NUMBER}']`, ...settings })
    .map(([name, value]) => `    ${name}: ${value}\n`)
    .join('')}`
const connect = (more: Readonly<Record<string, string>> = {}) => ({
  ...{ platform: 'connect', assistant: CONNECT_FLOW },
  settings: `{ region: us-east-1, instance_id: ${CONNECT_INSTANCE} }`,
  ...more,
})

describe('an agent on a voice platform in a file', () => {
  beforeAll(() => {
    process.env['PLATFORM_KEY'] = 'key-1'
    process.env['SHORT_SECRET'] = `whsec_${Buffer.alloc(12, 7).toString('base64')}`
  })
  afterAll(() => {
    delete process.env['PLATFORM_KEY']
    delete process.env['SHORT_SECRET']
  })

  it('needs no API key on Amazon Connect, and stays as it is when the file is applied again', async () => {
    const { out } = await tool().apply(fileOf('flow', connect()))
    const lines = ['platform: connect', `assistant: ${CONNECT_FLOW}`, `from: ["${NUMBER}"]`, 'settings.region: us-east-1']
    for (const line of lines) expect(out).toContain(`    ${line}\n`)
    expect(out).not.toMatch(/credentials|secrets|url/)
    const agent = await readAgent('flow')
    expect(agent).toMatchObject({ secrets: [], platform: { name: 'connect', assistant: CONNECT_FLOW } })
    expect(await openCredentials('flow', agent?.platform?.credentials ?? '')).toEqual({ api_key: '', callback_secret: null })
    expect((await tool().apply(fileOf('flow', connect()))).out).toContain('0 new, 0 changed, 0 removed, 1 unchanged')
    expect(await readAgent('flow')).toEqual(agent)
    const detecting = connect({ settings: `{ region: us-east-1, instance_id: ${CONNECT_INSTANCE}, machine_detection: 'on' }` })
    expect((await tool().apply(fileOf('flow', detecting))).out).toContain('1 changed')
  })

  it.each([
    ['a key that has no use', connect({ api_key: variable('PLATFORM_KEY') }), 'An agent on the platform connect has no api_key'],
    ['a missing setting', connect({ settings: '{ region: us-east-1 }' }), 'The platform connect needs the setting instance_id: The id of'],
    ['an unknown setting', connect({ settings: '{ zone: x }' }), 'The platform connect knows region, instance_id, machine_detection.'],
    ['a missing flow', connect({ assistant: 'null' }), 'An agent on the platform connect needs assistant.'],
    ['a secret that can be guessed', connect({ callback_secret: variable('PLATFORM_KEY') }), 'The secret has fewer than 20 characters'],
    [
      'a secret that can be guessed, with which the platform signs',
      { platform: 'vapi', assistant: 'a-1', api_key: variable('PLATFORM_KEY'), callback_secret: variable('PLATFORM_KEY') },
      'The secret has fewer than 20 characters',
    ],
    [
      'a Standard Webhooks secret with a key so short that no callback would be accepted',
      { platform: 'vapi', assistant: 'a-1', api_key: variable('PLATFORM_KEY'), callback_secret: variable('SHORT_SECRET') },
      'The environment variable SHORT_SECRET is not a Standard Webhooks secret: whsec_ and 24 to 64 bytes in base64.',
    ],
    ['a missing key', { platform: 'vapi', assistant: 'a-1' }, 'An agent on the platform vapi needs api_key.'],
  ])('is refused because of %s', async (_, settings, sentence) => {
    const { code, err, out } = await tool().apply(fileOf('refused', settings))
    expect(code).toBe(1)
    expect(`${out}${err}`).toContain(sentence)
  })

  it('may have any secret that the platform has made', async () => {
    const secrets = { api_key: variable('PLATFORM_KEY'), callback_secret: variable('PLATFORM_KEY') }
    expect(await tool().apply(fileOf('bland', { platform: 'bland', assistant: 'p-1', ...secrets }))).toMatchObject({ code: 0 })
  })

  it('needs none of the optional settings', async () => {
    expect(await tool().apply(fileOf('vapi', { platform: 'vapi', assistant: 'a-1', api_key: variable('PLATFORM_KEY') }))).toMatchObject({
      code: 0,
    })
  })
})

describe('a file that names one secret of an agent on a voice platform', () => {
  const secrets = { KEY_1: 'key-1', KEY_2: 'key-2', SECRET_1: 'secret-1', SECRET_2: 'secret-2', LONG_SECRET: 'a-secret-that-nobody-guesses' }
  beforeAll(() => void Object.assign(process.env, secrets))
  afterAll(() => {
    for (const name of Object.keys(secrets)) delete process.env[name]
  })

  const credentialsOf = async (key: string) => {
    const { platform } = (await readAgent(key)) ?? {}
    return openCredentials(key, platform?.credentials ?? '')
  }
  const bland = { platform: 'bland', assistant: 'p-1' }
  const first = { ...bland, api_key: variable('KEY_1'), callback_secret: variable('SECRET_1') }

  it.each([
    ['changes only the callback secret', { callback_secret: variable('SECRET_2') }, 'key-1', 'secret-2', ['callback_secret: changed']],
    ['changes only the API key', { api_key: variable('KEY_2') }, 'key-2', 'secret-1', ['api_key: changed']],
    ['removes a callback secret that is null', { callback_secret: 'null' }, 'key-1', null, ['callback_secret: removed']],
  ])('%s', async (_, later, api_key, callback_secret, lines) => {
    const key = `one-${lines[0]?.replace(/\W+/g, '-')}`
    await tool().apply(fileOf(key, first))
    const { code, out } = await tool().apply(fileOf(key, later))
    expect(code).toBe(0)
    for (const line of lines) expect(out).toContain(`    ${line}\n`)
    expect(out).toContain('0 new, 1 changed, 0 removed, 0 unchanged')
    expect(await credentialsOf(key)).toEqual({ api_key, callback_secret })
    expect((await tool().apply(fileOf(key, later))).out).toContain('1 unchanged')
  })

  it('adds a callback secret on a platform that has no API key, and keeps it when a later file does not name it', async () => {
    await tool().apply(fileOf('flow-secret', connect()))
    const { out } = await tool().apply(fileOf('flow-secret', { callback_secret: variable('LONG_SECRET') }))
    expect(out).toContain('callback_secret: set')
    expect((await tool().apply(fileOf('flow-secret', connect()))).out).toContain('1 unchanged')
    expect(await credentialsOf('flow-secret')).toEqual({ api_key: '', callback_secret: 'a-secret-that-nobody-guesses' })
  })

  it('is refused when the stored secrets cannot be opened, and accepted when it names both', async () => {
    await tool().apply(fileOf('sealed', first))
    const agent = await readAgent('sealed')
    if (!agent?.platform) throw new Error('There is no agent.')
    await saveAgent({ ...agent, platform: { ...agent.platform, credentials: 'x' } })
    const refused = await tool().apply(fileOf('sealed', { api_key: variable('KEY_2') }))
    expect(refused).toMatchObject({ code: 1, err: expect.stringContaining('Give api_key and callback_secret together.') })
    expect(await tool().apply(fileOf('sealed', { ...first, api_key: variable('KEY_2') }))).toMatchObject({ code: 0 })
    expect(await credentialsOf('sealed')).toEqual({ api_key: 'key-2', callback_secret: 'secret-1' })
  })
})

describe('a file that names one setting of an agent on a voice platform', () => {
  it('keeps the others, and removes one that is null', async () => {
    await tool().apply(fileOf('kept', connect()))
    await tool().apply(fileOf('kept', { settings: "{ machine_detection: 'on' }", longest_call_seconds: '600' }))
    const others = { region: 'us-east-1', instance_id: CONNECT_INSTANCE }
    expect((await readAgent('kept'))?.platform).toMatchObject({
      settings: { ...others, machine_detection: 'on' },
      longest_call_seconds: 600,
    })
    await tool().apply(fileOf('kept', { settings: '{ machine_detection: null }', longest_call_seconds: 'null' }))
    const platform = (await readAgent('kept'))?.platform
    expect(platform).toMatchObject({ longest_call_seconds: 1800 })
    expect(platform?.settings).toEqual(others)
  })
})

describe('the check of an agent on Amazon Connect', () => {
  let emulator: Awaited<ReturnType<typeof startConnectEmulator>> | undefined
  afterEach(async () => {
    delete process.env['CONNECT_INSTANCES']
    await emulator?.close()
  })

  const check = async (key: string, options: Partial<ConnectOptions> = {}) => {
    const instance = { instanceId: CONNECT_INSTANCE, region: 'us-east-1', numbers: [NUMBER], flows: { [CONNECT_FLOW]: SOUND_FLOW } }
    emulator = await startConnectEmulator({ ...instance, onEvent: () => {}, ...options })
    await tool().apply(fileOf(key, connect({ url: emulator.url })))
    return tool().ops(['agents', 'check', key])
  }

  it('asks with the operator’s AWS credentials, and finds nothing when all is right', async () => {
    process.env['CONNECT_INSTANCES'] = CONNECT_ARN
    expect(await check('sound')).toMatchObject({ code: 0, out: 'The agent sound is set up.\n' })
    expect(emulator?.seen.every(({ headers }) => headers.authorization?.startsWith('AWS4-HMAC-SHA256 '))).toBe(true)
  })

  it('gives the value of the setting when the deployment does not name the instance', async () => {
    const { code, out } = await check('unnamed')
    expect(code).toBe(1)
    expect(out).toContain('The service may not call through this instance. Add its ARN to the setting connectInstances')
    expect(out).toContain(`\n${CONNECT_ARN}\n`)
  })
})
