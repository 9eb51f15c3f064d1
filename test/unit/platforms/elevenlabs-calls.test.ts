import { ElevenLabsClient } from '@elevenlabs/elevenlabs-js'
import { describe, expect, it } from '@jest/globals'
import type { Connection } from '#shared/agents/platforms/adapter.ts'
import { elevenLabsAdapter } from '#shared/agents/platforms/elevenlabs/adapter.ts'
import { checkElevenLabs } from '#shared/agents/platforms/elevenlabs/check.ts'
import { elevenLabsTools } from '#shared/agents/platforms/elevenlabs/tools.ts'
import { signElevenLabs } from '#test/support/platforms/elevenlabs-emulator.ts'
import { elevenLabsWorld } from '#test/support/platforms/elevenlabs-world.ts'
import { ask } from '#test/support/platforms/emulator.ts'
import { offeredTools } from '#test/support/platforms/offered-tools.ts'
import { CALLER, DIAL_TIME, outcomeOfAll } from '#test/support/platforms/sample-dial.ts'

const { platform, receiver, callbackUrl, connection, dialled, restart, place } = elevenLabsWorld()

describe('a call whose answer was lost', () => {
  const find = (lastFour: string, over = {}) => elevenLabsAdapter.find!(ask, connection(), dialled(lastFour, over))

  it('a call whose answer was lost is found when ElevenLabs placed it, and is not when it did not', async () => {
    expect(elevenLabsAdapter.repeats).toEqual({ kind: 'findable' })
    platform().dialFault = 'lost-before'
    await expect(place('0008')).rejects.toThrow()
    expect(await find('0008')).toBeNull()
    platform().dialFault = 'lost-after'
    await expect(place('0008')).rejects.toThrow()
    expect(await find('0008')).toBe('conv_1')
    expect(await find('0009')).toBeNull()
    expect(await find('0008', { intentTime: DIAL_TIME + 3_600_000 })).toBeNull()
  })

  it("a call whose answer ElevenLabs lost is never taken for another stage's call with the same id", async () => {
    await place('0008')
    expect(await find('0009', { callId: dialled('0008').callId })).toBeNull()
  })

  it('a call whose answer was lost stays unfound when ElevenLabs lists two, cuts the list, or cannot be read', async () => {
    await place('0008')
    await place('0008')
    await expect(find('0008')).rejects.toThrow('2 conversations')
    for (const body of [{ conversations: [], has_more: true }, { conversations: [] }, { conversations: [{}], has_more: false }, '<html>']) {
      platform().readFault = { status: 200, body }
      await expect(find('0008')).rejects.toThrow('ElevenLabs')
    }
    platform().readFault = { status: 500 }
    await expect(find('0008')).rejects.toThrow('500')
  })
})

describe('a call whose callback was lost', () => {
  const poll = () => elevenLabsAdapter.poll!(ask, connection(), platform().rung[0]?.platformCallId ?? 'conv_0', DIAL_TIME)
  const polled = async () => {
    const answer = await poll()
    return answer.kind === 'translated' ? outcomeOfAll([answer.translation]) : answer.kind
  }

  it.each([
    ['0007', 'do_not_call'],
    ['0008', 'ongoing'],
    ['0009', 'ongoing'],
    ['0018', 'presumed completed'],
  ])('a call whose ElevenLabs callback was lost is polled: %s is %s', async (lastFour, outcome) => {
    platform().callbackFault = 'lost'
    expect(await poll()).toEqual({ kind: 'gone' })
    await place(lastFour)
    expect(await polled()).toBe(outcome)
    platform().readFault = { status: 500, body: '<html>' }
    await expect(poll()).rejects.toThrow('500')
  })

  it.each([
    ['0008', { isWaiting: true }],
    ['0009', {}],
  ])('polling ElevenLabs shows whether somebody has answered %s', async (lastFour, more) => {
    await place(lastFour)
    expect(await poll()).toEqual({ kind: 'ongoing', ...more })
  })
})

describe('a signature of ElevenLabs', () => {
  const rawBody = '{"event":"call_ended","call":{"call_id":"c1"}}'
  const seconds = 1_795_000_000
  const vector = 't=1795000000,v0=7a9f3f6a6ab1f094cf4993b90615a84127d37604a400204d80a6a7eb5567b239'
  const isSigned = (signature: string | undefined, over: object = {}, callbackSecret: string | null = 'wsec_test') =>
    elevenLabsAdapter.verify(connection({ callbackSecret }), {
      ...{ url: 'https://x/', rawBody, at: seconds * 1000 },
      headers: signature === undefined ? {} : { 'elevenlabs-signature': signature },
      ...over,
    })

  it('a signature of ElevenLabs is accepted as recorded, within half an hour', () => {
    expect(isSigned(vector)).toBe(true)
    expect(isSigned(vector, { at: (seconds + 1800) * 1000 })).toBe(true)
    expect(isSigned(vector, { at: (seconds - 1800) * 1000 })).toBe(true)
    expect(isSigned(vector, { at: (seconds + 1801) * 1000 })).toBe(false)
    expect(isSigned(vector, { at: (seconds - 1801) * 1000 })).toBe(false)
  })

  it('a signature of ElevenLabs is refused when anything differs', () => {
    expect(isSigned(vector, { rawBody: `${rawBody} ` })).toBe(false)
    for (const other of [undefined, '', 't=', 'v0=', vector.slice(0, -1), vector.replace('v0', 'v1'), vector.replace('t=1', 't=2')]) {
      expect(isSigned(other)).toBe(false)
    }
    for (const foreign of [null, '', 'other']) expect(isSigned(vector, {}, foreign)).toBe(false)
  })

  it('a signature of ElevenLabs is judged as by the vendor', async () => {
    const vendor = new ElevenLabsClient({ apiKey: 'x' }).webhooks
    // The vendor's checker reads the clock of the machine.
    const now = Math.floor(Date.now() / 1000)
    await place('0007')
    await platform().settled()
    expect(receiver().received).toHaveLength(1)
    for (const { rawBody: body, headers } of receiver().received) {
      expect(headers['elevenlabs-signature']).toBe(signElevenLabs('wsec_test', DIAL_TIME / 1000, body))
      const [ours, foreign, old] = [
        signElevenLabs('wsec_test', now, body),
        signElevenLabs('other', now, body),
        signElevenLabs('wsec_test', now - 3600, body),
      ]
      await expect(vendor.constructEvent(body, ours, 'wsec_test')).resolves.toEqual(JSON.parse(body))
      await expect(vendor.constructEvent(body, foreign, 'wsec_test')).rejects.toThrow('Signature hash')
      await expect(vendor.constructEvent(body, old, 'wsec_test')).rejects.toThrow('Timestamp')
      const judged = [ours, foreign, old].map((signature) => isSigned(signature, { rawBody: body, at: now * 1000 }))
      expect(judged).toEqual([true, false, false])
    }
  })
})

