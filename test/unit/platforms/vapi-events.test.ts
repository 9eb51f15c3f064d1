import { describe, expect, it } from '@jest/globals'
import { vapiAdapter } from '#shared/agents/platforms/vapi/adapter.ts'
import { closedWorlds } from '#test/support/platforms/closed-worlds.ts'
import { ask } from '#test/support/platforms/emulator.ts'
import type { VapiScript } from '#test/support/platforms/vapi-emulator.ts'
import { vapiWorld } from '#test/support/platforms/vapi-world.ts'

const { world } = closedWorlds(vapiWorld)

const TALKS = '+12125551234'

/** Reports of a call that follows the script. */
const reportsOf = async (script: VapiScript) => {
  const made = await world({ script: () => script })
  await made.call(TALKS)
  return made.reports()
}
const typesOf = (reports: readonly { readonly type: string }[]) => reports.map(({ type }) => type)

describe('a conversation', () => {
  const spoken = { outcome: 'callback_requested', callback_time: '2026-11-21T10:00:00Z', summary: 'Call tomorrow.' }
  const expected = { outcome: 'callback_requested', callback_time: '2026-11-21T10:00:00Z', summary: 'Call tomorrow.' }

  it('a conversation through Vapi frees its line with a presumed outcome, and gets its outcome from the analysis', async () => {
    const script = { endedReason: 'customer-ended-call', isAnswered: true, analysis: { structuredData: spoken } }
    const reports = await reportsOf(script)
    expect(reports[1]).toMatchObject({ type: 'call.ended', data: { presumed_outcome: 'hung_up', duration_seconds: expect.any(Number) } })
    expect(reports.at(-1)).toMatchObject({ type: 'call.completed', data: expected })
  })

  it.each<[string, Partial<VapiScript>]>([
    ['a structured output', { structuredOutputs: { other: { result: true }, ours: { name: 'Outcome', result: spoken } } }],
    [
      'structured data, although an output of another schema has an outcome',
      {
        analysis: { structuredData: spoken },
        structuredOutputs: { other: { result: { outcome: 'won' } } },
      },
    ],
  ])('a conversation through Vapi gets its outcome from %s', async (_, script) => {
    const reports = await reportsOf({ endedReason: 'customer-ended-call', isAnswered: true, ...script })
    expect(reports.at(-1)).toMatchObject({ type: 'call.completed', data: expected })
  })

  it("a conversation through Vapi keeps telephony's outcome when the analysis is missing or of another schema", async () => {
    const analysis = { summary: 'They talked.', structuredData: { outcome: 'won' } }
    const reports = await reportsOf({ endedReason: 'customer-ended-call', isAnswered: true, analysis })
    expect(reports.at(-1)).toMatchObject({ data: { outcome: 'hung_up', summary: 'They talked.' } })
  })

  it('the report of a conversation through Vapi names the tools that the assistant called', async () => {
    const tools = [
      { name: 'do_not_call', arguments: {} },
      { name: 'do_not_call', arguments: { channel: 'sms' } },
      { name: 'note', arguments: { roof: 'old' } },
    ]
    const made = await world({ script: () => ({ endedReason: 'customer-ended-call', isAnswered: true, tools }) })
    await made.call(TALKS)
    const asks = made.translations.flatMap((translation) => translation.asks ?? [])
    expect(asks).toMatchObject([
      { name: 'do_not_call', args: {} },
      { name: 'do_not_call', args: { channel: 'sms' } },
      { name: 'note', args: { roof: 'old' } },
    ])
    expect(new Set(asks.map(({ id }) => id)).size).toBe(3)
  })

  it('repeated callbacks of Vapi have the same event ids', async () => {
    const made = await world()
    made.emulator.callbackFault = 'twice'
    await made.call(TALKS)
    const ids = made.reports().map((report) => report.event_id)
    expect(new Set(ids).size).toBe(new Set(typesOf(made.reports())).size)
  })

  it('the end of a call through Vapi says by the voicemail message whether a message was left on a machine', async () => {
    const made = await world({ script: () => ({ endedReason: 'voicemail', isAnswered: true }) })
    await made.call(TALKS)
    expect(made.reports().at(-1)?.data).toEqual({ outcome: 'voicemail' })
    const connection = { ...made.connection, settings: { ...made.connection.settings, voicemail_message: 'Please call back.' } }
    await ask(vapiAdapter.request(connection, made.dialOf(TALKS)))
    await made.emulator.settled()
    expect(made.reports().at(-1)?.data).toEqual({ outcome: 'voicemail', message_left: true })
  })
})

