import {
  ConnectClient,
  DescribeContactCommand,
  SearchContactsCommand,
  StartOutboundVoiceContactCommand,
  StopContactCommand,
} from '@aws-sdk/client-connect'
import { describe, expect, it } from '@jest/globals'
import type { Connection } from '#shared/agents/platforms/adapter.ts'
import { connectAdapter } from '#shared/agents/platforms/connect/adapter.ts'
import { closedWorlds } from '#test/support/platforms/closed-worlds.ts'
import { signedAsk } from '#test/support/platforms/connect-emulator.ts'
import { CONNECT_FLOW, CONNECT_INSTANCE, CONNECT_NUMBER, connectWorld } from '#test/support/platforms/connect-world.ts'
import { cancelOf, listen, type Reply } from '#test/support/platforms/emulator.ts'

type World = Awaited<ReturnType<typeof connectWorld>>
const { world, worlds } = closedWorlds(connectWorld)

const TALKS = '+12125551234'
const RINGS = '+12125550006'
const LIVE = '+12125550007'

describe('a dial', () => {
  it('a dial through Amazon Connect is accepted, and rings the phone once, with our id', async () => {
    const made = await world()
    const { callId } = made.dialOf(TALKS)
    const platformCallId = await made.accepted(TALKS)
    expect(made.emulator.rung).toEqual([{ platformCallId, to: TALKS, from: CONNECT_NUMBER.number, callId }])
    expect(made.translations.every((translation) => translation.platformCallId === platformCallId)).toBe(true)
  })

  it("the key of a dial through Amazon Connect is the same for a repeat, and not for another stage's call", async () => {
    const made = await world()
    const first = await made.call(RINGS, { intentTime: 1000 })
    expect(await made.call(RINGS, { intentTime: 1000 })).toEqual(first)
    expect(await made.call(LIVE, { intentTime: 2000 })).not.toEqual(first)
    expect(made.emulator.rung.map(({ to }) => to)).toEqual([RINGS, LIVE])
  })

  it("a dial through Amazon Connect is the request that the vendor's client sends", async () => {
    const made = await world()
    const credentials = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'secret' }
    const client = new ConnectClient({ region: 'us-east-1', endpoint: made.emulator.url, credentials, maxAttempts: 1 })
    const own = JSON.parse(connectAdapter.request(made.connection, made.dialOf(RINGS)).body ?? '')
    const { ContactId = '' } = await client.send(new StartOutboundVoiceContactCommand(own))
    await connectAdapter.poll?.(signedAsk, made.connection, ContactId, 0)
    await client.send(new DescribeContactCommand({ InstanceId: CONNECT_INSTANCE, ContactId }))
    await connectAdapter.cancel?.(signedAsk, made.connection, cancelOf(ContactId))
    await client.send(new StopContactCommand({ InstanceId: CONNECT_INSTANCE, ContactId })).catch(() => {})
    const { intentTime, notAfter } = made.dialOf(RINGS)
    await connectAdapter.find?.(signedAsk, made.connection, made.dialOf(RINGS))
    const [StartTime, EndTime] = [new Date(intentTime - 60_000), new Date(notAfter + 60_000)]
    const TimeRange = { Type: 'INITIATION_TIMESTAMP', StartTime, EndTime } as const
    await client.send(new SearchContactsCommand({ InstanceId: CONNECT_INSTANCE, TimeRange }))
    await made.call(RINGS)
    const sent = made.emulator.seen.map(({ method, path, body }) => ({ method, path, body: body ? JSON.parse(body) : null }))
    const of = (path: string) => sent.filter((request) => request.path.startsWith(path))
    const [theirs, ours] = of('/contact/outbound-voice')
    expect(ours).toEqual(theirs)
    expect(of('/contacts/')[0]).toEqual(of('/contacts/')[1])
    expect(of('/contact/stop')[0]).toEqual(of('/contact/stop')[1])
    const [search, reference] = of('/search-contacts').map(({ method, body }) => ({
      method,
      keys: Object.keys(body.TimeRange),
      type: typeof body.TimeRange.StartTime,
    }))
    expect(search).toEqual(reference)
    client.destroy()
  })

  it('a dial through Amazon Connect goes to the region of the agent', async () => {
    const made = await world()
    const request = connectAdapter.request({ ...made.connection, api: connectAdapter.api }, made.dialOf(TALKS))
    expect(request.url).toBe('https://connect.us-east-1.amazonaws.com/contact/outbound-voice')
    expect(request.awsSigned).toEqual({ service: 'connect', region: 'us-east-1' })
  })

  it('a dial through Amazon Connect carries those variables as attributes that fit and name no result', async () => {
    const made = await world()
    const variables = { 'first name': 'Ada', call_outcome: 'do_not_call', call_id: 'x', long: 'x'.repeat(30_000), last: 'é' }
    const { body = '' } = connectAdapter.request(made.connection, made.dialOf(TALKS, { variables }))
    const { callId: call_id } = made.dialOf(TALKS)
    expect(JSON.parse(body).Attributes).toEqual({ call_id, longest_seconds: '600', first_name: 'Ada', last: 'é' })
    expect(await made.call(TALKS, { variables })).toMatchObject({ kind: 'accepted' })
  })

  it('a dial through Amazon Connect asks for the detection of machines when the settings say so', async () => {
    const made = await world()
    const settings = { ...made.connection.settings, machine_detection: 'on' }
    const request = connectAdapter.request({ ...made.connection, settings }, made.dialOf(TALKS))
    expect(JSON.parse(request.body ?? '')).toMatchObject({ TrafficType: 'CAMPAIGN' })
    expect(connectAdapter.classify(await signedAsk(request))).toMatchObject({ kind: 'accepted' })
  })
})

