import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import * as v from 'valibot'
import { CallReport } from '#shared/agents/api/call-report.ts'
import { blandAdapter } from '#shared/agents/platforms/bland/adapter.ts'
import { adapterWorld, completedAs, DIAL_TIME, DIALLED_CALL } from '#test/support/platforms/adapter-world.ts'
import {
  BLAND_ANSWERED_BY,
  BLAND_ENDS,
  BLAND_QUEUES,
  BLAND_STATUSES,
  type BlandOptions,
  startBlandEmulator,
} from '#test/support/platforms/bland-emulator.ts'
import { ask } from '#test/support/platforms/emulator.ts'

let world: Awaited<ReturnType<typeof blandWorld>>
const blandWorld = async (options: BlandOptions = {}) =>
  adapterWorld(blandAdapter, await startBlandEmulator(options), {
    assistant: 'pathway_1',
    apiKey: 'sk_test',
    callbackSecret: 'bland_secret',
  })

beforeEach(async () => {
  world = await blandWorld()
})
afterEach(() => world.close())

const translate = (body: unknown, url = 'https://example.com/') =>
  blandAdapter.translate({ url, rawBody: typeof body === 'string' ? body : JSON.stringify(body), at: DIAL_TIME })

/** Undefined: the outcome is presumed only. */
const OUTCOMES: Readonly<Record<string, string | undefined>> = {
  person_hung_up: 'not_interested',
  assistant_hung_up: 'completed',
  unsure_who_answered: 'completed',
  stop_asked: 'do_not_call',
  machine: 'voicemail',
  nobody: 'no_answer',
  nobody_by_detection: 'no_answer',
  busy: 'busy',
  canceled: 'failed',
  failed: 'failed',
  not_queued: 'failed',
  not_dialled: 'failed',
  broken: undefined,
  merged: 'transferred_warm',
  handed_over: 'transferred_warm',
  not_taken_over: undefined,
  forwarded: 'transferred_blind',
}

describe('an end that Bland reports', () => {
  it.each(Object.keys(BLAND_ENDS))('the end %s of a call through Bland has its outcome, by webhook and by poll', async (name) => {
    await world.dial(`+1212555${String(Object.keys(BLAND_ENDS).indexOf(name)).padStart(4, '0')}`)
    const [callback, ...others] = await world.callbacks()
    expect(others).toEqual([])
    expect(blandAdapter.verify(world.connection, callback!)).toBe(true)
    const translation = blandAdapter.translate(callback!)
    expect(translation).toMatchObject({ callId: DIALLED_CALL, platformCallId: 'c_1' })
    expect(translation.unknown).toBeUndefined()
    for (const one of translation.reports) expect(v.safeParse(CallReport, { ...one, call_id: DIALLED_CALL }).success).toBe(true)
    expect(Object.keys(OUTCOMES)).toContain(name)
    expect(completedAs(translation.reports)).toBe(OUTCOMES[name])
    const poll = await blandAdapter.poll!(ask, world.connection, 'c_1', DIAL_TIME)
    expect(poll).toEqual({ kind: 'translated', translation })
  })

  it("every documented combination of Bland's values at the end of a call has an outcome", () => {
    for (const status of BLAND_STATUSES)
      for (const answered_by of BLAND_ANSWERED_BY)
        for (const queue_status of BLAND_QUEUES) {
          const told = translate({ call_id: 'c_1', completed: true, status, answered_by, queue_status })
          expect(told.unknown).toBeUndefined()
          expect(told.reports.some(({ type, data }) => type === 'call.completed' || data?.['presumed_outcome'])).toBe(true)
        }
  })

  it('a conversation through Bland has its answer time, duration and summary at its end', async () => {
    await world.dial()
    world.emulator.progress('c_1', 'started')
    const analysis = { outcome: 'callback_requested', callback_time: '2026-11-20T15:00:00-05:00' }
    world.emulator.finish('c_1', { ...BLAND_ENDS['person_hung_up'], analysis, summary: 'Later.' })
    const answered = DIAL_TIME
    const at = DIAL_TIME + 300_000
    const [callback] = await world.callbacks()
    const time = new Date(answered + 42_000).toISOString()
    expect(blandAdapter.translate({ ...callback!, at }).reports).toEqual([
      { type: 'call.answered', time: new Date(answered).toISOString(), event_id: 'call.answered-c_1' },
      { type: 'call.ended', time, event_id: 'call.ended-c_1', data: { duration_seconds: 42 } },
      { type: 'call.completed', time, event_id: 'call.completed-c_1', data: { ...analysis, summary: 'Later.' } },
    ])
  })

  it('the outcome of a conversation through Bland that is not analysed yet is presumed', () => {
    const call = { call_id: 'c_1', status: 'completed', completed: true, answered_by: 'human', call_ended_by: 'USER', call_length: 0.5 }
    expect(translate(call).reports).toMatchObject([{ type: 'call.ended', data: { duration_seconds: 30, presumed_outcome: 'hung_up' } }])
  })

  it.each([
    ['the disposition when the answer is no outcome', { outcome: 'It went well' }, 'not_interested', 'not_interested'],
    ['the disposition when the analysis missed a stop', { outcome: 'completed' }, 'do_not_call', 'do_not_call'],
    ['neither answer nor disposition when both are no outcome', null, 'Great', undefined],
  ])('a conversation through Bland takes its outcome from %s', (_, analysis, disposition_tag, outcome) => {
    expect(completedAs(translate({ call_id: 'c_1', completed: true, status: 'completed', analysis, disposition_tag }).reports)).toBe(
      outcome,
    )
  })

  it('an end of a call with a status that is unknown for Bland is named and presumed unknown', () => {
    expect(translate({ call_id: 'c_1', completed: true, status: 'evaporated' })).toMatchObject({
      unknown: 'status evaporated',
      reports: [{ type: 'call.ended', data: { presumed_outcome: 'unknown' } }],
    })
  })

  it.each([
    [{ corrected_duration: 'NaN', call_length: 1.5 }, 90],
    [{ corrected_duration: '-3' }, 0],
    [{ corrected_duration: {}, call_length: 'long' }, 0],
    [{ corrected_duration: 12 }, 12],
  ])('the end of a call through Bland takes %j as %d seconds', (lengths, seconds) => {
    const { reports } = translate({ call_id: 'c_1', completed: true, status: 'completed', started_at: 'yesterday', ...lengths })
    expect(reports).toMatchObject([{ type: 'call.ended', data: { duration_seconds: seconds } }])
  })
})

