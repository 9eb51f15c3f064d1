import { ElevenLabs } from '@elevenlabs/elevenlabs-js'
import { describe, expect, it } from '@jest/globals'
import { elevenLabsAdapter } from '#shared/agents/platforms/elevenlabs/adapter.ts'
import { elevenLabsWorld } from '#test/support/platforms/elevenlabs-world.ts'
import { DIAL_TIME, ODD_ANSWERS, outcomeOfAll } from '#test/support/platforms/sample-dial.ts'

const { platform, connection, dialled, restart, place, heard } = elevenLabsWorld()

const translated = (type: string, data: object) =>
  elevenLabsAdapter.translate({ url: 'https://x/', rawBody: JSON.stringify({ type, data }), at: DIAL_TIME })
const conversation = (over: object = {}, metadata: object = {}) =>
  translated('post_call_transcription', { conversation_id: 'conv_1', status: 'done', metadata, ...over })

describe('a call through ElevenLabs', () => {
  it('a call through ElevenLabs starts the agent with the variables and our id', async () => {
    const variables = { first_name: 'Ann', system__time: 'now', call_id: 'other' }
    expect(await place('1001', connection(), { variables })).toEqual({ kind: 'accepted', platformCallId: 'conv_1' })
    const [dial] = platform().seen
    expect(dial?.path).toBe('/v1/convai/twilio/outbound-call')
    expect(JSON.parse(dial!.body)).toEqual({
      agent_id: 'agent_1',
      agent_phone_number_id: 'phone-1',
      to_number: '+12125551001',
      conversation_initiation_client_data: { user_id: '51-1001', dynamic_variables: { first_name: 'Ann', call_id: '51-1001' } },
    })
    expect(platform().rung).toEqual([{ platformCallId: 'conv_1', to: '+12125551001', from: '+15005550006', callId: '51-1001' }])
  })

  it('a call through ElevenLabs uses a SIP trunk, and limits the duration, when the settings say so', async () => {
    await restart({ numbers: { 'phone-1': { phone_number: '+15005550006', provider: 'sip_trunk' } } })
    const settings = { telephony: 'sip-trunk', limit_duration: 'true' }
    expect(await place('1001', connection({ settings }))).toEqual({ kind: 'accepted', platformCallId: 'conv_1' })
    const body = JSON.parse(platform().seen[0]!.body)
    const override = { conversation: { max_duration_seconds: 600 } }
    expect(body.conversation_initiation_client_data.conversation_config_override).toEqual(override)
  })

  it.each([
    ['1001', 'completed'],
    ['0002', 'no_answer'],
    ['0003', 'voicemail'],
    ['0004', 'busy'],
    ['0005', 'disconnected'],
    ['0006', 'failed'],
    ['0007', 'do_not_call'],
    ['0010', 'hung_up'],
    ['0011', 'transferred_warm'],
    ['0012', 'transferred_blind'],
    ['0013', 'transfer_unavailable'],
    ['0014', 'voicemail'],
    ['0015', 'busy'],
  ])('a call through ElevenLabs to a number that ends in %s ends as %s', async (lastFour, outcome) => {
    await place(lastFour)
    const [told, ...others] = await heard()
    expect(others).toEqual([])
    expect(outcomeOfAll([told!])).toBe(outcome)
    expect(told?.platformCallId).toBe('conv_1')
    // A failure does not return what the request gave.
    const isFailure = ['0002', '0004', '0005', '0006'].includes(lastFour)
    expect(told?.callId).toBe(isFailure ? null : `51-${lastFour}`)
    expect(told?.unknown).toBeUndefined()
  })

  it('a call through ElevenLabs reports answer, end and outcome after the analysis', async () => {
    await place('0003')
    expect((await heard())[0]?.calledNumber).toBe('+12125550003')
    expect((await heard())[0]?.reports).toEqual([
      { type: 'call.answered', time: '2026-11-20T16:00:10.000Z', event_id: 'call.answered-conv_1' },
      { type: 'call.ended', time: '2026-11-20T16:00:40.000Z', event_id: 'call.ended-conv_1', data: { duration_seconds: 30 } },
      {
        type: 'call.completed',
        time: '2026-11-20T16:00:40.000Z',
        event_id: 'call.completed-conv_1',
        data: { outcome: 'voicemail', summary: 'Talked about the roof.', message_left: true },
      },
    ])
  })

  it('a call through ElevenLabs is the same when the callback comes twice', async () => {
    platform().callbackFault = 'twice'
    await place('0004')
    const ids = (await heard()).flatMap(({ reports }) => reports.map((report) => report.event_id))
    expect([...new Set(ids)]).toHaveLength(ids.length / 2)
  })

  it('a requested callback is the outcome of a call through ElevenLabs although a transfer failed', () => {
    const transcript = [{ tool_results: [{ result: { result_type: 'transfer_to_number_error' } }] }]
    const results = { outcome: { value: 'callback_requested' }, callback_time: { value: '2026-11-21T15:00:00Z' } }
    const told = conversation({ transcript, analysis: { data_collection_results: results } })
    const data = { outcome: 'callback_requested', callback_time: '2026-11-21T15:00:00Z' }
    expect(told.reports.at(-1)).toEqual(expect.objectContaining({ type: 'call.completed', data }))
  })
})

