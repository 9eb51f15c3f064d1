import { randomUUID } from 'node:crypto'
import { afterEach, describe, expect, it } from '@jest/globals'
import { handler as contactEvents } from '#functions/workers/contact-events.ts'
import { CONNECT_EVENT_TYPES } from '#shared/agents/platforms/connect/events.ts'
import { getCall } from '#shared/calling/call-store.ts'
import { eraseCall } from '#shared/erasure/erased-call-store.ts'
import { now } from '#shared/platform/clock.ts'
import { callKey } from '#shared/platform/keys.ts'
import { MINUTE, SECOND } from '#shared/platform/values/durations.ts'
import { getPhone } from '#shared/stops/phone-store.ts'
import { passTime } from '#test/support/clock.ts'
import { leadNow } from '#test/support/lead-requests.ts'
import { startConnectEmulator } from '#test/support/platforms/connect-emulator.ts'
import { CONNECT_FLOW, SOUND_FLOW } from '#test/support/platforms/connect-world.ts'
import { platformCalls } from '#test/support/platforms/platform-calls.ts'
import { CALLER } from '#test/support/platforms/sample-dial.ts'
import { consumeAll } from '#test/support/world.ts'

const REGION = 'us-east-1'

/** How calls end, by the last four digits of the number. */
const NO_ANSWER = '0001'
const RINGS = '0006'
const TALKS = '0007'
const DECLINES = '0100'

type Emulator = Awaited<ReturnType<typeof startConnectEmulator>>
let emulator: Emulator
let instance = ''
/** The events of the instance. */
const told: string[] = []

const start = async (clock: () => number) => {
  // Functions cache the agents of an instance.
  instance = randomUUID()
  emulator = await startConnectEmulator({
    ...{ instanceId: instance, region: REGION, numbers: [CALLER.number], flows: { [CONNECT_FLOW]: SOUND_FLOW }, now: clock },
    onEvent: (event) => told.push(event),
  })
  const settings = { region: REGION, instance_id: instance }
  return { platform: emulator, name: 'connect', apiKey: '', assistant: CONNECT_FLOW, settings }
}
const { called, outcome, place, stopped } = platformCalls(start, now)
afterEach(() => void told.splice(0))

const watch = (call: string) => place([{ type: 'watch', call_id: call }])
/** The events of which the rule of EventBridge tells. */
const ofRule = (events: readonly string[]) => events.filter((event) => CONNECT_EVENT_TYPES.includes(JSON.parse(event).detail.eventType))
/** Delivers events to the worker. @returns the indexes of those that come back */
const deliver = (events = ofRule(told.splice(0))) => consumeAll(contactEvents, events)
const contactOf = (call: string) => emulator.rung.find(({ callId }) => callId === call)!.platformCallId
const asked = (path: string) => emulator.seen.filter((request) => request.path.startsWith(path))
/** Longer than the first request to a platform may take. */
const LATER = 10 * SECOND