describe('a transfer', () => {
  const destination = { type: 'number', number: '+12125559999' } as const
  it.each([
    ['blind-transfer', 'completed', 'transferred_blind'],
    ['warm-transfer-say-summary', 'connected', 'transferred_warm'],
    ['warm-transfer-experimental', 'no-answer', 'transfer_unavailable'],
    ['blind-transfer', 'busy', 'transfer_unavailable'],
  ] as const)('a transfer by %s through Vapi with status %s ends as %s', async (mode, status, outcome) => {
    const transfer = { destination, mode, status }
    const reports = await reportsOf({ endedReason: 'assistant-forwarded-call', isAnswered: true, transfer })
    expect(reports[1]).toMatchObject({ type: 'call.transfer_initiated', data: { destination: '+12125559999' } })
    expect(reports[2]).toMatchObject({ type: 'call.ended', data: { presumed_outcome: outcome } })
    expect(reports.at(-1)).toMatchObject({ type: 'call.completed', data: { outcome } })
  })
})

describe('a callback', () => {
  const translate = (body: unknown) =>
    vapiAdapter.translate({ url: 'https://example.com/', rawBody: typeof body === 'string' ? body : JSON.stringify(body), at: 0 })

  it.each(['', 'null', '[]', '<html>', '{}', '{"message":7}', '{"message":{"type":7}}', '['.repeat(100_000)])(
    "a callback of another kind than Vapi's is a SyntaxError (%#)",
    (body) => {
      expect(() => translate(body)).toThrow(SyntaxError)
    },
  )

  it('a callback of Vapi of an unknown type, or with an unknown status, is named', () => {
    const call = { id: 'c1', name: 'ours' }
    expect(translate({ message: { type: 'call.vanished', call } })).toEqual({
      ...{ callId: 'ours', platformCallId: 'c1', reports: [], unknown: 'call.vanished' },
    })
    expect(translate({ message: { type: 'status-update', status: 'asleep', call } }).unknown).toBe('status-update asleep')
    expect(translate({ message: { type: 'status-update', status: 'ringing', call } })).not.toHaveProperty('unknown')
  })

  it('a callback of Vapi without a call concerns none', () => {
    expect(translate({ message: { type: 'hang' } })).toEqual({ callId: null, platformCallId: null, reports: [] })
  })

  it('a callback of Vapi survives fields of any kind', () => {
    const odd = { startedAt: 7, endedAt: {}, analysis: 'x', artifact: { transfers: 7, structuredOutputs: [null] }, toolCallList: [7, null] }
    const call = { id: 'c1', name: null, assistantOverrides: [], monitor: '', ...odd }
    for (const type of ['status-update', 'end-of-call-report', 'tool-calls', 'transfer-update']) {
      for (const status of ['ended', 'forwarding', 'in-progress', 7, null]) {
        expect(translate({ message: { type, status, timestamp: 1e300, call, endedReason: 7, ...odd } }).platformCallId).toBe('c1')
      }
    }
  })

  it('a callback of Vapi may name tools and their arguments as the guide of Vapi does', () => {
    const toolCallList = [{ id: 't1', name: 'note', parameters: { roof: 'old' } }]
    expect(translate({ message: { type: 'tool-calls', call: { id: 'c1' }, toolCallList } }).asks).toMatchObject([
      { id: 't1', name: 'note', args: { roof: 'old' } },
    ])
  })
})
