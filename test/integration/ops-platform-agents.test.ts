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

const onPlatform = (platform: string) => ({ platform, assistant: 'a-1', api_key: variable('PLATFORM_KEY') })
const WITH_ID = `[{ number: '${NUMBER}', id: n-1 }]`
const vapi = { ...onPlatform('vapi'), from: WITH_ID }
const eleven = { ...onPlatform('elevenlabs'), from: WITH_ID }
const bland = onPlatform('bland')
const retell = onPlatform('retell')
const twilio = {
  ...onPlatform('twilio'),
  assistant: 'https://twiml.example.com/',
  settings: '{ account_sid: AC00000000000000000000000000000001 }',
}

describe('an agent on a voice platform in a file', () => {
  beforeAll(() => {
    process.env['PLATFORM_KEY'] = 'key-1'
    process.env['EMPTY_KEY'] = ''
    process.env['SHORT_SECRET'] = `whsec_${Buffer.alloc(12, 7).toString('base64')}`
  })
  afterAll(() => {
    delete process.env['PLATFORM_KEY']
    delete process.env['EMPTY_KEY']
    delete process.env['SHORT_SECRET']
  })

  it('an agent on Amazon Connect needs no API key, and stays as it is when the file is applied again', async () => {
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
    [
      'an unknown setting',
      connect({ settings: '{ zone: x }' }),
      'There is no setting zone of connect. The known settings are: region, instance_id, machine_detection.',
    ],
    [
      'a region that has other hosts',
      connect({ settings: `{ region: eusc-de-east-1, instance_id: ${CONNECT_INSTANCE} }` }),
      'A region of AWS is required, such as us-east-1.',
    ],
    ['a misspelt setting', { ...twilio, settings: '{ acount_sid: x }' }, 'no setting acount_sid of twilio. Did you mean account_sid?'],
    ['an account of another form', { ...twilio, settings: '{ account_sid: hello }' }, 'AC and 32 hexadecimal digits are required.'],
    ['a TwiML URL without https', { ...twilio, assistant: 'http://twiml.example.com/' }, 'The https URL of your TwiML is required.'],
    [
      'a misspelt kind',
      { ...bland, settings: '{ assistant_type: pathwy }' },
      'pathwy is not one of: pathway, persona. Did you mean pathway?',
    ],
    ['an unknown provider', { ...vapi, settings: '{ voicemail_detection: maybe }' }, 'maybe is not one of: vapi, google, openai,'],
    ['a version of another form', { ...retell, settings: '{ agent_version: a b }' }, 'A number or a tag is required'],
    ['an unknown way', { ...eleven, settings: '{ telephony: carrier pigeon }' }, 'carrier pigeon is not one of: twilio, sip-trunk.'],
    ['a value that is not a text', { ...eleven, settings: '{ limit_duration: true }' }, 'Text is required: put true into quotes.'],
    ['a number without its id', { ...vapi, from: `['${NUMBER}']` }, 'The platform vapi needs its own id of the number: { number: "'],
    ['a number without its id, on a platform too', { ...eleven, from: `['${NUMBER}']` }, 'The platform elevenlabs needs its own id of'],
    ['a number that is there twice', { ...bland, from: `['${NUMBER}', '${NUMBER}']` }, 'This number is in the list twice.'],
    ['a callback secret without use', { ...retell, callback_secret: variable('PLATFORM_KEY') }, 'retell has no callback_secret'],
    ['secrets of our own protocol', { ...bland, secrets: `['${variable('PLATFORM_KEY')}']` }, 'Only an agent with our own protocol has'],
    [
      'an invalid public key',
      { ...bland, platform: 'telnyx', settings: "{ connection_id: '7' }", callback_secret: variable('PLATFORM_KEY') },
      'This is no public key',
    ],
    ['a variable that is empty', { ...bland, api_key: variable('EMPTY_KEY') }, 'The environment variable EMPTY_KEY is empty.'],
    ['a missing flow', connect({ assistant: 'null' }), 'An agent on the platform connect needs assistant.'],
    ['a secret that can be guessed', connect({ callback_secret: variable('PLATFORM_KEY') }), 'The secret has fewer than 20 characters'],
    [
      'a secret that can be guessed, with which the platform signs',
      { ...vapi, callback_secret: variable('PLATFORM_KEY') },
      'The secret must be whsec_ and at least 24 random bytes in base64.',
    ],
    [
      'a Standard Webhooks secret with a key so short that no callback would be accepted',
      { ...vapi, callback_secret: variable('SHORT_SECRET') },
      'The secret must be whsec_ and at least 24 random bytes in base64.',
    ],
    ['a missing key', { platform: 'vapi', assistant: 'a-1', from: WITH_ID }, 'An agent on the platform vapi needs api_key.'],
  ])('apply refuses an agent on a voice platform because of %s', async (_, settings, sentence) => {
    const { code, err, out } = await tool().apply(fileOf('refused', settings))
    expect(code).toBe(1)
    expect(`${out}${err}`).toContain(sentence)
  })

  it('apply refuses an agent on a voice platform with all mistakes of the file at once', async () => {
    const mistakes = { settings: '{ assistant_type: pathwy, pathway_version: one }', from: `['${NUMBER}', '${NUMBER}']` }
    expect((await tool().apply(fileOf('refused', { ...bland, ...mistakes }))).err).toContain('3 mistakes: nothing was written.')
  })

  it.each([
    ['twilio', twilio],
    ['elevenlabs', { ...eleven, settings: "{ telephony: sip-trunk, limit_duration: 'true' }" }],
    ['retell', { ...retell, settings: "{ agent_version: '3' }" }],
    ['telnyx', { ...onPlatform('telnyx'), settings: "{ connection_id: '1494404757140276705' }" }],
  ])('an agent on a voice platform may have the documented settings of %s', async (key, settings) => {
    expect(await tool().apply(fileOf(key, settings))).toMatchObject({ code: 0 })
  })

  it('get lists an agent on a voice platform with its platform, its assistant and the count of its numbers', async () => {
    await tool().apply(fileOf('listed', { ...bland, from: `['${NUMBER}', '+13125550100']` }))
    expect((await tool().ops(['get', 'agents'])).out).toMatch(/^listed +bland +a-1 +2 +https:\/\/api\.bland\.ai *$/m)
  })

  it("an agent may have its platform's API at another address, with or without a slash at its end", async () => {
    await tool().apply(fileOf('elsewhere', { ...bland, url: 'https://eu.bland.example.com/' }))
    expect(await readAgent('elsewhere')).toMatchObject({ url: 'https://eu.bland.example.com' })
    const again = fileOf('elsewhere', { ...bland, url: 'https://eu.bland.example.com' })
    expect((await tool().apply(again)).out).toContain('1 unchanged')
  })

  it('an agent on a voice platform may have any secret that the platform has made', async () => {
    const secrets = { api_key: variable('PLATFORM_KEY'), callback_secret: variable('PLATFORM_KEY') }
    expect(await tool().apply(fileOf('bland', { platform: 'bland', assistant: 'p-1', ...secrets }))).toMatchObject({ code: 0 })
  })

  it('an agent on a voice platform needs none of the optional settings', async () => {
    expect(await tool().apply(fileOf('vapi', vapi))).toMatchObject({
      code: 0,
    })
  })
})