describe('a call through Amazon Connect', () => {
  it('a call through Amazon Connect is placed with a signed request, and brings its outcome as soon as it ends', async () => {
    const one = await called(DECLINES)
    expect(emulator.seen[0]?.headers['authorization']).toMatch(/^AWS4-HMAC-SHA256 Credential=/)
    expect(await getCall(one.call)).toMatchObject({ provider_call_id: contactOf(one.call), on_platform: true })
    expect(await deliver()).toEqual([])
    expect(await getCall(one.call)).toMatchObject({ answered_time: expect.any(Number), ended_time: expect.any(Number) })
    expect(await getCall(one.call)).toMatchObject({ reported_outcome: 'not_interested' })
    expect(await outcome(one)).toMatchObject({ status: 'LOST' })
  })

  it('a call through Amazon Connect is tried again when nobody answers', async () => {
    const one = await called(NO_ANSWER)
    await deliver()
    expect(await outcome(one)).toMatchObject({ outcome: 'DIAL_NO_ANSWER', status: 'OPEN' })
    expect((await leadNow(one.lead)).next_call_time).not.toBeNull()
    expect(emulator.rung).toHaveLength(1)
  })

  it('a call through Amazon Connect is in progress once somebody answers', async () => {
    const one = await called(TALKS)
    await deliver()
    expect(await getCall(one.call)).toMatchObject({ answered_time: expect.any(Number), ended_time: null })
    emulator.release(contactOf(one.call))
    await deliver()
    expect(await getCall(one.call)).toMatchObject({ ended_time: expect.any(Number), completed_time: expect.any(Number) })
  })

  it.each([
    ['while it rings', RINGS],
    ['during the conversation', TALKS],
  ])('a call through Amazon Connect is ended by a stop %s', async (_, lastFour) => {
    const one = await called(lastFour)
    await deliver()
    const { asked, ended, lead } = await stopped(one, deliver)
    expect(asked).toMatchObject({ cancel_asked_time: expect.any(Number) })
    expect(ended).toMatchObject({ ended_time: expect.any(Number) })
    expect(lead).toMatchObject({ call_dnc: true, next_call_time: null })
  })
})

describe('a lost answer of Amazon Connect', () => {
  it.each(['lost-after', 'lost-before'] as const)('a lost answer of Amazon Connect never leads to a second dial: %s', async (fault) => {
    emulator.dialFault = fault
    emulator.callbackFault = 'lost'
    const one = await called(NO_ANSWER)
    emulator.dialFault = 'none'
    for (let tries = 0; tries < 5; tries++) {
      passTime(LATER)
      await watch(one.call)
    }
    const call = await getCall(one.call)
    if (fault === 'lost-after') expect(call).toMatchObject({ accepted_time: expect.any(Number), provider_call_id: contactOf(one.call) })
    else expect(call).toMatchObject({ unknown_time: expect.any(Number), accepted_time: null })
    expect(emulator.rung).toHaveLength(fault === 'lost-after' ? 1 : 0)
  })

  it('a call whose Amazon Connect answer is lost is recovered by its event, even if a search does not show it yet', async () => {
    emulator.dialFault = 'lost-after'
    const one = await called(TALKS)
    await deliver()
    expect(await getCall(one.call)).toMatchObject({ provider_call_id: contactOf(one.call), answered_time: expect.any(Number) })
    passTime(MINUTE)
    await watch(one.call)
    expect(await getCall(one.call)).toMatchObject({ unknown_time: null, completed_time: null })
    expect(emulator.rung).toHaveLength(1)
  })

  it('a lost answer of Amazon Connect does not lose the outcome of a call that outlasts the search for it', async () => {
    emulator.dialFault = 'lost-after'
    const one = await called(TALKS)
    told.splice(0)
    for (let tries = 0; tries < 5; tries++) {
      passTime(LATER)
      await watch(one.call)
    }
    expect(await getCall(one.call)).toMatchObject({ unknown_time: expect.any(Number), provider_call_id: null })
    emulator.release(contactOf(one.call), { results: { call_outcome: 'do_not_call' } })
    expect(await deliver()).toEqual([])
    expect(await getCall(one.call)).toMatchObject({ reported_outcome: 'do_not_call', provider_call_id: contactOf(one.call) })
    expect(await leadNow(one.lead)).toMatchObject({ call_dnc: true })
  })
})

describe('lost events', () => {
  it('a call whose Amazon Connect events are lost gets its outcome by polling, before it counts as unknown', async () => {
    emulator.callbackFault = 'lost'
    const one = await called(DECLINES)
    passTime(11 * MINUTE)
    await watch(one.call)
    expect(await getCall(one.call)).toMatchObject({ reported_outcome: 'not_interested', unknown_time: null })
  })

  it('polling leaves a call alone that goes on after its Amazon Connect events were lost', async () => {
    emulator.callbackFault = 'lost'
    const one = await called(TALKS)
    passTime(11 * MINUTE)
    await watch(one.call)
    expect(await getCall(one.call)).toMatchObject({ unknown_time: null, completed_time: null })
  })
})

