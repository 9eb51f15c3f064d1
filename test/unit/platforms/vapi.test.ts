import { describe, expect, it } from '@jest/globals'
import type { Connection } from '#shared/agents/platforms/adapter.ts'
import { vapiAdapter } from '#shared/agents/platforms/vapi/adapter.ts'
import { closedWorlds } from '#test/support/platforms/closed-worlds.ts'
import { ask, cancelOf, listen, type Reply } from '#test/support/platforms/emulator.ts'
import { VAPI_NUMBER, vapiWorld } from '#test/support/platforms/vapi-world.ts'

type World = Awaited<ReturnType<typeof vapiWorld>>
const { world, worlds } = closedWorlds(vapiWorld)

const TALKS = '+12125551234'
const RINGS = '+12125550006'
const TALKING = '+12125550007'
const WAITS = '+12125550008'

/** The platform's id of an accepted call. */
const accepted = async (made: World, to: string): Promise<string> => {
  const answer = await made.call(to)
  if (answer.kind !== 'accepted') throw new Error(answer.reason)
  return answer.platformCallId
}

describe('a dial', () => {
  it('a dial through Vapi is accepted, and rings the phone once, with our id', async () => {
    const made = await world()
    const platformCallId = await accepted(made, TALKS)
    const callId = '01900000-0000-7000-8000-000000000001'
    expect(made.emulator.rung).toEqual([{ platformCallId, to: TALKS, from: '+12125550100', callId }])
    expect(made.translations.every((one) => one.callId === callId && one.platformCallId === platformCallId)).toBe(true)
  })

  it('a dial asks Vapi neither to schedule a call nor to place several', async () => {
    const made = await world()
    const { body = '' } = vapiAdapter.request(made.connection, made.dialOf(TALKS))
    expect(JSON.parse(body)).not.toHaveProperty('schedulePlan')
    expect(JSON.parse(body)).not.toHaveProperty('customers')
  })

  it('a dial through Vapi carries the variables, the longest duration and the voicemail settings', async () => {
    const made = await world()
    const settings = { voicemail_detection: 'google', voicemail_message: 'Please call back.' }
    const overrides = (connection: Connection, longestSeconds: number) =>
      JSON.parse(vapiAdapter.request(connection, made.dialOf(TALKS, { longestSeconds })).body ?? '').assistantOverrides
    expect(overrides({ ...made.connection, settings }, 5)).toMatchObject({
      ...{ variableValues: { first_name: 'Ada' }, maxDurationSeconds: 10 },
      ...{ voicemailDetection: { provider: 'google' }, voicemailMessage: 'Please call back.' },
    })
    expect(overrides({ ...made.connection, settings: { voicemail_detection: 'off' } }, 99_999)).toMatchObject({
      ...{ maxDurationSeconds: 43_200, voicemailDetection: 'off' },
    })
  })

  it('a dial through Vapi is accepted beyond the concurrency limit, because the call may still ring', async () => {
    const made = await world({ concurrencyLimit: 0 })
    expect(await made.call(TALKS)).toMatchObject({ kind: 'accepted' })
    expect(made.emulator.rung).toHaveLength(1)
  })
})

