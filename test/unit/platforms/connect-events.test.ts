import { AnsweringMachineDetectionStatus } from '@aws-sdk/client-connect'
import { describe, expect, it } from '@jest/globals'
import { connectAdapter } from '#shared/agents/platforms/connect/adapter.ts'
import { connectEnd, unknownEnding } from '#shared/agents/platforms/connect/ends.ts'
import { closedWorlds } from '#test/support/platforms/closed-worlds.ts'
import { ANSWERED_ENDS, UNANSWERED_ENDS } from '#test/support/platforms/connect-contract.ts'
import { type ConnectScript, signedAsk } from '#test/support/platforms/connect-emulator.ts'
import { connectWorld } from '#test/support/platforms/connect-world.ts'

const { world } = closedWorlds(connectWorld)

const TALKS = '+12125551234'
const typesOf = (reports: readonly { readonly type: string }[]) => reports.map(({ type }) => type)

/** The reports of a call that goes as the script says: by events, and by a poll. */
const reportsOf = async (script: ConnectScript, options: Parameters<typeof connectWorld>[0] = {}) => {
  const made = await world({ ...options, script: () => script })
  const id = await made.accepted(TALKS)
  return { events: made.reports(), polled: await made.polled(id), translations: made.translations }
}

describe('a call that nobody answers', () => {
  it.each(Object.entries(UNANSWERED_ENDS))(
    'a call through Amazon Connect that nobody answers gets its outcome from the record: %s → %s',
    async (reason, outcome) => {
      const { events, polled } = await reportsOf({ reason })
      expect(typesOf(events)).toEqual(['call.ended', 'call.ended'])
      expect(events[0]).toMatchObject({ data: { presumed_outcome: 'no_answer' } })
      expect(polled).toMatchObject([{ type: 'call.ended' }, { type: 'call.completed', data: { outcome } }])
    },
  )

  it.each(Object.entries(UNANSWERED_ENDS))(
    'the event of an unanswered call through Amazon Connect completes it when it has the reason: %s → %s',
    async (reason, outcome) => {
      const { events } = await reportsOf({ reason }, { hasEventReasons: true })
      expect(events.slice(0, 2)).toMatchObject([{ type: 'call.ended' }, { type: 'call.completed', data: { outcome } }])
    },
  )
})

describe('a conversation', () => {
  it.each(Object.entries(ANSWERED_ENDS))(
    'a conversation through Amazon Connect gets its outcome from the record: %s → %s',
    async (reason, outcome) => {
      const { events, polled } = await reportsOf({ reason, isAnswered: true }, { hasEventReasons: true })
      expect(typesOf(events)).toEqual(['call.answered', 'call.ended', 'call.ended'])
      expect(events[1]).toMatchObject({ data: { presumed_outcome: outcome, duration_seconds: expect.any(Number) } })
      expect(polled.at(-1)).toMatchObject({ type: 'call.completed', data: { outcome } })
    },
  )

  it("a conversation through Amazon Connect leaves its outcome to the agent's tools, if the flow set none", async () => {
    const outcomeOf = async (script: Partial<ConnectScript>) => {
      const made = await world({ script: () => ({ reason: 'CONTACT_FLOW_DISCONNECT', isAnswered: true, ...script }) })
      const connection = { ...made.connection, callbackSecret: 'a secret for the tools' }
      const answer = await connectAdapter.poll?.(signedAsk, connection, await made.accepted(TALKS), Date.now())
      return answer?.kind === 'translated' && answer.translation.reports.at(-1)
    }
    expect(await outcomeOf({})).toMatchObject({ type: 'call.ended', data: { presumed_outcome: 'completed' } })
    expect(await outcomeOf({ results: { call_summary: 'They talked.' } })).toMatchObject({ type: 'call.completed' })
    expect(await outcomeOf({ queue: 'joins' })).toMatchObject({ type: 'call.completed', data: { outcome: 'transferred_warm' } })
    expect(await outcomeOf({ isAnswered: false, reason: 'TELECOM_BUSY' })).toMatchObject({ data: { outcome: 'busy' } })
  })

  it('a conversation through Amazon Connect is presumed completed when the event has no reason', async () => {
    const { events } = await reportsOf({ reason: 'CUSTOMER_DISCONNECT', isAnswered: true })
    expect(events[1]).toMatchObject({ type: 'call.ended', data: { presumed_outcome: 'completed' } })
  })

  it("a conversation that Amazon Connect's network cuts has an unknown outcome, as the number exists", async () => {
    const { polled } = await reportsOf({ reason: 'TELECOM_NUMBER_INVALID', isAnswered: true })
    expect(polled.at(-1)).toMatchObject({ data: { outcome: 'unknown' } })
  })

  it('a conversation through Amazon Connect gets its outcome from the attributes that the flow set', async () => {
    const results = { call_outcome: 'do_not_call', call_summary: 'Never again.', call_message_left: 'true' }
    const { polled } = await reportsOf({ reason: 'CONTACT_FLOW_DISCONNECT', isAnswered: true, results })
    expect(polled.at(-1)?.data).toEqual({ outcome: 'do_not_call', summary: 'Never again.', message_left: true })
  })

  it.each([
    ['joins', 'transferred_warm', ['call.transfer_initiated', 'call.transfer_connected']],
    ['waits', 'transfer_unavailable', ['call.transfer_initiated']],
  ] as const)('a conversation in a queue of Amazon Connect where an agent %s ends as %s', async (queue, outcome, steps) => {
    const { events, polled } = await reportsOf({ reason: 'CUSTOMER_DISCONNECT', isAnswered: true, queue })
    expect(typesOf(events)).toEqual(['call.answered', ...steps, 'call.ended', 'call.ended'])
    expect(events.at(-1)).toMatchObject({ data: { presumed_outcome: outcome } })
    expect(polled.at(-1)).toMatchObject({ data: { outcome } })
  })
})