describe('an event of Amazon Connect', () => {
  it('an event of Amazon Connect changes nothing when it comes twice, or after the next one', async () => {
    const one = await called(DECLINES)
    const events = told.splice(0)
    await deliver(events.toReversed())
    const before = await getCall(one.call)
    await deliver(events)
    const after = await getCall(one.call)
    expect({ ...after, last_heard_time: null }).toEqual({ ...before, last_heard_time: null })
    expect(after).toMatchObject({ reported_outcome: 'not_interested', answered_time: expect.any(Number) })
    expect(await outcome(one)).toMatchObject({ status: 'LOST' })
  })

  it('an event of Amazon Connect that reports nothing does not make the service read the record', async () => {
    const one = await called(RINGS)
    const events = told.splice(0)
    expect(events.map((event) => JSON.parse(event).detail.eventType)).toEqual(['INITIATED'])
    await deliver(events)
    expect(asked('/contacts/')).toEqual([])
    expect(await getCall(one.call)).toMatchObject({ heard_time: null })
  })

  it('an event of Amazon Connect still raises a stop after the person was erased', async () => {
    const one = await called(TALKS)
    await deliver()
    const { phone_key } = (await getCall(one.call))!
    await eraseCall(callKey(one.lead, 1), await getCall(one.call))
    passTime(MINUTE)
    emulator.release(contactOf(one.call), { results: { call_outcome: 'do_not_call' } })
    expect(await deliver()).toEqual([])
    expect(await getCall(one.call)).toBeUndefined()
    expect(await getPhone(phone_key)).toMatchObject({ call_dnc: true })
  })

  it('an Amazon Connect event of a contact that is not ours changes nothing', async () => {
    const one = await called(RINGS)
    told.splice(0)
    const before = await getCall(one.call)
    emulator.foreign('Campaign 7')
    emulator.foreign()
    expect(await deliver()).toEqual([])
    expect(asked('/contacts/')).not.toEqual([])
    expect(await getCall(one.call)).toEqual(before)
  })

  it('an Amazon Connect event of another stage, whose calls have the same ids, changes nothing', async () => {
    const one = await called(RINGS)
    told.splice(0)
    const before = await getCall(one.call)
    passTime(5 * MINUTE)
    emulator.foreign(one.call)
    expect(await deliver()).toEqual([])
    expect(await getCall(one.call)).toEqual(before)
  })

  it('an event of an Amazon Connect instance without agents is not looked at', async () => {
    await called(DECLINES)
    const events = told.splice(0).map((event) => event.replaceAll(instance, randomUUID()))
    expect(await deliver(events)).toEqual([])
    expect(asked('/contacts/')).toEqual([])
  })

  it('an event comes back when Amazon Connect does not show the contact', async () => {
    await called(DECLINES)
    const events = told.splice(0).filter((event) => event.includes('"DISCONNECTED"'))
    emulator.readFault = { status: 429, body: { Message: 'Too many requests' } }
    expect(await deliver(events)).toEqual([0])
    emulator.readFault = undefined
    expect(await deliver(events)).toEqual([])
  })

  it('an event that overtakes its record comes back for the outcome, and leaves it to polling after five minutes', async () => {
    const one = await called(TALKS)
    const contact = contactOf(one.call)
    const event = JSON.parse(told.splice(0).at(-1)!)
    const at = new Date(now()).toISOString()
    const ended = JSON.stringify({ ...event, detail: { ...event.detail, eventType: 'DISCONNECTED', disconnectTimestamp: at } })
    expect(await deliver([ended])).toEqual([0])
    expect(await getCall(one.call)).toMatchObject({ ended_time: expect.any(Number), completed_time: null })
    passTime(6 * MINUTE)
    expect(await deliver([ended])).toEqual([])
    emulator.release(contact)
    expect(await deliver([ended])).toEqual([])
    expect(await getCall(one.call)).toMatchObject({ completed_time: expect.any(Number) })
  })
})