describe('the check of an ElevenLabs workspace', () => {
  const offered = offeredTools('do_not_call')
  const check = (over: Partial<Connection> = {}, from = [CALLER]) => checkElevenLabs(ask, connection(over), from, callbackUrl(), offered)
  const problems = async (over: Partial<Connection> = {}) => (await check(over)).map(({ problem }) => problem)
  const about = (...words: readonly string[]) => words.map((word) => expect.stringContaining(word))

  it('the check of an ElevenLabs workspace finds nothing when all is right, also if the agent selects the webhook', async () => {
    expect(await problems()).toEqual([])
    await restart({ ofAgent: true, webhook: { url: callbackUrl(), secret: 'wsec_test' } })
    expect(await problems()).toEqual([])
    await restart({ permitsDuration: true })
    expect(await problems({ settings: { limit_duration: 'true' } })).toEqual([])
    expect(new Set(platform().seen.map(({ method }) => method))).toEqual(new Set(['GET']))
  })

  it('the check of an ElevenLabs workspace says what is wrong with the key, the agent, the numbers and the settings', async () => {
    expect(await problems({ apiKey: 'wrong' })).toEqual(about('refuses the API key'))
    expect(await problems({ assistant: 'other' })).toEqual(about('no agent "other"'))
    expect(await problems({ callbackSecret: null })).toEqual(about('secret for callbacks is missing'))
    expect(await problems({ settings: { telephony: 'sip-trunk' } })).toEqual(about('Set telephony to "twilio"'))
    expect(await problems({ settings: { limit_duration: 'true' } })).toEqual(about('does not permit limit_duration'))
    expect(await check({}, [{ ...CALLER, id: 'other' }])).toEqual([
      { problem: expect.stringContaining('no phone number with the id "other"') },
    ])
    const unnamed = await checkElevenLabs(ask, connection(), [{ number: CALLER.number, id: null }], callbackUrl(), [])
    expect(unnamed.map(({ problem }) => problem)).toEqual(about('The id of +15005550006 is missing'))
    await restart({ numbers: { 'phone-1': { phone_number: '+15005550001', provider: 'twilio', supports_outbound: false } } })
    expect(await problems()).toEqual(about('belongs to +15005550001', 'cannot call'))
    platform().readFault = { status: 500, body: '<html>' }
    expect(await problems()).toEqual(about('answered 500 when asked for the agent', `answered 500 when asked for ${CALLER.number}`))
  })

  it('the check of an ElevenLabs workspace names a tool that the agent lacks, or that calls another URL', async () => {
    const [own] = offered
    for (const tools of [{}, { t1: Object(elevenLabsTools.define({ ...own!, url: 'https://other/' })) }]) {
      await restart({ tools })
      const [advice, ...others] = await check()
      expect(others).toEqual([])
      expect(advice).toEqual({ problem: expect.stringContaining('it has no tool do_not_call'), tool: 'do_not_call' })
    }
  })

  it('the check of an ElevenLabs workspace shows what to paste into the analysis and into the webhook', async () => {
    await restart({ dataCollection: { outcome: { type: 'string', enum: ['completed'] } } })
    const [analysis] = await check()
    expect(analysis?.problem).toContain('does not tell how a call ended')
    expect(JSON.parse(analysis?.paste ?? '').outcome.enum).toContain('do_not_call')
    await restart({ webhook: null })
    expect(await check()).toEqual([{ problem: expect.stringContaining('No webhook is told about calls'), paste: callbackUrl() }])
    await restart({ webhook: { url: 'https://other/', secret: 's' } })
    expect(await check()).toEqual([{ problem: expect.stringContaining('has another URL'), paste: callbackUrl() }])
    const over = { is_auto_disabled: true, auth_type: 'oauth2' }
    await restart({ webhook: { url: callbackUrl(), secret: 's', events: ['transcript'], over } })
    expect(await problems()).toEqual(about('Select also: call_initiation_failure.', 'is disabled', 'is not signed'))
  })
})
