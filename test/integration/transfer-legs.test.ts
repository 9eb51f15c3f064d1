import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { transferLegs } from '#shared/agents/rules/transfer-legs.ts'
import { representCall } from '#shared/calling/api/call.ts'
import { getCall } from '#shared/calling/call-store.ts'
import { callHappenings } from '#shared/events/rules/derive.ts'
import { getLead } from '#shared/leads/lead-store.ts'
import { callWorld } from '#test/support/agent-calls.ts'
import { setClock } from '#test/support/clock.ts'
import { NOON } from '#test/support/samples.ts'

const { inCall, tell: report } = callWorld()

const tell = async (call: string, type: string, data: unknown = {}, seconds = 0) => {
  expect(await report(call, type, data, seconds)).toMatchObject({ status: 200 })
}

const shown = async (call: string) => representCall((await getCall(call))!)

describe('a transfer leg', () => {
  const initiated = { mode: 'warm', destination: '+12125550199' }

  it('a transfer leg goes from initiated through connected to ended', async () => {
    const { call } = await inCall()
    setClock(NOON + 60_000)
    await tell(call, 'call.answered')
    expect(await shown(call)).toMatchObject({ call_status: 'IN_PROGRESS', transfer: null })
    await tell(call, 'call.transfer_initiated', initiated, 1)
    expect(await shown(call)).toMatchObject({
      call_status: 'TRANSFERRING',
      transfer: {
        ...initiated,
        status: 'initiated',
        initiated_time: '2026-11-20T16:00:01.000000+00:00',
        connected_time: null,
        ended_time: null,
      },
    })
    await tell(call, 'call.transfer_connected', {}, 2)
    expect(await shown(call)).toMatchObject({ transfer: { status: 'connected', connected_time: '2026-11-20T16:00:02.000000+00:00' } })
    await tell(call, 'call.transfer_ended', { reason: 'hung up' }, 3)
    expect(await shown(call)).toMatchObject({ transfer: { status: 'ended', ended_time: '2026-11-20T16:00:03.000000+00:00' } })
    expect(transferLegs((await getCall(call))!)).toMatchObject([{ reason: 'hung up' }])
  })

  it('a transfer leg returns the person to the agent when nobody is available', async () => {
    const { call } = await inCall()
    setClock(NOON + 60_000)
    await tell(call, 'call.answered')
    await tell(call, 'call.transfer_initiated', initiated, 1)
    await tell(call, 'call.transfer_ended', null, 2)
    expect(await shown(call)).toMatchObject({ call_status: 'IN_PROGRESS', transfer: { status: 'unavailable' } })
  })

  it.each([
    ['call.ended', {}, 'unavailable'],
    ['call.completed', { outcome: 'transfer_unavailable' }, 'unavailable'],
    ['call.completed', { outcome: 'transferred_warm' }, 'ended'],
  ])('a transfer leg without an end report ends with %s %j as %s', async (type, data, status) => {
    const { call } = await inCall()
    setClock(NOON + 60_000)
    await tell(call, 'call.transfer_initiated', initiated, 1)
    await tell(call, type, data, 5)
    expect(await shown(call)).toMatchObject({ transfer: { status, ended_time: '2026-11-20T16:00:05.000000+00:00' } })
  })

  it('a transfer leg in blind mode counts as ended when the call ends', async () => {
    const { call } = await inCall()
    await tell(call, 'call.transfer_initiated', { ...initiated, mode: 'blind' })
    await tell(call, 'call.ended')
    expect(await shown(call)).toMatchObject({ transfer: { status: 'ended' } })
  })

  it('a transfer leg ends up the same in any order of reports, with or without repeats', async () => {
    const told = [
      ['call.answered', {}, 0],
      ['call.transfer_initiated', initiated, 1],
      ['call.transfer_connected', {}, 2],
      ['call.transfer_ended', { reason: 'done' }, 3],
      ['call.ended', {}, 4],
      ['call.completed', { outcome: 'transferred_warm' }, 4],
    ] as const
    const calls = []
    for (const order of [told, told.toReversed(), [...told, ...told.toReversed()]]) {
      const { lead, call } = await inCall()
      setClock(NOON + 60_000)
      for (const [type, data, seconds] of order) await tell(call, type, data, 10 + seconds)
      setClock(NOON)
      calls.push({ ...(await shown(call)), call_id: '', lead: 0, started_time: '' })
      expect(await getLead(lead)).toMatchObject({ status: 'CLOSED' })
    }
    expect(calls[1]).toEqual(calls[0])
    expect(calls[2]).toEqual(calls[0])
  })
})