describe('a mistake in a dial', () => {
  const UNKNOWN = '0f5fd1ff-6b31-4a1e-9a3f-00000000dead'

  it.each<[string, (made: World) => Connection, string]>([
    ['a wrong API key', ({ connection }) => ({ ...connection, apiKey: 'wrong' }), 'Invalid Key'],
    ['an unknown assistant', ({ connection }) => ({ ...connection, assistant: UNKNOWN }), "Couldn't Get Assistant"],
    ['an invalid assistant id', ({ connection }) => ({ ...connection, assistant: 'Outreach' }), 'assistantId must be a UUID'],
    ['an unknown credential', ({ connection }) => ({ ...connection, settings: { credential_id: UNKNOWN } }), "Couldn't Get Credential"],
  ])('a refused dial through Vapi is the fault of the account: %s', async (_, connectionOf, words) => {
    const made = await world()
    const answer = vapiAdapter.classify(await ask(vapiAdapter.request(connectionOf(made), made.dialOf(TALKS))))
    expect(answer).toMatchObject({ kind: 'refused', fault: 'account', words: expect.stringContaining(words) })
    expect(made.emulator.rung).toEqual([])
  })

  it.each([UNKNOWN, 'number', null])(
    'a refused dial through Vapi is the fault of the account: %s as the id of the caller number',
    async (id) => {
      const made = await world()
      expect(await made.call(TALKS, { from: { number: '+12125550100', id } })).toMatchObject({ kind: 'refused', fault: 'account' })
    },
  )

  it('a refused dial through Vapi is the fault of the number when Vapi says so', async () => {
    const made = await world()
    expect(await made.call('+1')).toMatchObject({ kind: 'refused', fault: 'number' })
  })

  it('a refused dial through Vapi is the fault of the call when a field of it is invalid', async () => {
    const made = await world()
    expect(await made.call(TALKS, { callId: 'x'.repeat(41) })).toMatchObject({ kind: 'refused', fault: 'call' })
  })

  const daily = "Couldn't Start Call. Numbers Bought On Vapi Have A Daily Outbound Call Limit. Import Your Own Twilio Numbers."
  it.each<[string, Reply, object]>([
    ['a daily limit', { status: 400, body: { message: daily } }, { kind: 'refused', fault: 'account' }],
    ['a concurrency limit', { status: 400, body: { message: 'Over Concurrency Limit' } }, { kind: 'refused', fault: 'account' }],
    ['no balance', { status: 402, body: { message: 'Payment required' } }, { kind: 'refused', fault: 'account' }],
    ['too many requests', { status: 429 }, { kind: 'refused', fault: 'account' }],
    ['a wrong base URL', { status: 404, body: '<html>Not found</html>' }, { kind: 'refused', fault: 'account' }],
    ['a refusal without words', { status: 400, body: '' }, { kind: 'refused', fault: 'call', reason: 'Vapi answered 400.' }],
    ['a failure', { status: 500, body: { message: 'Internal Server Error' } }, { kind: 'unclear' }],
    ['a gateway that timed out', { status: 504, body: '<html>' }, { kind: 'unclear' }],
    ['a timeout', { status: 408 }, { kind: 'unclear' }],
    ['a conflict', { status: 409 }, { kind: 'unclear' }],
    ['a redirect', { status: 307, headers: { location: 'http://127.0.0.1:9/' } }, { kind: 'unclear' }],
    ['HTML that looks like success', { status: 200, body: '<html>Welcome</html>' }, { kind: 'unclear' }],
    ['success without an id', { status: 201, body: { status: 'queued' } }, { kind: 'unclear' }],
    ['the answer to a batch', { status: 201, body: { results: [{ id: 'a' }], errors: [] } }, { kind: 'unclear' }],
    ['nothing', { status: 200, body: '' }, { kind: 'unclear' }],
    ['ten megabytes', { status: 200, body: 'x'.repeat(10_000_000) }, { kind: 'unclear' }],
    ['ten megabytes of words', { status: 400, body: { message: 'x'.repeat(10_000_000) } }, { kind: 'refused', fault: 'call' }],
  ])('an answer of Vapi to a dial is classified: %s', async (_, reply, answer) => {
    const made = await world()
    made.emulator.dialFault = reply
    const got = await made.call(TALKS)
    expect(got).toMatchObject(answer)
    expect(JSON.stringify(got).length).toBeLessThan(500)
    expect(made.emulator.rung).toEqual([])
  })
})

describe('a dial whose answer is lost', () => {
  it.each([
    ['found when the phone rings', 'lost-after', 1],
    ['not found when no phone rings', 'lost-before', 0],
  ] as const)('a call whose answer Vapi lost is %s', async (_, fault, phones) => {
    const made = await world()
    await made.call(TALKS, { callId: 'another' })
    made.emulator.dialFault = fault
    await expect(made.call(TALKS)).rejects.toThrow()
    await made.emulator.settled()
    const found = await vapiAdapter.find?.(ask, made.connection, made.dialOf(TALKS))
    expect(found).toBe(made.emulator.rung[1]?.platformCallId ?? null)
    expect(made.emulator.rung).toHaveLength(1 + phones)
  })

  it("a call whose answer Vapi lost is never found as another stage's call with the same id", async () => {
    const made = await world()
    await made.call(TALKING)
    expect(await vapiAdapter.find?.(ask, made.connection, made.dialOf(TALKS))).toBeNull()
    expect(await vapiAdapter.find?.(ask, made.connection, made.dialOf(TALKING))).not.toBeNull()
  })

  it.each<[string, Reply]>([
    ['fails', { status: 500 }],
    ['refuses the key', { status: 401, body: { message: 'Invalid Key' } }],
    ['redirects', { status: 302, headers: { location: 'http://127.0.0.1:9/' } }],
    ['answers with HTML', { status: 200, body: '<html>' }],
    ['answers with an error as success', { status: 200, body: { message: 'Not now' } }],
    ['lists what is no call', { status: 200, body: [{ id: 7 }] }],
    ['lists as many as it can', { status: 200, body: Array.from({ length: 1000 }, (_, number) => ({ id: `call-${number}` })) }],
  ])('the search for a call whose answer was lost tells nothing certain when Vapi %s', async (_, reply) => {
    const made = await world()
    const odd = await listen(() => reply)
    worlds.push(odd)
    await expect(vapiAdapter.find?.(ask, { ...made.connection, api: odd.url }, made.dialOf(TALKS))).rejects.toThrow('Vapi')
  })
})