describe('the detection of machines', () => {
  const ENDS: Record<AnsweringMachineDetectionStatus, string> = {
    VOICEMAIL_BEEP: 'voicemail',
    VOICEMAIL_NO_BEEP: 'voicemail',
    FAX_MACHINE_DETECTED: 'voicemail',
    AMD_UNANSWERED: 'no_answer',
    SIT_TONE_BUSY: 'busy',
    SIT_TONE_INVALID_NUMBER: 'disconnected',
    SIT_TONE_DETECTED: 'failed',
    HUMAN_ANSWERED: 'hung_up',
    ANSWERED: 'hung_up',
    UNDETECTED: 'hung_up',
    ERROR: 'hung_up',
    AMD_ERROR: 'hung_up',
    AMD_UNRESOLVED: 'hung_up',
    AMD_NOT_APPLICABLE: 'unknown',
  }
  const ending = { reason: 'CUSTOMER_DISCONNECT', isConnected: true, isQueued: false, isWithAgent: false }

  it('the detection of machines knows each verdict of Amazon Connect', () => {
    const found = Object.values(AnsweringMachineDetectionStatus).map((machine) => [machine, connectEnd({ ...ending, machine })])
    expect(Object.fromEntries(found)).toEqual(ENDS)
    expect(found.map(([machine]) => unknownEnding({ ...ending, machine: machine ?? null })).filter(Boolean)).toEqual([])
  })

  it.each([
    ['VOICEMAIL_BEEP', 'voicemail', ['call.answered', 'call.ended', 'call.ended']],
    ['SIT_TONE_BUSY', 'busy', ['call.ended', 'call.completed', 'call.ended', 'call.completed']],
  ])('the detection of machines by Amazon Connect ends a call with the verdict %s as %s', async (machine, outcome, types) => {
    const made = await world({ script: () => ({ reason: 'OTHER', isAnswered: true, machine }) })
    const connection = { ...made.connection, settings: { ...made.connection.settings, machine_detection: 'on' } }
    const answer = connectAdapter.classify(await signedAsk(connectAdapter.request(connection, made.dialOf(TALKS))))
    expect(typesOf(made.reports())).toEqual(types)
    const polled = await made.polled(answer.kind === 'accepted' ? answer.platformCallId : '')
    expect(polled.at(-1)).toMatchObject({ type: 'call.completed', data: { outcome } })
  })
})

