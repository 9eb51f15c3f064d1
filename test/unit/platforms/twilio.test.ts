import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { twilioAdapter } from '#shared/agents/platforms/twilio/adapter.ts'
import { ask } from '#test/support/platforms/emulator.ts'
import { CALLER, DIAL_TIME, ODD_ANSWERS, outcomeOfAll, sampleDial } from '#test/support/platforms/sample-dial.ts'
import { twilioWorld } from '#test/support/platforms/twilio-world.ts'

const PACKAGES = resolve(import.meta.dirname, '../../../node_modules')

const { platform, receiver, connection, dialled, restart, place, heard } = twilioWorld()

describe('a call through Twilio', () => {
  it('a call through Twilio gives the TwiML URL the call id and the variables, and says where to report', async () => {
    const answer = await place('1001')
    expect(answer).toEqual({ kind: 'accepted', platformCallId: expect.stringMatching(/^CA/) })
    const form = new URLSearchParams(platform().seen[0]?.body)
    const url = new URL(form.get('Url') ?? '')
    expect(Object.fromEntries(url.searchParams)).toEqual({ tenant: '7', call_id: '51-1001', ...dialled('1001').variables })
    expect(form.get('TimeLimit')).toBe('600')
    expect(platform().rung).toEqual([expect.objectContaining({ to: '+12125551001', from: CALLER.number, callId: '51-1001' })])
  })

  it('a call through Twilio leaves out variables that are too long for a URL', () => {
    const dial = sampleDial(receiver().url, '1001', { variables: { script: 'x'.repeat(5000), first_name: 'Ann', call_id: 'other' } })
    const url = new URLSearchParams(twilioAdapter.request(connection(), dial, DIAL_TIME).body).get('Url')
    expect(url).toBe('https://agent.example.com/twiml?tenant=7&call_id=51-1001&first_name=Ann')
  })

  it.each([
    ['1001', 'presumed undefined'],
    ['0002', 'no_answer'],
    ['0003', 'presumed voicemail'],
    ['0004', 'busy'],
    ['0005', 'disconnected'],
    ['0006', 'failed'],
    ['0010', 'failed'],
  ])('a call through Twilio to a number that ends in %s ends as %s', async (lastFour, outcome) => {
    await place(lastFour)
    const translations = await heard()
    expect(outcomeOfAll(translations)).toBe(outcome)
    expect(translations.map(({ callId }) => callId)).toEqual(translations.map(() => `51-${lastFour}`))
    expect(translations.flatMap(({ unknown }) => unknown ?? [])).toEqual([])
  })

  it('a call through Twilio reports the answer and the end with times and the duration', async () => {
    await place('1001')
    const reports = (await heard()).flatMap((translation) => translation.reports)
    const sid = platform().rung[0]?.platformCallId
    expect(reports).toEqual([
      { type: 'call.answered', time: '2026-11-20T16:00:00.000Z', event_id: `call.answered-${sid}` },
      {
        type: 'call.ended',
        time: '2026-11-20T16:00:42.000Z',
        event_id: `call.ended-${sid}`,
        data: { duration_seconds: 42 },
      },
    ])
  })

  it('a call through Twilio is the same when every callback comes twice', async () => {
    platform().callbackFault = 'twice'
    await place('0004')
    const ids = (await heard()).flatMap(({ reports }) => reports.map((report) => report.event_id))
    expect([...new Set(ids)]).toHaveLength(ids.length / 2)
  })

  it('a call through Twilio has an outcome for every status of the vendor', () => {
    const types = readFileSync(resolve(PACKAGES, 'twilio/lib/rest/api/v2010/account/call.d.ts'), 'utf8')
    const statuses = [.../export type CallStatus = (.*);/.exec(types)![1]!.matchAll(/"([^"]+)"/g)].map(([, status]) => status!)
    expect(statuses.length).toBeGreaterThan(7)
    const form = (CallStatus: string) => new URLSearchParams({ CallSid: 'CA1', CallStatus, CallDuration: '1' }).toString()
    const translated = statuses.map((status) => twilioAdapter.translate({ url: 'https://x/', rawBody: form(status), at: DIAL_TIME }))
    expect(translated.flatMap(({ unknown }) => unknown ?? [])).toEqual([])
  })

  it('unknown statuses and verdicts of Twilio are named, and a last callback is taken as the end', () => {
    const told = (form: Readonly<Record<string, string>>) =>
      twilioAdapter.translate({ url: 'https://x/?call=51-1', rawBody: new URLSearchParams(form).toString(), at: DIAL_TIME })
    expect(told({ CallSid: 'CA1', CallStatus: 'constructor' })).toEqual(
      expect.objectContaining({ reports: [], unknown: 'CallStatus constructor' }),
    )
    const last = told({ CallSid: 'CA1', CallStatus: 'parked', CallDuration: 'long', Timestamp: 'never' })
    expect(outcomeOfAll([last])).toBe('presumed unknown')
    expect(last.reports[0]).toEqual({
      type: 'call.ended',
      time: '2026-11-20T16:00:00.000Z',
      event_id: 'call.ended-CA1',
      data: { presumed_outcome: 'unknown' },
    })
    expect(told({ CallSid: 'CA1', AnsweredBy: 'parrot' })).toEqual(expect.objectContaining({ reports: [], unknown: 'AnsweredBy parrot' }))
  })

  it.each(['', '{}', '<html>', 'CallStatus=completed', 'CallSid=CA1'])(
    'a callback of Twilio cannot be read from the body %j',
    (rawBody) => {
      expect(() => twilioAdapter.translate({ url: 'https://x/', rawBody, at: DIAL_TIME })).toThrow(SyntaxError)
    },
  )
})