describe('a mistake in a dial', () => {
  it.each<[string, (made: World) => Connection]>([
    ['an unknown flow', ({ connection }) => ({ ...connection, assistant: 'unknown' })],
    ['an unknown instance', ({ connection }) => ({ ...connection, settings: { ...connection.settings, instance_id: 'unknown' } })],
    ['another region', ({ connection }) => ({ ...connection, settings: { ...connection.settings, region: 'eu-west-2' } })],
  ])('a refused dial through Amazon Connect is the fault of the account: %s', async (_, connectionOf) => {
    const made = await world()
    const answer = connectAdapter.classify(await signedAsk(connectAdapter.request(connectionOf(made), made.dialOf(TALKS))))
    expect(answer).toMatchObject({ kind: 'refused', fault: 'account', reason: expect.stringContaining('Amazon Connect answered 40') })
    expect(made.emulator.rung).toEqual([])
  })

  it.each([
    ['a number that is not owned', TALKS, { from: { number: '+12125550199', id: null } }, 'account'],
    ['a country that is not permitted', '+447700900123', {}, 'call'],
    ['a number that Connect refuses', '+1', {}, 'call'],
  ])('Amazon Connect refuses a dial with %s', async (_, to, changes, fault) => {
    const made = await world()
    expect(await made.call(to, changes)).toMatchObject({ kind: 'refused', fault })
    expect(made.emulator.rung).toEqual([])
  })

  it.each<[string, Reply, object]>([
    ['too many requests', { status: 429, body: { Message: 'Rate exceeded' } }, { kind: 'refused', fault: 'account' }],
    ['a payment due', { status: 402 }, { kind: 'refused', fault: 'account' }],
    [
      'a missing permission',
      { status: 403, body: { Message: 'User is not authorized to perform' } },
      { kind: 'refused', fault: 'account' },
    ],
    ['an expired token', { status: 403, body: { message: 'The security token is expired' } }, { kind: 'refused', fault: 'account' }],
    ['a refusal without words', { status: 400, body: '' }, { kind: 'refused', fault: 'call', reason: 'Amazon Connect answered 400.' }],
    ['a failure', { status: 500, body: { Message: 'Internal' } }, { kind: 'unclear' }],
    ['a timeout', { status: 408 }, { kind: 'unclear' }],
    ['a redirect', { status: 307, headers: { location: 'http://127.0.0.1:9/' } }, { kind: 'unclear' }],
    ['HTML', { status: 200, body: '<html>' }, { kind: 'unclear' }],
    ['success without an id', { status: 200, body: {} }, { kind: 'unclear' }],
    ['ten megabytes', { status: 200, body: 'x'.repeat(10_000_000) }, { kind: 'unclear' }],
    ['ten megabytes of words', { status: 400, body: { Message: 'x'.repeat(10_000_000) } }, { kind: 'refused', fault: 'call' }],
  ])('an answer of Amazon Connect to a dial is classified: %s', async (_, reply, answer) => {
    const made = await world()
    made.emulator.dialFault = reply
    const got = await made.call(TALKS)
    expect(got).toMatchObject(answer)
    expect(JSON.stringify(got).length).toBeLessThan(500)
  })
})