describe('cancelling', () => {
  it.each([
    ['while it waits', WAITS, 0],
    ['while it rings', RINGS, 1],
    ['during the conversation', TALKING, 1],
  ])('a cancellation through Vapi ends a call %s', async (_, to, phones) => {
    const made = await world()
    const id = await accepted(made, to)
    expect(await vapiAdapter.cancel?.(ask, made.connection, cancelOf(id))).toBe('taken')
    await made.emulator.settled()
    expect(made.emulator.rung).toHaveLength(phones)
    expect(made.reports().at(-1)).toMatchObject({ type: 'call.completed', data: { outcome: 'failed' } })
    expect(await vapiAdapter.cancel?.(ask, made.connection, cancelOf(id))).toBe('taken')
  })

  it('a cancellation through Vapi sends the API key to the API only', async () => {
    const made = await world()
    await vapiAdapter.cancel?.(ask, made.connection, cancelOf(await accepted(made, RINGS)))
    const control = made.emulator.seen.find(({ path }) => path.startsWith('/control/'))
    expect(control).toMatchObject({ method: 'POST' })
    expect(control?.headers).not.toHaveProperty('authorization')
  })

  it('a cancellation has nothing to do for a call that Vapi does not know', async () => {
    const made = await world()
    expect(await vapiAdapter.cancel?.(ask, made.connection, cancelOf(VAPI_NUMBER))).toBe('taken')
  })

  it.each<[string, Reply]>([
    ['Vapi fails', { status: 500 }],
    ['the call has no control URL', { status: 200, body: { id: 'c1', status: 'ringing' } }],
    ['the control URL is none', { status: 200, body: { id: 'c1', status: 'ringing', monitor: { controlUrl: '<https://x>' } } }],
    ['something else than Vapi answers', { status: 404, body: '<html>' }],
  ])('a cancellation through Vapi must be tried again when %s', async (_, reply) => {
    const made = await world()
    const odd = await listen(() => reply)
    worlds.push(odd)
    expect(await vapiAdapter.cancel?.(ask, { ...made.connection, api: odd.url }, cancelOf('c1'))).toBe('failed')
  })

  it.each<Reply>([
    { status: 401, body: { message: 'Invalid Key' } },
    { status: 403 },
    { status: 200, body: { id: 'c1', status: 'in-progress' } },
  ])('the cancellation of a conversation is not tried again when Vapi answers %j', async (reply) => {
    const made = await world()
    const odd = await listen(() => reply)
    worlds.push(odd)
    expect(await vapiAdapter.cancel?.(ask, { ...made.connection, api: odd.url }, cancelOf('c1'))).toBe('refused')
  })
})

describe('polling', () => {
  const poll = ({ connection }: World, id: string) => vapiAdapter.poll?.(ask, connection, id, Date.now())

  it('a poll of Vapi brings the end of a call whose callbacks were lost', async () => {
    const made = await world()
    made.emulator.callbackFault = 'lost'
    const platformCallId = await accepted(made, TALKS)
    expect(made.translations).toEqual([])
    expect(await poll(made, platformCallId)).toMatchObject({
      kind: 'translated',
      translation: { platformCallId, callId: made.dialOf(TALKS).callId, reports: [{ type: 'call.ended' }, { type: 'call.completed' }] },
    })
  })

  it('polls of Vapi distinguish calls that go on from calls that are gone', async () => {
    const made = await world()
    expect(await poll(made, await accepted(made, TALKING))).toEqual({ kind: 'ongoing' })
    expect(await poll(made, VAPI_NUMBER)).toEqual({ kind: 'gone' })
  })

  it.each([WAITS, RINGS])('a poll of Vapi shows that nobody has answered the call to %s', async (to) => {
    const made = await world()
    expect(await poll(made, await accepted(made, to))).toEqual({ kind: 'ongoing', isWaiting: true })
  })

  it.each<Reply>([{ status: 500 }, { status: 401 }, { status: 404, body: '<html>' }, { status: 200, body: {} }, { status: 302 }])(
    'a poll of Vapi fails on an answer without a call: %j',
    async (reply) => {
      const made = await world()
      const odd = await listen(() => reply)
      worlds.push(odd)
      await expect(vapiAdapter.poll?.(ask, { ...made.connection, api: odd.url }, 'c1', 0)).rejects.toThrow('Vapi')
    },
  )
})