describe('an end of a call through ElevenLabs', () => {
  it('the end of a call through ElevenLabs is known for every result of the vendor', () => {
    const results = Object.values(ElevenLabs.CallResult)
    expect(results).toHaveLength(5)
    for (const call_result of results) expect(conversation({}, { phone_call: { call_result } }).unknown).toBeUndefined()
    const unknown = conversation({}, { phone_call: { call_result: 'teleported' } })
    expect([unknown.unknown, outcomeOfAll([unknown])]).toEqual(['call_result teleported', 'unknown'])
  })

  it('the end of a call through ElevenLabs is known for every error of the vendor that names one', () => {
    const outcomes = Object.values(ElevenLabs.ResponseConversationErrorType).map((reason) => {
      return [reason, outcomeOfAll([conversation({}, { error: { code: 1, reason } })])]
    })
    const broken = [
      ...['system_error', 'agent_configuration_error', 'invalid_client_request', 'permission_error', 'entitlement_exceeded', 'llm_error'],
      ...['speech_error', 'tool_error', 'integration_error', 'guardrail_triggered', 'safety_violation', 'post_processing_error'],
    ]
    expect(Object.fromEntries(outcomes)).toEqual({
      ...Object.fromEntries(broken.map((reason) => [reason, 'unknown'])),
      ...{ line_busy: 'busy', call_rejected: 'busy', blocked_by_user: 'busy', no_answer: 'no_answer', call_initialization_error: 'failed' },
      ...{ client_disconnected: 'hung_up', max_duration_exceeded: 'completed' },
    })
  })

  it.each([
    ['Client disconnected: 1000', 'hung_up'],
    ['Call ended by remote party', 'hung_up'],
    ['end_call tool was called.', 'completed'],
    ['voicemail_detection tool was called.', 'voicemail'],
    ['Something new', 'completed'],
  ])('an end of a call through ElevenLabs by "%s" is %s', (termination_reason, outcome) => {
    expect(outcomeOfAll([conversation({}, { termination_reason })])).toBe(outcome)
  })

  it('the end of a failed conversation through ElevenLabs without a reason is unknown', () => {
    expect(outcomeOfAll([conversation({ status: 'failed' })])).toBe('unknown')
  })

  it.each([
    ['busy', {}, 'busy'],
    ['no-answer', {}, 'no_answer'],
    ['unknown', {}, 'failed'],
    ['unknown', { sip_status_code: 604 }, 'disconnected'],
    ['unknown', { sip_status_code: 480 }, 'no_answer'],
    ['unknown', { SipResponseCode: '503' }, 'failed'],
  ])('an end of a call through ElevenLabs by the failure "%s" with %j is %s', (failure_reason, body, outcome) => {
    const told = translated('call_initiation_failure', { conversation_id: 'conv_1', user_id: '51-1', failure_reason, metadata: { body } })
    expect(outcomeOfAll([told])).toBe(outcome)
    expect([told.callId, told.unknown]).toEqual(['51-1', undefined])
  })

  it('the end of a call through ElevenLabs is named when the failure or the event is not known', () => {
    const failure = translated('call_initiation_failure', { conversation_id: 'conv_1', failure_reason: 'constructor' })
    expect([failure.unknown, outcomeOfAll([failure])]).toEqual(['failure_reason constructor', 'failed'])
    expect(translated('call_teleported', {})).toEqual({ callId: null, platformCallId: null, reports: [], unknown: 'event call_teleported' })
    for (const type of ['post_call_audio', 'answering_machine_detection', 'unredacted_transcript']) {
      expect(translated(type, { conversation_id: 'conv_1' })).toEqual({ callId: null, platformCallId: 'conv_1', reports: [] })
    }
  })

  it.each(['', '[]', '<html>', '{"type":"post_call_transcription"}', '{"type":"call_initiation_failure","data":{}}'])(
    'the end of a call through ElevenLabs cannot be read from the body %j',
    (rawBody) => {
      expect(() => elevenLabsAdapter.translate({ url: 'https://x/', rawBody, at: DIAL_TIME })).toThrow(SyntaxError)
    },
  )
})