describe('an answer of Twilio to a dial', () => {
  it.each(ODD_ANSWERS.map((answer) => [answer.status, answer.text.slice(0, 20), answer] as const))(
    'an answer of Twilio to a dial is unclear: %i %s',
    (_, __, answer) => {
      expect(twilioAdapter.classify(answer).kind).toBe('unclear')
    },
  )

  const refused = (fault: string) => expect.objectContaining({ kind: 'refused', fault })

  it('an answer of Twilio blames the account for a bad key, an unknown caller number and a bad TwiML URL', async () => {
    expect(await place('1001', connection({ apiKey: 'wrong' }))).toEqual(refused('account'))
    expect(await place('1001', connection({ settings: {} }))).toEqual(refused('account'))
    expect(await place('1001', connection({ assistant: 'my agent' }))).toEqual(refused('account'))
    await restart({ numbers: ['+15005550001'] })
    expect(await place('1001')).toEqual(refused('account'))
    await restart({ accountStatus: 'suspended' })
    expect(await place('1001')).toEqual(refused('account'))
    await restart({ accountType: 'Trial' })
    expect(await place('1001')).toEqual(refused('account'))
    expect(platform().rung).toEqual([])
  })

  it('an answer of Twilio blames the account for missing money and for limits', () => {
    const classified = [402, 429].map((status) => twilioAdapter.classify({ status, text: '<html>' }))
    expect(classified).toEqual([refused('account'), refused('account')])
    expect(twilioAdapter.classify({ status: 400, text: '{"code":10004,"message":"Concurrency"}' })).toEqual(refused('account'))
  })

  it('an answer of Twilio blames an invalid number, and otherwise only the call', async () => {
    const dial = { ...dialled('1001'), to: '+1' }
    expect(twilioAdapter.classify(await ask(twilioAdapter.request(connection(), dial, DIAL_TIME)))).toEqual(refused('number'))
    expect(twilioAdapter.classify({ status: 400, text: '{"code":21215}' })).toEqual(refused('call'))
    expect(twilioAdapter.classify({ status: 400, text: '<html>' })).toEqual(refused('call'))
  })
})
