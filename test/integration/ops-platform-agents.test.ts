import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals'
import { readAgent } from '#shared/agents/agent-store.ts'
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
    expect(await tool().apply(fileOf('flow', connect()))).toMatchObject({ code: 0 })
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
