import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { telnyxAdapter } from '#shared/agents/platforms/telnyx/adapter.ts'
import { telnyxEnd } from '#shared/agents/platforms/telnyx/ends.ts'
import { ask } from '#test/support/platforms/emulator.ts'
import { CALLER, DIAL_TIME, ODD_ANSWERS, outcomeOfAll, sampleDial } from '#test/support/platforms/sample-dial.ts'
import { telnyxWorld } from '#test/support/platforms/telnyx-world.ts'

const { platform, receiver, connection, dialled, pass, restart, place, heard } = telnyxWorld()

/** The types of the vendor's callbacks. */
const TYPES = readFileSync(resolve(import.meta.dirname, '../../../node_modules/telnyx/resources/webhooks.d.ts'), 'utf8')

const translated = (event_type: string, payload: object) => {
  const client_state = Buffer.from('51-1001 +12125551001').toString('base64')
  const data = { event_type, occurred_at: '2026-11-20T16:01:00Z', payload: { call_control_id: 'v3:1', client_state, ...payload } }
  return telnyxAdapter.translate({ url: 'https://x/', rawBody: JSON.stringify({ data }), at: DIAL_TIME })
}

describe('a call through Telnyx', () => {
  it('a call through Telnyx starts the assistant with the variables, and says where to report', async () => {
    expect(await place('1001')).toEqual({ kind: 'accepted', platformCallId: 'v3:call-1' })
    const body = JSON.parse(platform().seen[0]!.body)
    expect(body.assistant).toEqual({ id: 'assistant-1', dynamic_variables: dialled('1001').variables })
    expect(body).toEqual(expect.objectContaining({ command_id: `51-1001-${DIAL_TIME}`, time_limit_secs: 600, retry_on_timeout: false }))
    expect(platform().rung).toEqual([{ platformCallId: 'v3:call-1', to: '+12125551001', from: CALLER.number, callId: '51-1001' }])
    expect(new Set((await heard()).map(({ callId }) => callId))).toEqual(new Set(['51-1001']))
  })

  it('a call through Telnyx never lasts longer than Telnyx permits', () => {
    const { body } = telnyxAdapter.request(connection(), sampleDial(receiver().url, '1001', { longestSeconds: 90_000 }))
    expect(JSON.parse(body ?? '').time_limit_secs).toBe(14_400)
  })

  it.each([
    ['1001', 'completed'],
    ['0002', 'no_answer'],
    ['0003', 'voicemail'],
    ['0004', 'busy'],
    ['0005', 'disconnected'],
    ['0006', 'failed'],
    ['0007', 'do_not_call'],
    ['0010', 'presumed hung_up'],
    ['0011', 'presumed completed'],
    ['0012', 'callback_requested'],
  ])('a call through Telnyx to a number that ends in %s ends as %s', async (lastFour, outcome) => {
    await place(lastFour)
    const translations = await heard()
    expect(outcomeOfAll(translations)).toBe(outcome)
    expect(translations.flatMap(({ unknown }) => unknown ?? [])).toEqual([])
  })

  it('a call through Telnyx ends before its insights, whose summary may be an insight of its own', async () => {
    await place('0007')
    const reports = (await heard()).flatMap((translation) => translation.reports)
    const completed = {
      type: 'call.completed',
      event_id: 'call.completed-v3:call-1',
      data: { outcome: 'do_not_call', summary: 'Wants no more calls.' },
    }
    expect(reports).toEqual([
      { type: 'call.answered', time: '2026-11-20T16:00:10.000Z', event_id: 'call.answered-v3:call-1' },
      {
        type: 'call.ended',
        time: '2026-11-20T16:00:42.000Z',
        event_id: 'call.ended-v3:call-1',
        data: { duration_seconds: 42, presumed_outcome: 'hung_up' },
      },
      { ...completed, time: '2026-11-20T16:00:50.000Z' },
      { ...completed, time: '2026-11-20T16:00:55.000Z' },
    ])
  })

  it('a call through Telnyx does not end with the call to a representative', async () => {
    await place('0012')
    const ended = (await heard()).filter(({ reports }) => reports.some(({ type }) => type === 'call.ended'))
    expect(ended.map(({ platformCallId }) => platformCallId)).toEqual(['v3:call-1'])
    expect(platform().seen).toHaveLength(1)
  })

  it('a call through Telnyx reports a transfer by SIP', () => {
    const types = (event: string) => translated(event, {}).reports.map(({ type }) => type)
    expect(types('call.refer.started')).toEqual(['call.transfer_initiated'])
    expect(types('call.refer.failed')).toEqual(['call.transfer_ended'])
    expect(types('call.refer.completed')).toEqual(['call.transfer_connected'])
  })

  it('a call through Telnyx is not ours when its state is foreign or its number another one', async () => {
    for (const other of [{ client_state: null }, { client_state: 'b3RoZXI=' }, { to: '+12125550199' }, { call_control_id: null }]) {
      expect(translated('call.hangup', { hangup_cause: 'timeout', ...other }).reports).toEqual([])
    }
  })

  it.each(['', '{}', '<html>', 'null', '{"data":{"payload":{}}}'])('a callback of Telnyx cannot be read from the body %j', (rawBody) => {
    expect(() => telnyxAdapter.translate({ url: 'https://x/', rawBody, at: DIAL_TIME })).toThrow(SyntaxError)
  })
})

