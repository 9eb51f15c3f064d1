import { afterEach, describe, expect, it, jest } from '@jest/globals'
import twilio from 'twilio'
import type { Connection } from '#shared/agents/platforms/adapter.ts'
import { twilioAdapter } from '#shared/agents/platforms/twilio/adapter.ts'
import { checkTwilio } from '#shared/agents/platforms/twilio/check.ts'
import { ask, cancelOf, type Reply } from '#test/support/platforms/emulator.ts'
import { CALLER, DIAL_TIME, outcomeOfAll } from '#test/support/platforms/sample-dial.ts'
import { twilioWorld } from '#test/support/platforms/twilio-world.ts'

const { platform, receiver, connection, dialled, restart, place, heard } = twilioWorld()

describe('a call whose answer was lost', () => {
  const find = (lastFour: string, over = {}) => twilioAdapter.find!(ask, connection(), { ...dialled(lastFour), callbackUrl: null, ...over })

  it("a Twilio call whose answer was lost is not mistaken for somebody else's: the report of ours has our id", async () => {
    const { callbackUrl } = dialled('0008')
    expect(await find('0008', { callbackUrl })).toBeNull()
    await place('0008')
    await expect(find('0008', { callbackUrl })).rejects.toThrow('may be the one')
    expect((await heard()).map(({ callId }) => callId)).toEqual(['51-0008'])
  })

  it('a call whose answer was lost is found when Twilio placed it, and is not when it did not', async () => {
    platform().dialFault = 'lost-before'
    await expect(place('0008')).rejects.toThrow()
    expect(await find('0008')).toBeNull()
    platform().dialFault = 'lost-after'
    await expect(place('0008')).rejects.toThrow()
    expect(await find('0008')).toBe(platform().rung[0]?.platformCallId)
    expect(await find('0009')).toBeNull()
    expect(await find('0008', { from: { number: '+15005550001', id: null } })).toBeNull()
  })

  it('a Twilio call whose answer was lost is not mistaken for an earlier or a later call to the number', async () => {
    await place('0002')
    expect(await find('0002', { intentTime: DIAL_TIME + 3_600_000, notAfter: DIAL_TIME + 3_630_000 })).toBeNull()
    expect(await find('0002', { intentTime: DIAL_TIME - 3_600_000, notAfter: DIAL_TIME - 3_570_000 })).toBeNull()
  })

  it('a call whose answer was lost stays unfound when Twilio lists two, or the list is cut or unreadable', async () => {
    await place('0002')
    await place('0002')
    await expect(find('0002')).rejects.toThrow('2 calls')
    const listed = (body: object): Reply => ({ status: 200, body })
    const later = { sid: 'CA9', date_created: 'Fri, 20 Nov 2026 20:00:00 +0000' }
    for (const fault of [
      listed({ calls: [later], next_page_uri: '/more' }),
      listed({ calls: [{}] }),
      { status: 500 },
      { status: 404 },
      { status: 200, body: '<html>' },
    ]) {
      platform().readFault = fault
      await expect(find('0002')).rejects.toThrow('Twilio')
    }
  })
})