describe('an answer of ElevenLabs to a dial', () => {
  it.each(ODD_ANSWERS.map((answer) => [answer.status, answer.text.slice(0, 20), answer] as const))(
    'an answer of ElevenLabs to a dial is unclear: %i %s',
    (_, __, answer) => {
      expect(elevenLabsAdapter.classify(answer).kind).toBe('unclear')
    },
  )

  const refused = (fault: string) => expect.objectContaining({ kind: 'refused', fault })
  const answered = (status: number, body: unknown) => elevenLabsAdapter.classify({ status, text: JSON.stringify(body) })

  it('an answer of ElevenLabs blames the account for a bad key, agent, number and telephony', async () => {
    expect(await place('1001', connection({ apiKey: 'wrong' }))).toEqual(refused('account'))
    expect(await place('1001', connection({ assistant: 'other' }))).toEqual(refused('account'))
    expect(await place('1001', connection(), { from: { number: '+15005550006', id: 'other' } })).toEqual(refused('account'))
    expect(await place('1001', connection(), { from: { number: '+15005550006', id: null } })).toEqual(refused('account'))
    expect(await place('1001', connection({ settings: { telephony: 'sip-trunk' } }))).toEqual(refused('account'))
    expect(platform().rung).toEqual([])
  })

  it('an answer of ElevenLabs blames the account for missing money and for limits, also with the status of success', async () => {
    expect([402, 429].map((status) => answered(status, {}))).toEqual([refused('account'), refused('account')])
    expect(await place('0016')).toEqual(refused('account'))
    expect(answered(400, { detail: { status: 'quota_exceeded', message: 'Too many' } })).toEqual(refused('account'))
    expect(answered(422, { detail: [{ loc: ['body', 'agent_phone_number_id'], msg: 'Invalid' }] })).toEqual(refused('account'))
    expect(answered(200, { success: false, message: 'INVITE failed: sip status: 403: Forbidden' })).toEqual(refused('account'))
  })

  it('an answer of ElevenLabs blames an invalid number, and otherwise only the call', async () => {
    expect(await place('1001', connection(), { to: '+1' })).toEqual(refused('number'))
    expect(answered(200, { success: false, message: 'Account not authorized to call +1809.' })).toEqual(refused('call'))
    expect(answered(422, { detail: [{ loc: ['body', 'to_number'], msg: 'Invalid' }] })).toEqual(refused('call'))
    expect(answered(400, '<html>')).toEqual(refused('call'))
    expect(answered(400, { detail: { status: 'bad_request', message: 'The agent cannot call this number.' } })).toEqual(refused('call'))
  })

  it('an answer of ElevenLabs is unclear when the phone may have rung', async () => {
    expect((await place('0017')).kind).toBe('unclear')
    expect(answered(200, { success: false, message: 'Error', callSid: 'CA1' }).kind).toBe('unclear')
    expect(answered(200, { success: true, message: 'Success' }).kind).toBe('unclear')
    expect(dialled('1001').callId).toBe('51-1001')
  })
})
