import { describe, expect, it } from '@jest/globals'
import type { Connection, Translation } from '#shared/agents/platforms/adapter.ts'
import { adapterOf } from '#shared/agents/platforms/adapters.ts'
import { completionOf, extractedFrom, SPOKEN_OUTCOMES } from '#shared/agents/platforms/analysis.ts'
import { connectAdapter } from '#shared/agents/platforms/connect/adapter.ts'
import { completedAs, DIAL_TIME } from '#test/support/platforms/adapter-world.ts'

/** Telnyx returns it with each event. */
const OUR_STATE = Buffer.from('51-1 +12125551001').toString('base64')
const CALLBACK_TIME = '2026-11-20T15:00:00-05:00'

const read = (platform: string, body: object): Translation =>
  adapterOf(platform)!.translate({ url: 'https://x/?call=51-1', rawBody: JSON.stringify(body), at: DIAL_TIME })

/** A contact of Amazon Connect that is over, as a poll reads it. Nobody in the queue took it over if it was in one. */
const contactOf = async (attributes: object, isQueued: boolean): Promise<Translation> => {
  const settings = { region: 'us-east-1', instance_id: '10a4c4eb-f57e-4d4c-b602-bf39176ced07' }
  const connection: Connection = { api: connectAdapter.api, assistant: '', apiKey: '', callbackSecret: null, settings }
  const Contact = {
    ...{ Id: 'c1', Name: '51-1', DisconnectReason: 'CUSTOMER_DISCONNECT', Attributes: attributes },
    ...{ ConnectedToSystemTimestamp: 1_795_000_000, DisconnectTimestamp: 1_795_000_042 },
    ...(isQueued && { QueueInfo: { EnqueueTimestamp: 1_795_000_020 } }),
  }
  const polled = await connectAdapter.poll!(async () => ({ status: 200, text: JSON.stringify({ Contact }) }), connection, 'c1', DIAL_TIME)
  return polled.kind === 'translated' ? polled.translation : { callId: null, platformCallId: null, reports: [] }
}

type Told = (outcome: string, isTransferFailed: boolean) => Translation | Promise<Translation>

/** The end of a conversation on each platform that analyses it, with the extracted outcome. */
const TOLD: Readonly<Record<string, Told>> = {
  bland: (outcome, isTransferFailed) =>
    read('bland', {
      ...{ call_id: 'c1', completed: true, status: 'completed', analysis: { outcome, callback_time: CALLBACK_TIME } },
      ...(isTransferFailed && { warm_transfer_call: { state: 'FAILED' } }),
    }),
  connect: (outcome, isTransferFailed) => contactOf({ call_outcome: outcome, call_callback_time: CALLBACK_TIME }, isTransferFailed),
  elevenlabs: (outcome, isTransferFailed) =>
    read('elevenlabs', {
      type: 'post_call_transcription',
      data: {
        ...{ conversation_id: 'c1', status: 'done' },
        ...(isTransferFailed && { transcript: [{ tool_results: [{ result: { result_type: 'transfer_to_number_error' } }] }] }),
        analysis: { data_collection_results: { outcome: { value: outcome }, callback_time: { value: CALLBACK_TIME } } },
      },
    }),
  retell: (outcome, isTransferFailed) =>
    read('retell', {
      event: 'call_analyzed',
      call: {
        ...{ call_id: 'c1', call_status: 'ended', disconnection_reason: isTransferFailed ? 'transfer_cancelled' : 'user_hangup' },
        call_analysis: { custom_analysis_data: { outcome, callback_time: CALLBACK_TIME } },
      },
    }),
  vapi: (outcome, isTransferFailed) =>
    read('vapi', {
      message: {
        type: 'end-of-call-report',
        endedReason: isTransferFailed ? 'customer-ended-call-before-warm-transfer' : 'customer-ended-call',
        ...{ call: { id: 'c1' }, analysis: { structuredData: { outcome, callback_time: CALLBACK_TIME } } },
      },
    }),
}

/** Telnyx reports no transfer of an assistant that failed. */
const ALL_TOLD: typeof TOLD = {
  ...TOLD,
  telnyx: (outcome) => {
    const payload = { call_control_id: 'c1', client_state: OUR_STATE, results: [{ result: { outcome } }] }
    return read('telnyx', { data: { event_type: 'call.conversation_insights.generated', payload } })
  },
}