describe('the end of a call through Twilio', () => {
  const cancel = () => twilioAdapter.cancel!(ask, connection(), cancelOf(platform().rung[0]?.platformCallId ?? 'CA0'))
  const poll = () => twilioAdapter.poll!(ask, connection(), platform().rung[0]?.platformCallId ?? 'CA0', DIAL_TIME)

  it('the end of a call can be requested from Twilio while it rings, in the conversation, and again afterwards', async () => {
    await place('0008')
    expect(await cancel()).toBe('taken')
    expect(outcomeOfAll(await heard())).toBe('failed')
    expect(await cancel()).toBe('taken')
    await restart({})
    await place('0009')
    expect(await cancel()).toBe('taken')
    expect(outcomeOfAll(await heard())).toBe('presumed undefined')
  })

  it('the end of a call must be requested again when Twilio fails, but not when Twilio does not know the call', async () => {
    expect(await cancel()).toBe('taken')
    await place('0008')
    expect(await twilioAdapter.cancel!(ask, connection({ apiKey: 'wrong' }), cancelOf(platform().rung[0]!.platformCallId))).toBe('failed')
  })

  it.each([
    ['0011', { isWaiting: true }],
    ['0008', { isWaiting: true }],
    ['0009', {}],
  ])('a poll of Twilio finds that a call to %s goes on', async (lastFour, more) => {
    await place(lastFour)
    expect(await poll()).toEqual({ kind: 'ongoing', ...more })
  })

  it('the end of a call through Twilio is polled from the record when the callbacks were lost', async () => {
    platform().callbackFault = 'lost'
    expect(await poll()).toEqual({ kind: 'gone' })
    await place('0008')
    expect(await poll()).toEqual({ kind: 'ongoing', isWaiting: true })
    platform().proceed(platform().rung[0]!.platformCallId, 'no-answer')
    const polled = await poll()
    expect(polled.kind === 'translated' && outcomeOfAll([polled.translation])).toBe('no_answer')
    expect(receiver().received).toEqual([])
    platform().readFault = { status: 500 }
    await expect(poll()).rejects.toThrow('500')
  })

  it('the end of a call through Twilio presumes no outcome when the verdict about a machine is only in the record', async () => {
    await place('0007')
    expect(outcomeOfAll(await heard())).toBe('presumed undefined')
    const polled = await poll()
    expect(polled.kind === 'translated' && outcomeOfAll([polled.translation])).toBe('presumed voicemail')
  })
})

describe('a signature of Twilio', () => {
  const url = 'https://example.com/api/agents/twilio/events/?call=0190'
  const rawBody = new URLSearchParams({
    ...{ AccountSid: 'AC00000000000000000000000000000001', ApiVersion: '2010-04-01', CallDuration: '42' },
    ...{ CallSid: 'CA00000000000000000000000000000001', CallStatus: 'completed', CallbackSource: 'call-progress-events' },
    ...{
      Direction: 'outbound-api',
      From: '+15005550006',
      SequenceNumber: '3',
      Timestamp: 'Sat, 14 Nov 2026 16:00:00 +0000',
      To: '+12125550001',
    },
  }).toString()
  const signed = (signature: string, over = {}) =>
    twilioAdapter.verify(connection(), { url, rawBody, headers: { 'x-twilio-signature': signature }, at: DIAL_TIME, ...over })

  it('a signature of Twilio is accepted as recorded, at any port, and refused when anything differs', () => {
    const vector = 'Bt9MZgZuen5GdIGUfu71vHwHrKQ='
    expect(signed(vector)).toBe(true)
    expect(signed(vector, { url: url.replace('.com', '.com:443') })).toBe(true)
    expect(signed(vector, { url: url.replace('.com', '.com:8443') })).toBe(true)
    for (const other of ['', 'x', vector.slice(1), `${vector}A`, vector.toLowerCase()]) expect(signed(other)).toBe(false)
    expect(signed(vector, { url: `${url}1` })).toBe(false)
    expect(signed(vector, { url: 'nowhere' })).toBe(false)
    expect(signed(vector, { rawBody: rawBody.replace('completed', 'failed') })).toBe(false)
    expect(signed(vector, { headers: {} })).toBe(false)
    expect(
      twilioAdapter.verify(connection({ apiKey: 'foreign' }), { url, rawBody, headers: { 'x-twilio-signature': vector }, at: 0 }),
    ).toBe(false)
  })

  it('a signature of Twilio is judged as by the vendor', async () => {
    await place('0003')
    await platform().settled()
    const judged = (token: string) =>
      receiver().received.map(({ url, rawBody, headers }) =>
        twilio.validateRequest(token, headers['x-twilio-signature'] ?? '', url, Object.fromEntries(new URLSearchParams(rawBody))),
      )
    expect(judged('12345')).toEqual([true, true, true, true])
    expect(judged('foreign')).toEqual([false, false, false, false])
    const params = { b: ['2', '1', '2'], a: 'é & =' }
    const theirs = twilio.getExpectedTwilioSignature('12345', url, params)
    expect(signed(theirs, { rawBody: 'b=2&a=%C3%A9+%26+%3D&b=1&b=2' })).toBe(true)
    expect(signed(theirs, { rawBody: 'b=2&a=%C3%A9+%26+%3D&b=1' })).toBe(true)
  })
})