describe('apply with one secret of an agent on a voice platform', () => {
  const secrets = {
    KEY_1: 'key-1',
    KEY_2: 'key-2',
    SECRET_1: 'secret-1',
    SECRET_2: 'secret-2',
    LONG_SECRET: 'a-secret-that-nobody-guesses',
  }
  beforeAll(() => void Object.assign(process.env, secrets))
  afterAll(() => {
    for (const name of Object.keys(secrets)) delete process.env[name]
  })

  const credentialsOf = async (key: string) => {
    const { platform } = (await readAgent(key)) ?? {}
    return openCredentials(key, platform?.credentials ?? '')
  }
  const first = { ...bland, api_key: variable('KEY_1'), callback_secret: variable('SECRET_1') }

  it.each([
    ['changes only the callback secret', { callback_secret: variable('SECRET_2') }, 'key-1', 'secret-2', ['callback_secret: changed']],
    ['changes only the API key', { api_key: variable('KEY_2') }, 'key-2', 'secret-1', ['api_key: changed']],
    ['removes the null callback secret', { callback_secret: 'null' }, 'key-1', null, ['callback_secret: removed']],
  ])('apply %s of an agent on a voice platform', async (_, later, api_key, callback_secret, lines) => {
    const key = `one-${lines[0]?.replace(/\W+/g, '-')}`
    await tool().apply(fileOf(key, first))
    const { code, out } = await tool().apply(fileOf(key, later))
    expect(code).toBe(0)
    for (const line of lines) expect(out).toContain(`    ${line}\n`)
    expect(out).toContain('0 new, 1 changed, 0 removed, 0 unchanged')
    expect(await credentialsOf(key)).toEqual({ api_key, callback_secret })
    expect((await tool().apply(fileOf(key, later))).out).toContain('1 unchanged')
  })

  it('apply adds a callback secret where the platform has no API key, and later files may leave it out', async () => {
    await tool().apply(fileOf('flow-secret', connect()))
    const { out } = await tool().apply(fileOf('flow-secret', { callback_secret: variable('LONG_SECRET') }))
    expect(out).toContain('callback_secret: set')
    expect((await tool().apply(fileOf('flow-secret', connect()))).out).toContain('1 unchanged')
    expect(await credentialsOf('flow-secret')).toEqual({ api_key: '', callback_secret: 'a-secret-that-nobody-guesses' })
  })

  it('apply refuses one new secret when the stored ones cannot be opened, and accepts both together', async () => {
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
  it('a file that names one setting of an agent keeps its other settings, and removes one that is null', async () => {
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

  it('agents check asks Amazon Connect with the operator’s AWS credentials, and finds nothing when all is right', async () => {
    process.env['CONNECT_INSTANCES'] = CONNECT_ARN
    expect(await check('sound')).toMatchObject({ code: 0, out: 'The agent sound is set up.\n' })
    expect(emulator?.seen.every(({ headers }) => headers.authorization?.startsWith('AWS4-HMAC-SHA256 '))).toBe(true)
  })

  it('agents check gives the value to set when the deployment does not name the Amazon Connect instance', async () => {
    const { code, out } = await check('unnamed')
    expect(code).toBe(1)
    expect(out).toContain('The service may not call through this instance. Add its ARN to the setting connectInstances')
    expect(out).toContain(`\n${CONNECT_ARN}\n`)
  })
})
