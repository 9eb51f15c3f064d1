import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import * as v from 'valibot'
import { handler as report } from '#functions/agents/call-events.ts'
import { handler as schedule } from '#functions/leads/schedule-call.ts'
import { handler as placeCall } from '#functions/workers/place-call.ts'
import { streamRecordOf } from '#lib/local/events/stream-records.ts'
import { transferLegs } from '#shared/agents/rules/transfer-legs.ts'
import type { Call } from '#shared/calling/call.ts'
import { callsOf, getCall } from '#shared/calling/call-store.ts'
import { eventsOf, StreamRecord } from '#shared/events/changes.ts'
import type { Lead } from '#shared/leads/lead.ts'
import { getLead } from '#shared/leads/lead-store.ts'
import { SECOND } from '#shared/platform/values/durations.ts'
import { getPhone } from '#shared/stops/phone-store.ts'
import { chanceFrom } from '#test/simulation/lateness/chance.ts'
import { readRecords } from '#test/simulation/races/history.ts'
import { startWeather, type Weather } from '#test/simulation/races/table-weather.ts'
import { callWorld, hasLine } from '#test/support/agent-calls.ts'
import { setClock } from '#test/support/clock.ts'
import { created, patched, times } from '#test/support/lead-requests.ts'
import { NOON } from '#test/support/samples.ts'
import { agentReport, consumeAll, request } from '#test/support/world.ts'

const MINUTE = 60 * SECOND
/** When the person asks to be called back. */
const CALLBACK = NOON + 3 * 60 * MINUTE

const { world, queued, keysAsked } = callWorld()
let weather: Weather

beforeAll(async () => {
  weather = startWeather(chanceFrom(1), [0, 0])
})
afterAll(async () => {
  weather.stop()
})

/** Until none of them comes back. */
const place = async (messages: readonly unknown[]): Promise<void> => {
  for (let left = messages; left.length > 0; ) {
    const returned = await consumeAll(placeCall, left)
    left = left.filter((_, index) => returned.includes(index))
  }
}
interface Told {
  readonly type: string
  readonly data?: object
}

/** All that may be told of one call, in the order in which it happens. */
const tellings = (outcome: string, withStop: boolean): Told[] => [
  { type: 'call.answered' },
  { type: 'call.data_collected', data: { collected: { step: 'one', homeowner: true, lead_source: 'first' } } },
  { type: 'call.data_collected', data: { collected: { step: 'two', roof: 'slate', lead_source: 'second' } } },
  ...(withStop ? [{ type: 'dnc.requested', data: { channel: 'call' } }] : []),
  { type: 'sms.completed', data: { direction: 'outbound', body: 'The link', status: 'delivered' } },
  { type: 'call.transfer_initiated', data: { mode: 'warm', destination: '+12125550100' } },
  { type: 'call.transfer_connected' },
  { type: 'call.transfer_ended', data: { reason: 'completed' } },
  { type: 'call.ended', data: { duration_seconds: 61.5 } },
  {
    type: 'call.completed',
    data: {
      outcome,
      summary: 'Talked.',
      is_contact: true,
      collected: { step: 'three', lead_source: 'third' },
      callback_time: new Date(CALLBACK).toISOString(),
      appointment: { at: 'noon' },
    },
  },
]

const ringingCall = async (): Promise<Call> => {
  setClock(NOON)
  const lead = await created()
  await place(await queued())
  const call = (await getCall(`${lead.id}-1`))!
  expect(call.accepted_time).not.toBeNull()
  // Everything has happened by now, and is told late.
  setClock(NOON + 5 * MINUTE)
  return call
}

/** Told until it is taken: a write may lose to a transaction, and the agent tells again. */
const tell = async (call: Call, { type, data }: Told, place: number): Promise<void> => {
  const time = new Date(call.intent_time + (place + 1) * 10 * SECOND)
  const answer = await request(report, agentReport(world().agentSecret, call.call_id, type, data, time))
  expect(answer).toMatchObject({ status: 200 })
}

/** The stored call and lead, without the values that differ between any two calls. */
const storedState = async ({ call_id, lead: id, intent_time, phone_key }: Call) => {
  const [call, lead] = [(await getCall(call_id))!, (await getLead(id))!]
  const sinceIntent = (told: object) =>
    Object.fromEntries(
      Object.entries(told).map(([name, value]) => [
        name,
        name.endsWith('_time') && typeof value === 'number' ? value - intent_time : value,
      ]),
    )
  const unlike = {
    call_id: '',
    lead: 0,
    phone_number: '',
    phone_key: '',
    asked_time: 0,
    asking_until: 0,
    heard_time: 0,
    last_heard_time: 0,
    talked_time: call.talked_time !== null,
    accepted_time: 0,
    settled_time: 0,
    not_after: 0,
    due_time: 0,
    call_stopped: call.call_stopped !== null,
    transfers_told: transferLegs(call).map(sinceIntent),
  }
  const ofLead: Partial<Lead> = { ...lead, collected_times: {}, collected_fields: {}, field_times: {} }
  const { position, version, cause, created_time, modified_time, received_time, next_call_time, last_chat, told_by, ...like } = ofLead
  const soon = next_call_time && next_call_time !== CALLBACK ? Math.round((next_call_time - NOON) / MINUTE) : next_call_time
  return {
    call: { ...sinceIntent(call), ...unlike, callback_time: call.callback_time, isSetSince: call.settled_time !== null },
    lead: { ...like, id: 0, phone_number: '', next_call_time: soon, isChat: last_chat === call_id, isToldBy: told_by === call_id },
    calls: (await callsOf(id)).length,
    phone: (await getPhone(phone_key)).current_call,
    hasLine: await hasLine(call_id),
  }
}