describe('an end of a call through Telnyx', () => {
  it('the end of a call through Telnyx is known for every cause of the vendor', () => {
    const causes = [.../hangup_cause\?: ([^;]*);/.exec(TYPES)![1]!.matchAll(/'([^']+)'/g)].map(([, cause]) => cause!)
    expect(causes.length).toBeGreaterThan(8)
    expect(causes.filter((cause) => telnyxEnd(cause, 'callee', '200') === undefined)).toEqual([])
  })

  it.each([
    ['normal_clearing', 'callee', '200', 'presumed hung_up'],
    ['normal_clearing', 'caller', '200', 'presumed completed'],
    ['normal_clearing', 'caller', '16', 'presumed undefined'],
    ['normal_clearing', 'unknown', 'unspecified', 'presumed undefined'],
    ['normal_clearing', 'callee', null, 'presumed undefined'],
    ['normal_clearing', 'unknown', '404', 'disconnected'],
    ['normal_clearing', 'unknown', '480', 'no_answer'],
    ['time_limit', 'caller', '200', 'presumed completed'],
    ['call_rejected', 'callee', '603', 'busy'],
    ['call_rejected', 'callee', null, 'busy'],
    ['call_rejected', 'unknown', '403', 'failed'],
    ['originator_cancel', 'caller', '487', 'failed'],
    ['no_answer', 'caller', '487', 'no_answer'],
    ['not_found', 'callee', '404', 'disconnected'],
    ['unspecified', 'unknown', '503', 'failed'],
    ['unspecified', 'unknown', 'unspecified', 'presumed unknown'],
    ['constructor', 'unknown', null, 'presumed unknown'],
  ])('an end of a call through Telnyx by %s of %s with SIP %s is %s', (hangup_cause, hangup_source, sip_hangup_cause, outcome) => {
    const told = translated('call.hangup', { hangup_cause, hangup_source, sip_hangup_cause })
    expect(outcomeOfAll([told])).toBe(outcome)
    expect(told.unknown).toBe(hangup_cause === 'constructor' ? 'hangup_cause constructor' : undefined)
  })

  it('the end of a call through Telnyx is named when neither cause nor event is known', () => {
    expect(translated('call.hangup', {}).unknown).toBe('hangup_cause null')
    expect(translated('call.teleported', {})).toEqual(expect.objectContaining({ reports: [], unknown: 'event call.teleported' }))
  })

  it("every event of a voice call in Telnyx's documentation is known", () => {
    const events = new Set([...TYPES.matchAll(/event_type\?: '((?:call|conference|siprec|streaming)\.[^']+)'/g)].map(([, event]) => event!))
    expect(events.size).toBeGreaterThan(40)
    expect([...events].filter((event) => translated(event, { hangup_cause: 'timeout' }).unknown !== undefined)).toEqual([])
  })
})

describe('an answer of Telnyx to a dial', () => {
  it.each(ODD_ANSWERS.map((answer) => [answer.status, answer.text.slice(0, 20), answer] as const))(
    'an answer of Telnyx to a dial is unclear: %i %s',
    (_, __, answer) => {
      expect(telnyxAdapter.classify(answer).kind).toBe('unclear')
    },
  )

  const refused = (fault: string) => expect.objectContaining({ kind: 'refused', fault })
  const problem = (status: number, error: object) => telnyxAdapter.classify({ status, text: JSON.stringify({ errors: [error] }) })

  it('an answer of Telnyx blames the account for a bad key, connection, assistant and caller number', async () => {
    expect(await place('1001', connection({ apiKey: 'wrong' }))).toEqual(refused('account'))
    expect(await place('1001', connection({ settings: { connection_id: '1' } }))).toEqual(refused('account'))
    expect(await place('1001', connection({ settings: {} }))).toEqual(refused('account'))
    expect(await place('1001', connection({ assistant: 'other' }))).toEqual(refused('account'))
    await restart({ numbers: {} })
    expect(await place('1001')).toEqual(refused('account'))
    expect(platform().rung).toEqual([])
  })

  it('an answer of Telnyx blames the account for missing money and for limits', () => {
    const classified = [402, 429].map((status) => telnyxAdapter.classify({ status, text: '<html>' }))
    expect(classified).toEqual([refused('account'), refused('account')])
    expect(problem(403, { code: '10010', detail: 'User channel limit exceeded D22' })).toEqual(refused('account'))
  })

  it('an answer of Telnyx blames an invalid number, and otherwise only the call', async () => {
    expect(telnyxAdapter.classify(await ask(telnyxAdapter.request(connection(), { ...dialled('1001'), to: '+1' })))).toEqual(
      refused('number'),
    )
    expect(problem(422, { code: '10016', source: { pointer: '/custom' } })).toEqual(refused('call'))
    expect(problem(403, { code: '10010', detail: 'Destination country not whitelisted D13' })).toEqual(refused('call'))
    expect(telnyxAdapter.classify({ status: 422, text: '<html>' })).toEqual(refused('call'))
  })

  it('an answer of Telnyx to a dial is unclear when it calls the request a repeat', () => {
    expect(problem(422, { code: '10012', title: 'Duplicate resource' }).kind).toBe('unclear')
    expect(problem(400, { code: '10015', detail: 'command_id was used before' }).kind).toBe('unclear')
  })

  it('a phone rings once when the answer of Telnyx was lost and the request is repeated within a minute', async () => {
    expect(telnyxAdapter.repeats).toEqual({ kind: 'repeatable', seconds: 60 })
    platform().dialFault = 'lost-before'
    await expect(place('1001')).rejects.toThrow()
    platform().dialFault = 'lost-after'
    await expect(place('1001')).rejects.toThrow()
    platform().dialFault = 'none'
    pass(59_000)
    expect(await place('1001')).toEqual({ kind: 'accepted', platformCallId: 'v3:call-1' })
    expect(platform().rung).toHaveLength(1)
    pass(1_000)
    await place('1001')
    expect(platform().rung).toHaveLength(2)
  })
})