type Told = readonly [type: string, data: Record<string, unknown>, seconds: number]

const FIRST: readonly Told[] = [
  ['call.transfer_initiated', { mode: 'warm', destination: '+12125550198' }, 10],
  ['call.transfer_ended', { reason: 'nobody' }, 20],
]
const SECOND: readonly Told[] = [
  ['call.transfer_initiated', { mode: 'warm', destination: '+12125550199' }, 30],
  ['call.transfer_connected', {}, 40],
]

/** Tells a call and gives the events that each report brings. */
const eventsOf = async (call: string, told: readonly Told[]) => {
  const events: string[] = []
  for (const [type, data, seconds] of told) {
    const before = await getCall(call)
    await tell(call, type, data, seconds)
    events.push(...callHappenings({ before, after: (await getCall(call))! }).map(({ trigger }) => trigger))
  }
  return events
}

describe('a second transfer leg', () => {
  const second = { mode: 'warm', destination: '+12125550199', status: 'connected', connected_time: '2026-11-20T16:00:40.000000+00:00' }

  it('a second transfer leg replaces the first one in what the call shows', async () => {
    const { call } = await inCall()
    setClock(NOON + 60_000)
    await tell(call, 'call.answered')
    for (const told of FIRST) await tell(call, ...told)
    expect(await shown(call)).toMatchObject({ call_status: 'IN_PROGRESS', transfer: { status: 'unavailable' } })
    for (const told of SECOND) await tell(call, ...told)
    expect(await shown(call)).toMatchObject({ call_status: 'TRANSFERRING', transfer: { ...second, ended_time: null } })
    await tell(call, 'call.transfer_ended', {}, 50)
    expect(await shown(call)).toMatchObject({ call_status: 'IN_PROGRESS', transfer: { status: 'ended' } })
  })

  it('a second transfer leg gets its own single event in any order of reports', async () => {
    const all = [...FIRST, ...SECOND]
    await fc.assert(
      fc.asyncProperty(fc.shuffledSubarray([...all, ...all], { minLength: 8 }), async (told) => {
        setClock(NOON)
        const { call } = await inCall()
        setClock(NOON + 60_000)
        expect((await eventsOf(call, told)).filter((trigger) => trigger === 'CALL_TRANSFER_INITIATED')).toHaveLength(2)
        expect(await shown(call)).toMatchObject({ call_status: 'TRANSFERRING', transfer: second })
      }),
      { numRuns: 12 },
    )
  })

  it('a second transfer leg does not begin while the first one lasts', async () => {
    const { call } = await inCall()
    setClock(NOON + 60_000)
    const [begun] = FIRST
    const events = await eventsOf(call, [begun!, SECOND[0]!])
    expect(events).toEqual(['CALL_TRANSFER_INITIATED'])
    expect(await shown(call)).toMatchObject({ transfer: { destination: '+12125550198', status: 'initiated' } })
  })

  it('a repeated report of an agent whose clock is ahead creates no second transfer leg', async () => {
    const { call } = await inCall()
    const ahead = FIRST.map(([type, data, seconds]): Told => [type, data, seconds + 3600])
    const events = await eventsOf(call, [...ahead, ...ahead])
    expect(events).toEqual(['CALL_TRANSFER_INITIATED'])
    const { initiated_time } = (await shown(call)).transfer!
    expect(Date.parse(initiated_time!)).toBe(NOON)
  })

  it('a second transfer leg never crowds out the outcome, even in a call with thirty legs', async () => {
    const { lead, call } = await inCall()
    setClock(NOON + 60_000)
    for (let leg = 0; leg < 60; leg++)
      await tell(call, leg % 2 ? 'call.transfer_ended' : 'call.transfer_initiated', { destination: '😀'.repeat(255) }, leg)
    await tell(call, 'call.completed', { outcome: 'not_interested' }, 60)
    expect(await getLead(lead)).toMatchObject({ status: 'LOST' })
    expect(JSON.stringify(await getCall(call)).length).toBeLessThan(100_000)
  })
})