describe('a request that claims to come from Twilio', () => {
  const verify = (rawBody: string, headers: Readonly<Record<string, string>>) =>
    twilioAdapter.verify(connection(), { url: 'https://x/', rawBody, headers, at: DIAL_TIME })
  afterEach(() => {
    jest.restoreAllMocks()
  })

  it('the form of a request from Twilio is read once, as each look-up of a parameter would read all of it', () => {
    const lookUps = (['get', 'getAll', 'has'] as const).map((name) => jest.spyOn(URLSearchParams.prototype, name))
    const read = jest.spyOn(URLSearchParams.prototype, Symbol.iterator)
    const rawBody = Array.from({ length: 100 }, (_, index) => `p${index}=1`).join('&')
    expect(verify(rawBody, { 'x-twilio-signature': 'Bt9MZgZuen5GdIGUfu71vHwHrKQ=' })).toBe(false)
    expect(read).toHaveBeenCalledTimes(1)
    for (const lookUp of lookUps) expect(lookUp).not.toHaveBeenCalled()
  })

  it('a request that claims to come from Twilio is not even read without a signature', () => {
    for (const headers of [{}, { 'x-twilio-signature': '' }]) {
      const callback = {
        url: 'https://x/',
        headers,
        at: DIAL_TIME,
        get rawBody(): string {
          throw new Error('The body was read.')
        },
      }
      expect(twilioAdapter.verify(connection(), callback)).toBe(false)
    }
  })
})

describe('the check of a Twilio account', () => {
  const check = async (over: Partial<Connection> = {}) => (await checkTwilio(ask, connection(over), [CALLER])).map(({ problem }) => problem)

  it('the check of a Twilio account finds nothing when all is right, also with a verified caller ID', async () => {
    expect(await check()).toEqual([])
    await restart({ numbers: [], verifiedCallerIds: [CALLER.number] })
    expect(await check()).toEqual([])
    expect(new Set(platform().seen.map(({ method }) => method))).toEqual(new Set(['GET']))
  })

  it('the check of a Twilio account names each mistake, and says what to do', async () => {
    expect(await check({ apiKey: 'wrong' })).toEqual([expect.stringContaining('refuses the account SID or the auth token')])
    expect(await check({ assistant: 'http://agent' })).toEqual([expect.stringContaining('must be the https URL of your TwiML')])
    await restart({ numbers: ['+15005550001'] })
    expect(await check()).toEqual([`${CALLER.number} is not a number of this Twilio account. Buy it, or verify it as a caller ID.`])
    await restart({ numbers: [], numbersWithoutVoice: [CALLER.number] })
    expect(await check()).toEqual([`${CALLER.number} cannot make calls. Use a Twilio number with voice.`])
    await restart({ accountType: 'Trial' })
    expect(await check()).toEqual([expect.stringContaining('is a trial')])
    await restart({ accountStatus: 'suspended' })
    expect(await check()).toEqual(['The Twilio account is suspended. Reactivate it in the Twilio console.'])
    platform().readFault = { status: 500, body: '<html>' }
    expect(await check()).toEqual(['Twilio answered 500 when asked for the account. Check again later.'])
  })
})

describe('a service that Twilio cannot reach', () => {
  it('Twilio refuses a call that names an unreachable address of ours, and gets one that names none', async () => {
    await restart({ isOnInternet: true })
    expect(await place('0002')).toMatchObject({ kind: 'refused', fault: 'call', reason: expect.stringContaining('21609') })
    const silent = { ...dialled('0002'), callbackUrl: null }
    expect(twilioAdapter.classify(await ask(twilioAdapter.request(connection(), silent, 0)))).toMatchObject({ kind: 'accepted' })
  })
})