describe('an event', () => {
  const translate = (event: unknown) =>
    connectAdapter.translate({ url: '', rawBody: typeof event === 'string' ? event : JSON.stringify(event), at: 0 })
  const detail = { contactId: 'c1', channel: 'VOICE', initiationMethod: 'API' }

  it('a repeated event of Amazon Connect has the same event ids, and the same reports in any order', async () => {
    const made = await world()
    made.emulator.callbackFault = 'twice'
    await made.accepted(TALKS)
    const ids = made.reports().map((report) => report.event_id)
    expect(new Set(ids).size).toBe(new Set(typesOf(made.reports())).size)
    expect(made.events.toReversed().flatMap((event) => translate(event).reports)).toEqual(made.reports().toReversed())
  })

  it.each(['', 'null', '[]', '<html>', '{}', '{"detail":7}', '{"detail":{"contactId":"c1"}}', '['.repeat(100_000)])(
    "an event of another kind than Amazon Connect's is a SyntaxError (%#)",
    (body) => {
      expect(() => translate(body)).toThrow(SyntaxError)
    },
  )

  it('an Amazon Connect event of a chat, of an inbound call, or of another leg concerns no call of ours', () => {
    for (const other of [{ channel: 'CHAT' }, { initiationMethod: 'INBOUND' }, { initiationMethod: 'TRANSFER' }, { channel: 7 }]) {
      const event = { detail: { ...detail, eventType: 'DISCONNECTED', ...other } }
      expect(translate(event)).toEqual({ callId: null, platformCallId: null, reports: [] })
    }
  })

  it('an event of Amazon Connect may write its fields with capitals', () => {
    const Detail = { ContactId: 'c1', Channel: 'Voice', InitiationMethod: 'API', EventType: 'CONNECTED_TO_SYSTEM' }
    expect(translate({ time: '2026-11-20T16:00:00Z', detail: Detail }).reports).toEqual([
      { type: 'call.answered', time: '2026-11-20T16:00:00.000Z', event_id: 'call.answered-c1' },
    ])
  })

  it('an unknown type, reason or verdict in an event of Amazon Connect is named', () => {
    expect(translate({ detail: { ...detail, eventType: 'TELEPORTED' } }).unknown).toBe('eventType TELEPORTED')
    const gone = { ...detail, eventType: 'DISCONNECTED' }
    expect(translate({ detail: { ...gone, disconnectReason: 'FELL_ASLEEP' } })).toMatchObject({
      reports: [{ type: 'call.ended', data: { presumed_outcome: 'unknown' } }],
      unknown: 'disconnectReason FELL_ASLEEP',
    })
    expect(translate({ detail: { ...gone, disconnectReason: { code: 'TELECOM_BUSY' } } }).reports[1]?.data).toEqual({ outcome: 'busy' })
    const machine = { ...gone, answeringMachineDetectionStatus: 'ROBOT' }
    expect(translate({ detail: machine }).unknown).toBe('answeringMachineDetectionStatus ROBOT')
    expect(translate({ detail: { ...detail, eventType: 'INITIATED' } })).not.toHaveProperty('unknown')
  })

  it('an event of Amazon Connect survives fields of any kind', () => {
    const odd = {
      disconnectReason: 7,
      agentInfo: 7,
      queueInfo: [],
      disconnectTimestamp: {},
      connectedToSystemTimestamp: 'soon',
      attributes: 7,
    }
    for (const eventType of ['CONNECTED_TO_SYSTEM', 'QUEUED', 'CONNECTED_TO_AGENT', 'DISCONNECTED', 'COMPLETED']) {
      expect(translate({ time: 7, detail: { ...detail, ...odd, eventType } }).platformCallId).toBe('c1')
    }
  })

  it('an event of Amazon Connect never comes over HTTP', async () => {
    const made = await world()
    const callback = { url: 'https://example.com/', rawBody: '{}', headers: {}, at: 0 }
    expect(connectAdapter.verify(made.connection, callback)).toBe(false)
    expect(connectAdapter.verify({ ...made.connection, callbackSecret: '' }, callback)).toBe(false)
  })
})
