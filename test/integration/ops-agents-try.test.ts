import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { findFreePort } from '#lib/local/processes/ports.ts'
import { cleanUpEach } from '#test/support/clean-up.ts'
import { opsWorld } from '#test/support/ops-world.ts'
import { CONNECT_ARN } from '#test/support/platforms/connect-world.ts'
import { type Emulator, listen, type Reply } from '#test/support/platforms/emulator.ts'
import { TRIAL_PLATFORMS } from '#test/support/platforms/trial-platforms.ts'
import { NOON } from '#test/support/samples.ts'
import { savePlatformAgent, shown, type Wrong, waitingClock } from '#test/support/trial-world.ts'

const { tool } = opsWorld()
const NIGHT = NOON - 8 * 3_600_000
const HTML: Reply = { status: 200, body: '<html>Sign in</html>' }
const REDIRECT: Reply = { status: 302, body: '<html>Moved</html>', headers: { location: 'https://elsewhere.example.com/' } }

describe.each(TRIAL_PLATFORMS)('an agent on $name', (one) => {
  let platform: Emulator
  let waiting: ReturnType<typeof waitingClock>

  beforeEach(async () => {
    Object.assign(process.env, { PLATFORM_BASE_URL: '', CONNECT_INSTANCES: CONNECT_ARN })
    waiting = waitingClock()
    platform = await one.start(() => waiting.now())
  })
  afterEach(() => platform.close())

  const ops = async (args: readonly string[], answer?: (question: string) => string) => {
    const said = shown(args.join(' '), await tool().ops(args, { waiting, ...(answer && { answer }) }))
    if (one.apiKey !== '') expect(`${said.out}${said.err}`).not.toContain(one.apiKey)
    return said
  }
  const checked = async (wrong: Wrong = {}) => ops(['agents', 'check', await savePlatformAgent(one, platform, wrong)])
  const numberOf = (lastFour: string) => `+1212555${lastFour}`
  const arguments_ = (agent: string, lastFour: string, ...flags: readonly string[]) => [
    ...['agents', 'try', agent, numberOf(lastFour), '--timezone', 'America/New_York', ...flags],
  ]
  /** Tries a new agent without a question. */
  const tried = async (lastFour: string, wrong: Wrong = {}) =>
    ops(arguments_(await savePlatformAgent(one, platform, wrong), lastFour, '--yes'))
  const [[answered, outcome] = ['', '']] = one.endings
  const changes = (seen: Emulator['seen']) => seen.filter(({ method }) => method !== 'GET').map(({ path }) => path)

  it(`the agents check finds an agent on ${one.name} set up without a callback secret when no platform can report`, async () => {
    const { code, out, err } = await checked({ callbackSecret: null })
    expect({ code, out }).toEqual({ code: 0, out: expect.stringMatching(/^The agent \S+ is set up\.\n$/) })
    expect(err).toContain('No platform can report to this service')
  })

  it.each(one.endings)(`a trial on ${one.name} prints what would follow from a call to %s: %s`, async (lastFour, expected) => {
    const { code, out, err } = await tried(lastFour)
    expect(out).toContain(`\nOutcome: ${expected}.\nIn the service, the call would have the outcome `)
    const waits = expected.includes('presumed') ? 'The call is over. Waiting up to 3 minutes for an outcome; Ctrl-C stops.\n' : ''
    expect({ code, err }).toEqual({ code: 0, err: waits })
    expect(out).toContain(one.name === 'elevenlabs' ? 'cannot end a call: Ctrl-C ends only this command' : 'Ctrl-C ends the call')
    expect(platform.rung).toMatchObject([{ to: numberOf(lastFour) }])
    expect(platform.seen.map(({ body }) => body).join()).not.toContain('/api/agents/')
  })

  const MISTAKES: readonly (readonly [what: string, wrong: Wrong])[] = [
    ...(one.otherSettings
      ? [['with an account that does not exist', { settings: one.otherSettings }] as const]
      : [['with another API key', { apiKey: 'expired' }] as const]),
    ['with an assistant that does not exist', { assistant: one.otherAssistant }],
    ['with a number of somebody else', { from: one.otherFrom }],
  ]
  it.each(MISTAKES)(`an agent on ${one.name} %s is found by check, and try rings nobody`, async (_, wrong) => {
    const check = await checked(wrong)
    expect({ code: check.code, out: check.out }).toEqual({ code: 1, out: expect.stringMatching(/^- \S.*\.\n/) })
    const { code, out } = await tried(answered, wrong)
    expect(code).toBe(1)
    expect(out).toContain('The call was refused, so no phone rings: ')
    expect(out).toContain('the agent would get no calls for a while')
    expect(platform.rung).toEqual([])
  })

  const { cleanUp } = cleanUpEach('odd')
  it.each([
    ['HTML', HTML],
    ['a redirect', REDIRECT],
  ])(`an agent on ${one.name} that answers %s is found by check, and try asks for the call only once`, async (_, reply) => {
    const odd = await listen(() => reply)
    cleanUp(odd.close)
    const check = await checked({ url: odd.url })
    expect(check.code).toBe(1)
    expect(check.out + check.err).not.toContain('<html>')
    odd.seen.length = 0
    const { code, out } = await tried(answered, { url: odd.url })
    expect({ code, out }).toEqual({
      code: 1,
      out: expect.stringContaining('Nobody knows whether the phone rang. It is not dialled again.'),
    })
    const [dial = '', ...others] = changes(odd.seen)
    expect(others.filter((path) => path === dial)).toEqual([])
  })

  it(`a trial on ${one.name} looks up a call whose answer was lost, if the platform allows that, and never dials again`, async () => {
    platform.dialFault = 'lost-after'
    const { code, out } = await tried(answered)
    expect(out).toContain('It is not clear whether the phone rings')
    if (one.name === 'telnyx')
      expect({ code, out }).toEqual({ code: 1, out: expect.stringContaining('Nobody knows whether the phone rang.') })
    else expect({ code, out }).toEqual({ code: 0, out: expect.stringContaining(`Outcome: ${outcome}.`) })
    expect(platform.rung).toHaveLength(1)
  })

  it(`a trial on ${one.name} does not dial again when the platform never got the request`, async () => {
    platform.dialFault = 'lost-before'
    const { code, out } = await tried(answered)
    expect({ code, out }).toEqual({
      code: 1,
      out: expect.stringContaining('Nobody knows whether the phone rang. It is not dialled again.'),
    })
    expect(platform.rung).toEqual([])
  })

  it(`a trial on ${one.name} polls the platform when its callbacks to a tunnel are lost`, async () => {
    platform.callbackFault = 'lost'
    const args = arguments_(await savePlatformAgent(one, platform), answered, '--yes', '--public-url', 'https://calls.example.com')
    expect(await ops(args)).toMatchObject({ code: 2, err: expect.stringContaining('name it with --port') })
    const { code, out } = await ops([...args, '--port', String(await findFreePort())])
    expect({ code, out }).toEqual({ code: 0, out: expect.stringContaining(`Outcome: ${outcome}.`) })
  })

  it(`a trial on ${one.name} rings nobody outside the calling hours, with or without --force`, async () => {
    waiting = waitingClock(undefined, NIGHT)
    const { code, out, err } = await tried(answered)
    expect({ code, out }).toEqual({ code: 1, out: '' })
    expect(err).toContain('The phone may not ring now, by the clock of this machine (--now of the service does not count):\n')
    expect(err).toContain('It may again from 2026-11-20T13:00:00.000Z. Nobody was called.')
    const forced = await ops(arguments_(await savePlatformAgent(one, platform), answered, '--yes', '--force'))
    expect(forced).toEqual({ code: 2, out: '', err: expect.stringContaining('There is no --force: calling hours are law') })
    expect(platform.seen).toEqual([])
  })

  it(`a trial on ${one.name} asks the operator to type "call", and rings nobody otherwise`, async () => {
    const agent = await savePlatformAgent(one, platform)
    const unasked = await ops(arguments_(agent, answered))
    expect(unasked).toMatchObject({ code: 1, err: expect.stringContaining('use --yes. Nobody was called.') })
    expect(unasked.out).not.toContain('The phone rings NOW')
    const questions: string[] = []
    const refuse = (question: string): string => {
      questions.push(question)
      return 'yes'
    }
    expect(await ops(arguments_(agent, answered), refuse)).toMatchObject({ code: 1, out: expect.stringContaining('Nobody was called.') })
    expect(questions).toEqual([expect.stringContaining('The phone rings NOW, once. The call may cost money. Call it? ')])
    expect(platform.rung).toEqual([])
    expect(await ops(arguments_(agent, answered), () => 'call')).toMatchObject({ code: 0 })
    expect(platform.rung).toHaveLength(1)
  })

  it(`Ctrl-C in a trial on ${one.name} asks the platform to end the call`, async () => {
    waiting.interruptIn(2)
    const { code, out } = await tried(one.stays)
    expect(code).toBe(1)
    expect(out).toContain(one.endsCalls ? 'The agent took the request to end the call.' : 'The call ')
    expect(platform.rung).toHaveLength(1)
  })
})

describe('a late refusal because of the account', () => {
  const { cleanUp } = cleanUpEach('refused later')

  it('a trial counts a call as refused that the platform accepted and then could not place', async () => {
    process.env['PLATFORM_BASE_URL'] = ''
    const waiting = waitingClock()
    const vapi = TRIAL_PLATFORMS.find(({ name }) => name === 'vapi')!
    const platform = await vapi.start(() => waiting.now())
    cleanUp(platform.close)
    const agent = await savePlatformAgent(vapi, platform)
    const args = ['agents', 'try', agent, '+12125550004', '--timezone', 'America/New_York', '--yes']
    const { code, out } = shown(args.join(' '), await tool().ops(args, { waiting }))
    expect(out).toContain('so no phone rings: Vapi did not place a call: call.start.error-subscription-insufficient-credits.')
    expect({ code, rung: platform.rung }).toEqual({ code: 1, rung: [] })
  })
})