describe('a webhook of Bland', () => {
  it.each([
    [{ call_id: 'c_1', message: 'Dialing', category: 'call', level: 'info' }],
    [{ call_id: 'c_1', queue_status: 'started', completed: false }],
  ])('a webhook of Bland such as %j only shows that the call is alive', (body) => {
    expect(translate(body, `https://example.com/?call=${DIALLED_CALL}`)).toEqual({
      callId: DIALLED_CALL,
      platformCallId: 'c_1',
      reports: [],
    })
  })

  it('a webhook of Bland gives the same reports when it comes twice', async () => {
    world.emulator.callbackFault = 'twice'
    await world.dial('+12125550000')
    const [one, other] = await world.translations()
    expect(other).toEqual(one)
  })

  it.each([[''], ['<html>'], ['null'], ['[]'], ['{}'], [{ call_id: '' }], [{ call_id: 7 }]])(
    'a webhook of Bland that is %j is refused',
    (body) => {
      expect(() => translate(body)).toThrow(SyntaxError)
    },
  )

  it('a webhook of Bland of 10 MB is read', () => {
    expect(translate({ call_id: 'c_1', status: 'busy', concatenated_transcript: 'x'.repeat(10_000_000) }).reports).toHaveLength(2)
  })
})

describe('a poll of Bland', () => {
  const poll = (id = 'c_1') => blandAdapter.poll!(ask, world.connection, id, DIAL_TIME)

  it('a poll of Bland says that a call goes on until it is over, though its latest end is known', async () => {
    await world.dial()
    for (const stage of ['new', 'queued', 'allocated'] as const) {
      world.emulator.progress('c_1', stage)
      expect(await poll()).toEqual({ kind: 'ongoing', isWaiting: true })
    }
    world.emulator.progress('c_1', 'started')
    expect(await poll()).toEqual({ kind: 'ongoing' })
    world.emulator.callbackFault = 'lost'
    world.emulator.finish('c_1', BLAND_ENDS['person_hung_up']!)
    expect(await world.callbacks()).toEqual([])
    expect(await poll()).toMatchObject({ kind: 'translated', translation: { callId: DIALLED_CALL } })
  })

  it('a poll of Bland says that a call is gone when Bland does not know it', async () => {
    expect(await poll('c_9')).toEqual({ kind: 'gone' })
  })

  it.each([
    [401, '{}'],
    [500, '<html>'],
    [302, ''],
    [200, '<html>'],
    [200, '{"status":"error"}'],
  ])('a poll of Bland says nothing after %d with %j', async (status, text) => {
    await expect(blandAdapter.poll!(async () => ({ status, text }), world.connection, 'c_1', DIAL_TIME)).rejects.toThrow()
  })
})
