import { createPrivateKey, sign } from 'node:crypto'
import { describe, expect, it } from '@jest/globals'
import Telnyx from 'telnyx'
import type { Connection } from '#shared/agents/platforms/adapter.ts'
import { telnyxAdapter } from '#shared/agents/platforms/telnyx/adapter.ts'
import { checkTelnyx } from '#shared/agents/platforms/telnyx/check.ts'
import { ask, cancelOf } from '#test/support/platforms/emulator.ts'
import { offeredTools } from '#test/support/platforms/offered-tools.ts'
import { CALLER, DIAL_TIME, outcomeOfAll } from '#test/support/platforms/sample-dial.ts'
import { telnyxWorld } from '#test/support/platforms/telnyx-world.ts'

const { platform, receiver, connection, restart, place, heard } = telnyxWorld()

describe('the end of a call through Telnyx', () => {
  const first = () => platform().rung[0]?.platformCallId ?? 'v3:none'
  const cancel = (over: Partial<Connection> = {}) => telnyxAdapter.cancel!(ask, connection(over), cancelOf(first()))
  const poll = () => telnyxAdapter.poll!(ask, connection(), first(), DIAL_TIME)
  const polled = async () => {
    const answer = await poll()
    return answer.kind === 'translated' ? outcomeOfAll([answer.translation]) : answer.kind
  }

  it.each([
    ['0008', 'failed'],
    ['0009', 'presumed completed'],
  ])('Telnyx can be asked to end a call to %s, which then ends as %s', async (lastFour, outcome) => {
    await place(lastFour)
    expect(await cancel({ apiKey: 'wrong' })).toBe('failed')
    expect(await cancel()).toBe('taken')
    expect(outcomeOfAll(await heard())).toBe(outcome)
    expect(await cancel()).toBe('taken')
  })

  it('a call that Telnyx does not know needs no request to end', async () => {
    expect(await cancel()).toBe('taken')
    expect(await poll()).toEqual({ kind: 'gone' })
  })

  it('the end of a call through Telnyx is polled from status and insights when the callbacks were lost', async () => {
    platform().callbackFault = 'lost'
    await place('0007')
    expect(await polled()).toBe('do_not_call')
    expect(receiver().received).toEqual([])
    await restart({})
    await place('0010')
    expect(await polled()).toBe('presumed completed')
    await restart({})
    await place('0002')
    expect(await polled()).toBe('presumed unknown')
    await restart({})
    await place('0008')
    expect(await polled()).toBe('ongoing')
    platform().readFault = { status: 500, body: '<html>' }
    await expect(poll()).rejects.toThrow('500')
  })

  it('the end of a call through Telnyx is not read from the status of one that is only about to be dialled', async () => {
    platform().readFault = { status: 200, body: { data: { call_control_id: 'v3:1', is_alive: false } } }
    expect(await poll()).toEqual({ kind: 'ongoing', isWaiting: true })
  })

  it('the end of a call through Telnyx is the same when every callback comes twice', async () => {
    platform().callbackFault = 'twice'
    await place('0004')
    const ids = (await heard()).flatMap(({ reports }) => reports.map((report) => report.event_id))
    expect([...new Set(ids)]).toHaveLength(ids.length / 2)
  })
})