const OUTCOMES = ['callback_requested', 'no_answer', 'transferred_warm', 'not_interested', 'do_not_call'] as const

/** Each report once or twice, in any order. */
const jumbled = (told: readonly Told[]) =>
  fc
    .array(fc.constantFrom(...told.keys()), { maxLength: told.length })
    .chain((doubles) => fc.shuffledSubarray([...told.keys(), ...doubles], { minLength: told.length + doubles.length }))

const story = fc
  .record({ outcome: fc.constantFrom(...OUTCOMES), withStop: fc.boolean(), atOnce: fc.boolean() })
  .chain((kind) => jumbled(tellings(kind.outcome, kind.withStop)).map((order) => ({ ...kind, order })))

describe('the reports of a call', () => {
  it('the reports of a call give the same result in any order, repeated, or all at once', async () => {
    const inOrder = new Map<string, Awaited<ReturnType<typeof storedState>>>()
    const expected = async (outcome: string, withStop: boolean) => {
      const name = `${outcome} ${withStop}`
      const known = inOrder.get(name)
      if (known) return known
      const call = await ringingCall()
      for (const [place, told] of tellings(outcome, withStop).entries()) await tell(call, told, place)
      const found = await storedState(call)
      inOrder.set(name, found)
      return found
    }
    const called: number[] = []
    await fc.assert(
      fc.asyncProperty(story, async ({ outcome, withStop, atOnce, order }) => {
        const reference = await expected(outcome, withStop)
        const told = tellings(outcome, withStop)
        const call = await ringingCall()
        called.push(call.lead)
        if (atOnce) await Promise.all(order.map((place) => tell(call, told[place]!, place)))
        else for (const place of order) await tell(call, told[place]!, place)
        expect(await storedState(call)).toEqual(reference)
      }),
      { numRuns: 25, endOnFailure: true },
    )
    const records = (await readRecords(world().engine.url)).map((record) =>
      v.parse(StreamRecord, streamRecordOf(record, 'stream', 'stream')),
    )
    const events = Map.groupBy(records.flatMap(eventsOf), ({ lead_id }) => lead_id)
    const completions = called.map((id) => events.get(id)?.filter(({ trigger }) => trigger === 'CALL_COMPLETE').length)
    expect(new Set(completions)).toEqual(new Set([1]))
  })
})

describe('a dial message', () => {
  it('a dial message that arrives fifty times dials once', async () => {
    const lead = await created()
    const [message] = await queued()
    await times(10, () => place(Array.from({ length: 5 }, () => message)))
    expect(keysAsked()).toEqual([`${lead.id}-1`])
    expect(await callsOf(lead.id)).toHaveLength(1)
  })

  it('a dial message of an earlier attempt never dials', async () => {
    const lead = await created()
    const [first] = await queued()
    await place([first])
    await tell((await getCall(`${lead.id}-1`))!, { type: 'call.completed', data: { outcome: 'no_answer' } }, 0)
    const { next_call_time, attempts } = (await getLead(lead.id))!
    setClock(next_call_time! + SECOND)
    await place(Array.from({ length: 10 }, () => first))
    await place([{ ...first, due_at: next_call_time }])
    expect(keysAsked()).toEqual([`${lead.id}-1`])
    await place([{ ...first, attempt: attempts + 1, due_at: next_call_time }])
    expect(keysAsked()).toEqual([`${lead.id}-1`, `${lead.id}-2`])
  })

  const later = async (id: number): Promise<void> => {
    const body = { call_time: new Date(NOON + 30 * MINUTE).toISOString() }
    const answer = await request(schedule, { method: 'POST', path: `/api/leads/${id}/schedule-call/`, parameters: { id: `${id}` }, body })
    expect(answer).toMatchObject({ status: 200, body: { scheduled: true } })
  }

  it.each<[string, (id: number) => Promise<unknown>]>([
    ['by schedule-call', later],
    ['by an update of its hours', (id) => patched(id, { timezone: 'Asia/Tokyo' })],
  ])('a dial message with the old due time never dials after the call was moved %s', async (_, move) => {
    const lead = await created()
    const [before] = await queued()
    await move(lead.id)
    const moved = (await getLead(lead.id))!
    expect(moved.next_call_time).toBeGreaterThanOrEqual(NOON + 30 * MINUTE)
    await place([before, before])
    setClock(moved.next_call_time! + SECOND)
    await place(Array.from({ length: 10 }, () => before))
    expect(keysAsked()).toEqual([])
    const now = { ...before, due_at: moved.next_call_time }
    await place([before, now, now, before])
    expect(keysAsked()).toEqual([`${lead.id}-1`])
  })
})