describe('cancelling', () => {
  it.each([
    ['while it rings', RINGS, 'failed'],
    ['during the conversation', LIVE, 'completed'],
  ])('a cancellation through Amazon Connect ends a call %s', async (_, to, outcome) => {
    const made = await world()
    const id = await made.accepted(to)
    expect(await connectAdapter.cancel?.(signedAsk, made.connection, cancelOf(id))).toBe('taken')
    expect((await made.polled(id)).at(-1)).toMatchObject({ type: 'call.completed', data: { outcome } })
    expect(await connectAdapter.cancel?.(signedAsk, made.connection, cancelOf(id))).toBe('taken')
  })

  it.each<Reply>([{ status: 500 }, { status: 404, body: {} }, { status: 204 }, { status: 302 }])(
    'a cancellation through Amazon Connect must be tried again after %j',
    async (reply) => {
      const made = await world()
      const odd = await listen(() => reply)
      worlds.push(odd)
      expect(await connectAdapter.cancel?.(signedAsk, { ...made.connection, api: odd.url }, cancelOf('c1'))).toBe('failed')
    },
  )
})

describe('polling', () => {
  const poll = ({ connection }: World, id: string) => connectAdapter.poll?.(signedAsk, connection, id, Date.now())

  it('polling Amazon Connect distinguishes calls that go on from calls that are gone', async () => {
    const made = await world()
    expect(await poll(made, await made.accepted(LIVE))).toEqual({ kind: 'ongoing', callId: made.dialOf(LIVE).callId, calledNumber: LIVE })
    expect(await poll(made, CONNECT_FLOW)).toEqual({ kind: 'gone' })
  })

  it('polling Amazon Connect shows that nobody has answered a call yet', async () => {
    const made = await world()
    expect(await poll(made, await made.accepted(RINGS))).toMatchObject({ kind: 'ongoing', isWaiting: true })
  })

  it.each([true, false])(
    'polling Amazon Connect brings the outcome from the attributes of the contact (in its record: %s)',
    async (isRecordWithAttributes) => {
      const results = { call_outcome: 'callback_requested', call_summary: 'Tomorrow.', call_callback_time: '2026-11-21T10:00:00Z' }
      const made = await world({ isRecordWithAttributes, script: () => ({ reason: 'CUSTOMER_DISCONNECT', isAnswered: true, results }) })
      made.emulator.callbackFault = 'lost'
      const id = await made.accepted(TALKS)
      expect(await poll(made, id)).toMatchObject({ translation: { callId: made.dialOf(TALKS).callId, platformCallId: id } })
      expect((await made.polled(id)).at(-1)).toMatchObject({
        type: 'call.completed',
        data: { outcome: 'callback_requested', summary: 'Tomorrow.', callback_time: '2026-11-21T10:00:00Z' },
      })
    },
  )

  it.each<Reply>([{ status: 500 }, { status: 403, body: {} }, { status: 404, body: '<html>' }, { status: 200, body: {} }, { status: 302 }])(
    'polling Amazon Connect fails on an answer that tells nothing: %j',
    async (reply) => {
      const made = await world()
      const odd = await listen(() => reply)
      worlds.push(odd)
      await expect(connectAdapter.poll?.(signedAsk, { ...made.connection, api: odd.url }, 'c1', 0)).rejects.toThrow('Amazon Connect')
    },
  )
})