describe('a signature of Telnyx', () => {
  const rawBody = '{"event":"call_ended","call":{"call_id":"c1"}}'
  const seconds = 1_795_000_000
  const vector = 'VG/ZStaqsFIUhn3l6jIi4NHemUrtmnkoPUcF2Gbrjqfh2l6COX4T+NvcG65jwE+tcdubJ4b0MklnrD6bsFXfBQ=='
  const secret = '6kpsY+KcUgq+9VB7Ey7F+ZVHdq6+vnuSQh7qaRRG0iw='
  const headers = { 'telnyx-timestamp': String(seconds), 'telnyx-signature-ed25519': vector }
  const isSigned = (over: object = {}, callbackSecret: string | null = secret) =>
    telnyxAdapter.verify(connection({ callbackSecret }), { url: 'https://x/', rawBody, headers, at: seconds * 1000, ...over })

  it('a signature of Telnyx is accepted as recorded, within five minutes', () => {
    expect(isSigned()).toBe(true)
    expect(isSigned({ at: (seconds + 300) * 1000 })).toBe(true)
    expect(isSigned({ at: (seconds - 300) * 1000 })).toBe(true)
    expect(isSigned({ at: (seconds + 301) * 1000 })).toBe(false)
    expect(isSigned({ at: (seconds - 301) * 1000 })).toBe(false)
  })

  it('a signature of Telnyx is refused when anything differs', () => {
    expect(isSigned({ rawBody: `${rawBody} ` })).toBe(false)
    for (const timestamp of ['', 'x', '1e9', '-1', `${seconds + 1}`]) {
      expect(isSigned({ headers: { ...headers, 'telnyx-timestamp': timestamp } })).toBe(false)
    }
    for (const signature of ['', 'x', vector.slice(4), vector.replace('V', 'W')]) {
      expect(isSigned({ headers: { ...headers, 'telnyx-signature-ed25519': signature } })).toBe(false)
    }
    expect(isSigned({ headers: {} })).toBe(false)
    for (const foreign of [null, '', 'x', Buffer.alloc(32, 1).toString('base64')]) expect(isSigned({}, foreign)).toBe(false)
  })

  it('a signature of Telnyx is judged as by the vendor', async () => {
    const vendor = (publicKey: string) => new Telnyx({ apiKey: 'x', publicKey })
    await place('0004')
    await platform().settled()
    expect(receiver().received).toHaveLength(2)
    for (const { rawBody, headers, at } of receiver().received) {
      // The vendor's checker reads the clock of the machine.
      const timestamp = String(Math.floor(Date.now() / 1000))
      const seed = Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), Buffer.alloc(32, 7)])
      const key = createPrivateKey({ key: seed, format: 'der', type: 'pkcs8' })
      const signed = (text: string) => sign(null, Buffer.from(text), key).toString('base64')
      const ours = { 'telnyx-timestamp': timestamp, 'telnyx-signature-ed25519': signed(`${timestamp}|${rawBody}`) }
      await expect(vendor(secret).webhooks.unwrap(rawBody, { headers: ours })).resolves.toEqual(JSON.parse(rawBody))
      const foreign = { ...ours, 'telnyx-signature-ed25519': signed(`${timestamp}|other`) }
      await expect(vendor(secret).webhooks.unwrap(rawBody, { headers: foreign })).rejects.toThrow('Signature verification failed')
      expect(isSigned({ rawBody, headers: ours, at: Number(timestamp) * 1000 })).toBe(true)
      expect(isSigned({ rawBody, headers: foreign, at: Number(timestamp) * 1000 })).toBe(false)
      // The emulator signs as the vendor expects, but at the time of the test.
      expect(headers['telnyx-signature-ed25519']).toBe(signed(`${at / 1000}|${rawBody}`))
    }
  })
})

describe('the check of a Telnyx account', () => {
  const check = async (over: Partial<Connection> = {}) =>
    checkTelnyx(ask, connection(over), [CALLER], 'https://x/', offeredTools('do_not_call'))
  const problems = async (over: Partial<Connection> = {}) => (await check(over)).map(({ problem }) => problem)

  it('the check of a Telnyx account finds nothing when all is right, also with a verified number', async () => {
    expect(await problems()).toEqual([])
    await restart({ numbers: {}, verifiedNumbers: [CALLER.number] })
    expect(await problems()).toEqual([])
    expect(new Set(platform().seen.map(({ method }) => method))).toEqual(new Set(['GET']))
  })

  it('the check of a Telnyx account names each mistake once, and says what to do', async () => {
    expect(await problems({ apiKey: 'wrong' })).toEqual(['Telnyx refuses the API key. Create one in the portal, under API Keys.'])
    expect(await problems({ settings: { connection_id: '1' } })).toEqual([expect.stringContaining('no Voice API application "1"')])
    expect(await problems({ assistant: 'other' })).toEqual([expect.stringContaining('no assistant "other"')])
    expect(await problems({ callbackSecret: null })).toEqual([expect.stringContaining('must be the public key of the account')])
    await restart({ application: { active: false, webhook_api_version: '1', outbound: {} } })
    expect(await problems()).toEqual(['not active', 'old callbacks', 'cannot call'].map((words) => expect.stringContaining(words)))
    await restart({ numbers: {} })
    expect(await problems()).toEqual([expect.stringContaining(`${CALLER.number} is not a number of this Telnyx account`)])
    await restart({ numbers: { [CALLER.number]: 'port-pending' } })
    expect(await problems()).toEqual([`${CALLER.number} is port-pending at Telnyx. Use an active number.`])
    platform().readFault = { status: 500, body: '<html>' }
    expect(await problems()).toEqual([
      'Telnyx answered 500 when asked for the Voice API application. Check again later.',
      'Telnyx answered 500 when asked for the assistant. Check again later.',
      `Telnyx answered 500 when asked for ${CALLER.number}. Check again later.`,
    ])
  })

  it.each([[null], [[]], [[{ properties: { outcome: { enum: ['completed'] } } }]]])(
    'the check of a Telnyx account shows what to paste when the insights are %j',
    async (insightSchemas) => {
      await restart({ insightSchemas })
      const [advice, ...others] = await check()
      expect(others).toEqual([])
      expect(advice?.problem).toContain('does not tell how a call ended')
      expect(advice?.paste).toContain('"callback_requested"')
    },
  )
})
