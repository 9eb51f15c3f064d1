import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import * as v from 'valibot'
import { CallReport } from '#shared/agents/api/call-report.ts'
import { retellAdapter } from '#shared/agents/platforms/retell/adapter.ts'
import { adapterWorld, completedAs, DIAL_TIME, DIALLED_CALL } from '#test/support/platforms/adapter-world.ts'
import { ask } from '#test/support/platforms/emulator.ts'
import { RETELL_REASONS, type RetellOptions, type RetellReason, startRetellEmulator } from '#test/support/platforms/retell-emulator.ts'

let world: Awaited<ReturnType<typeof retellWorld>>
const retellWorld = async (options: RetellOptions = {}) =>
  adapterWorld(retellAdapter, await startRetellEmulator(options), { assistant: 'agent_1', apiKey: 'key_test' })

beforeEach(async () => {
  world = await retellWorld()
})
afterEach(() => world.close())

/** The values of a union of texts in the declaration of the vendor's package. */
const vendorReasons = (): string[] => {
  const file = join(import.meta.dirname, '../../../node_modules/retell-sdk/resources/call.d.ts')
  const [, union = ''] =
    /export interface PhoneCallResponse \{[\s\S]*?disconnection_reason\?: ([^;]+);/.exec(readFileSync(file, 'utf8')) ?? []
  return [...union.matchAll(/'(\w+)'/g)].map(([, reason]) => reason!)
}

const OUTCOMES: Readonly<Record<RetellReason, string>> = {
  user_hangup: 'hung_up',
  agent_hangup: 'completed',
  call_transfer: 'transferred_blind',
  voicemail_reached: 'voicemail',
  ivr_reached: 'voicemail',
  inactivity: 'completed',
  max_duration_reached: 'completed',
  transfer_bridged: 'transferred_warm',
  transfer_cancelled: 'transfer_unavailable',
  call_take_over: 'escalated',
  manual_stopped: 'completed',
  dial_busy: 'busy',
  dial_failed: 'failed',
  dial_no_answer: 'no_answer',
  invalid_destination: 'disconnected',
  telephony_provider_permission_denied: 'failed',
  telephony_provider_unavailable: 'failed',
  sip_routing_error: 'failed',
  marked_as_spam: 'failed',
  user_declined: 'busy',
  concurrency_limit_reached: 'refused',
  no_concurrency_fallback: 'failed',
  no_valid_payment: 'refused',
  scam_detected: 'failed',
  registered_call_timeout: 'failed',
  error_llm_websocket_open: 'unknown',
  error_llm_websocket_lost_connection: 'unknown',
  error_llm_websocket_runtime: 'unknown',
  error_llm_websocket_corrupt_payload: 'unknown',
  error_no_audio_received: 'unknown',
  error_asr: 'unknown',
  error_retell: 'unknown',
  error_unknown: 'unknown',
  error_user_not_joined: 'unknown',
}

describe('an end', () => {
  it("every end reason in Retell's package has a documented group", () => {
    expect(vendorReasons().length).toBeGreaterThan(30)
    expect(vendorReasons().toSorted()).toEqual(Object.keys(OUTCOMES).toSorted())
  })

  const refused = Object.keys(OUTCOMES).filter((reason) => OUTCOMES[reason as RetellReason] === 'refused')
  it.each(refused)("an end with %s takes back Retell's acceptance of the call: no phone rang", async (reason) => {
    await world.dial()
    world.emulator.finish('call_1', reason as RetellReason)
    world.emulator.analyze('call_1')
    const poll = await retellAdapter.poll!(ask, world.connection, 'call_1', DIAL_TIME)
    const told = { reports: [], refusal: { reason: `Retell did not place a call: ${reason}.`, isWhole: true } }
    expect(poll).toMatchObject({ kind: 'translated', translation: told })
    expect(await world.translations()).toMatchObject([told, told])
  })

  it.each(refused)("an end with %s after a conversation does not take back Retell's acceptance of the call", async (reason) => {
    await world.dial()
    world.emulator.pickUp('call_1')
    world.emulator.finish('call_1', reason, 42, 'ended')
    const outcomes = async () => (await world.reports()).map(({ type, data }) => [type, data?.['outcome'] ?? data?.['presumed_outcome']])
    expect(await outcomes()).toEqual([
      ['call.answered', undefined],
      ['call.ended', 'unknown'],
    ])
    world.emulator.analyze('call_1', { custom_analysis_data: { outcome: 'not_interested' } })
    expect((await outcomes()).at(-1)).toEqual(['call.completed', 'not_interested'])
    const poll = await retellAdapter.poll!(ask, world.connection, 'call_1', DIAL_TIME)
    expect(poll.kind === 'translated' && completedAs(poll.translation.reports)).toBe('not_interested')
    expect((await world.translations()).flatMap(({ unknown, refusal }) => unknown ?? refusal?.reason ?? [])).toEqual([])
  })

  it.each(refused)('an end with %s at Retell does not take back a stop in the analysis', async (reason) => {
    await world.dial()
    world.emulator.finish('call_1', reason as RetellReason)
    world.emulator.analyze('call_1', { custom_analysis_data: { outcome: 'do_not_call' } })
    const [, analyzed] = await world.translations()
    expect(analyzed).toMatchObject({ refusal: expect.any(Object), reports: [{ type: 'call.completed', data: { outcome: 'do_not_call' } }] })
  })

  it.each(Object.entries(OUTCOMES).filter(([, outcome]) => outcome !== 'refused'))(
    'a call through Retell that ends with %s completes as %s',
    async (reason, outcome) => {
      await world.dial(`+1212555${String(Object.keys(RETELL_REASONS).indexOf(reason)).padStart(4, '0')}`)
      const all = await world.translations()
      for (const one of all) expect(one).toMatchObject({ callId: DIALLED_CALL, platformCallId: 'call_1' })
      expect(all.some(({ unknown }) => unknown)).toBe(false)
      const told = all.flatMap((one) => one.reports)
      for (const one of told) expect(v.safeParse(CallReport, { ...one, call_id: DIALLED_CALL }).success).toBe(true)
      expect(told.filter(({ type }) => type === 'call.ended')).toHaveLength(1)
      expect(completedAs(told)).toBe(outcome)
      const byEvent = all.map((one) => one.reports.map(({ type }) => type).join())
      const isAnswered = RETELL_REASONS[reason as RetellReason] === 'ended'
      if (isAnswered) expect(byEvent).toEqual(['call.answered', 'call.ended', 'call.completed'])
      const poll = await retellAdapter.poll!(ask, world.connection, 'call_1', DIAL_TIME)
      expect(poll.kind === 'translated' && completedAs(poll.translation.reports)).toBe(outcome)
    },
  )

  it('the end of a conversation through Retell presumes an outcome, and leaves it to the analysis', async () => {
    await world.dial()
    world.emulator.pickUp('call_1')
    world.emulator.finish('call_1', 'user_hangup', 61)
    expect((await world.reports()).at(-1)).toEqual({
      type: 'call.ended',
      time: new Date(DIAL_TIME + 61_000).toISOString(),
      event_id: 'call.ended-call_1',
      data: { duration_seconds: 61, presumed_outcome: 'hung_up' },
    })
  })

  it('the end of an unanswered call through Retell completes it at once, and the analysis repeats that', async () => {
    await world.dial()
    world.emulator.finish('call_1', 'dial_no_answer')
    world.emulator.analyze('call_1')
    expect((await world.reports()).map(({ type, event_id }) => [type, event_id])).toEqual([
      ['call.ended', 'call.ended-call_1'],
      ['call.completed', 'call.completed-call_1'],
      ['call.completed', 'call.completed-call_1'],
    ])
  })

  it.each(['not_connected', 'ended'] as const)(
    'an unanswered call that we asked Retell to end completes as failed, if Retell calls it %s',
    async (status) => {
      await world.dial()
      world.emulator.finish('call_1', 'manual_stopped', 0, status)
      expect(completedAs(await world.reports())).toBe('failed')
    },
  )

  it.each([
    ['new_reason', 'ended'],
    ['constructor', 'ended'],
  ] as const)('an end of a call through Retell with the unknown reason %s is named and completes as unknown', async (reason, status) => {
    await world.dial()
    world.emulator.pickUp('call_1')
    world.emulator.finish('call_1', reason, 5, status)
    world.emulator.analyze('call_1')
    const all = await world.translations()
    expect(all.at(-1)).toMatchObject({ unknown: `disconnection_reason ${reason}` })
    expect(completedAs(await world.reports())).toBe('unknown')
  })

  it('an end without metadata from Retell belongs to our call by its callback URL', async () => {
    await world.close()
    world = await retellWorld({ isForgetful: true })
    await world.dial('+12125550013')
    expect(Object.keys(RETELL_REASONS)[13]).toBe('dial_no_answer')
    expect((await world.translations()).map(({ callId }) => callId)).toEqual([DIALLED_CALL, DIALLED_CALL])
    expect(await retellAdapter.poll!(ask, world.connection, 'call_1', DIAL_TIME)).toMatchObject({
      kind: 'translated',
      translation: { callId: null },
    })
  })
})

describe('an analysis', () => {
  const analyzed = async (reason: RetellReason, analysis: object) => {
    await world.dial()
    world.emulator.pickUp('call_1')
    world.emulator.finish('call_1', reason)
    world.emulator.analyze('call_1', analysis)
    return (await world.reports()).at(-1)?.data
  }

  it('an analysis of Retell reports the outcome, its time and the summary', async () => {
    const custom_analysis_data = { outcome: 'callback_requested', callback_time: '2026-11-20T15:00:00-05:00' }
    expect(await analyzed('agent_hangup', { call_summary: 'Later.', custom_analysis_data })).toEqual({
      outcome: 'callback_requested',
      callback_time: '2026-11-20T15:00:00-05:00',
      summary: 'Later.',
    })
  })

  it('an analysis of Retell does not undo a transfer, except by a stop', async () => {
    expect(await analyzed('transfer_bridged', { custom_analysis_data: { outcome: 'completed' } })).toMatchObject({
      outcome: 'transferred_warm',
    })
    world.emulator.analyze('call_1', { custom_analysis_data: { outcome: 'do_not_call' } })
    expect((await world.reports()).at(-1)?.data).toMatchObject({ outcome: 'do_not_call' })
  })

  it('an analysis of Retell finds a machine that telephony took for a person', async () => {
    expect(await analyzed('agent_hangup', { in_voicemail: true, call_summary: 'Beep.' })).toEqual({
      outcome: 'voicemail',
      summary: 'Beep.',
    })
  })

  it.each([[{ custom_analysis_data: 'none' }], [{ custom_analysis_data: { outcome: 'great' } }], [{ call_summary: 7 }], [{}]])(
    'an analysis of Retell such as %j changes nothing',
    async (analysis) => {
      expect(await analyzed('agent_hangup', analysis)).toEqual({ outcome: 'completed' })
    },
  )
})