describe('the words of a conversation', () => {
  it.each(Object.keys(ALL_TOLD))('the words of a conversation through %s name the outcome in any spelling', async (name) => {
    for (const spelling of ['Do_not_call', 'do-not-call', ' DO NOT CALL.\n']) {
      const told = await ALL_TOLD[name]!(spelling, false)
      expect([completedAs(told.reports), told.unknown]).toEqual(['do_not_call', undefined])
    }
  })

  it.each(Object.keys(ALL_TOLD))('the words of a conversation through %s are named for the log when they are no outcome', async (name) => {
    expect((await ALL_TOLD[name]!('Call_back', false)).unknown).toBe('outcome Call_back')
    expect((await ALL_TOLD[name]!('Ann Smith wants it', false)).unknown).toBe('outcome in many words')
    expect((await ALL_TOLD[name]!('Ann wants it: (212) 555-0123', false)).unknown).toBe('outcome in many words')
    for (const nothing of ['', '  ']) expect((await ALL_TOLD[name]!(nothing, false)).unknown).toBeUndefined()
  })

  it.each(Object.keys(TOLD))(
    'the words of a conversation through %s decide the outcome after a transfer that found nobody',
    async (name) => {
      const outcomes = SPOKEN_OUTCOMES.map(async (outcome) => [outcome, completedAs((await TOLD[name]!(outcome, true)).reports)])
      const expected = SPOKEN_OUTCOMES.map((outcome) => [outcome, outcome === 'completed' ? 'transfer_unavailable' : outcome])
      expect(await Promise.all(outcomes)).toEqual(expected)
      const callback = (await TOLD[name]!('callback_requested', true)).reports.at(-1)
      expect(callback).toMatchObject({ type: 'call.completed', data: { callback_time: CALLBACK_TIME } })
    },
  )

  it.each(['do_not_call', 'litigator'])('a %s in the words of a conversation counts whatever telephony says', (outcome) => {
    for (const end of ['transferred_warm', 'no_answer', 'busy', 'cancelled', 'transfer_unavailable'] as const)
      expect(completionOf(end, { outcome })).toEqual({ outcome })
  })

  it.each(['do_not_call', 'litigator'])('a %s in either description of a conversation through Bland counts', (outcome) => {
    const told = (first: string, second: string) =>
      completedAs(read('bland', { call_id: 'c1', status: 'completed', analysis: { outcome: first }, disposition_tag: second }).reports)
    expect(told(outcome, 'callback_requested')).toBe(outcome)
    expect(told('callback_requested', outcome)).toBe(outcome)
  })

  const OURS = { outcome: 'litigator', summary: 'Will sue.' }
  const SEVERAL = [{ score: 7 }, { outcome: 'unknown' }, { outcome: 'not_interested' }, OURS]
  it('the words of a conversation are a stop if only the last structured result of Vapi is one', () => {
    const structuredOutputs = Object.fromEntries(SEVERAL.map((result, index) => [index, { result }]))
    const message = { type: 'end-of-call-report', endedReason: 'customer-ended-call', call: { id: 'c1' }, artifact: { structuredOutputs } }
    expect(read('vapi', { message }).reports.at(-1)?.data).toMatchObject(OURS)
  })

  it('the words of a conversation are a stop if only the last insight of Telnyx is one', () => {
    const results = ['Talked about the roof.', ...SEVERAL].map((result) => ({ result }))
    const payload = { call_control_id: 'c1', client_state: OUR_STATE, results }
    const told = read('telnyx', { data: { event_type: 'call.conversation_insights.generated', payload } })
    expect(told.reports.at(-1)?.data).toMatchObject(OURS)
  })

  it('the words of a conversation are read from the result of our schema, although another result has an outcome of its own', () => {
    expect(extractedFrom([{ outcome: 'unknown' }, { outcome: 'callback_requested' }])).toEqual({ outcome: 'callback_requested' })
    expect(extractedFrom([{ outcome: 'sold' }, 'none', null, ['x'], { outcome: 7 }])).toBeUndefined()
  })

  it('a litigator in the analysis of Retell counts although the account could not place the call', () => {
    const call_analysis = { custom_analysis_data: { outcome: 'litigator' } }
    const call = { call_id: 'c1', call_status: 'ended', disconnection_reason: 'no_valid_payment', call_analysis }
    expect(read('retell', { event: 'call_analyzed', call })).toMatchObject({
      refusal: expect.any(Object),
      reports: [{ type: 'call.completed', data: { outcome: 'litigator' } }],
    })
  })
})
