import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { handler as dispatchDue } from '#functions/workers/dispatch-due.ts'
import { saveLeadType } from '#shared/accounts/lead-type-store.ts'
import { closeBreaker } from '#shared/agents/breaker-store.ts'
import { changeLead } from '#shared/leads/lead-store.ts'
import { MINUTE } from '#shared/platform/values/durations.ts'
import { callWorld, hasLine } from '#test/support/agent-calls.ts'
import { setClock } from '#test/support/clock.ts'
import { created, newPhone, phoneOf } from '#test/support/lead-requests.ts'
import { NOON, sampleLeadType } from '#test/support/samples.ts'
import { OWNER } from '#test/support/world.ts'

const NUMBER = '+12125550190'

/** A call as it goes on at the agent, whatever is reported of it. */
interface TrueCall {
  readonly id: string
  isOver: boolean
  isAnswered: boolean
}
type Report = readonly [call: string, type: string, data: Record<string, unknown>]

/** State of one run: its phone, and the calls and reports there. */
let phone = ''
let calls: TrueCall[] = []
let reports: Report[] = []
/** Dials to the phone while a call to it was in progress. */
let overlaps: string[] = []
let cancelsFail = true

const isLive = ({ isOver }: TrueCall): boolean => !isOver

const takeDial = (key: string): void => {
  if (calls.some(({ id }) => id === key)) return
  const during = calls.filter(isLive).map(({ id }) => id)
  if (during.length > 0) overlaps.push(`${key} during ${during}`)
  calls.push({ id: key, isOver: false, isAnswered: false })
}

const end = (call: TrueCall): void => {
  if (call.isOver) return
  call.isOver = true
  reports.push([call.id, 'call.ended', {}], [call.id, 'call.completed', { outcome: call.isAnswered ? 'completed' : 'no_answer' }])
}

const { queued, place, tell, ring } = callWorld(({ path, body }) => {
  const { call_id, lead } = JSON.parse(body)
  if (path !== '/cancel') {
    if (lead.phone_number === phone) takeDial(call_id)
    return { body: '{"provider_call_id":"p-1"}' }
  }
  if (cancelsFail) return { status: 500 }
  const call = calls.find(({ id }) => id === call_id)
  if (call && !call.isAnswered) end(call)
  return { body: '{}' }
})

beforeAll(async () => {
  await saveLeadType(sampleLeadType({ id: 6, owner: OWNER, inbound_numbers: [NUMBER] }))
})

const begin = async () => {
  setClock(NOON)
  await queued()
  await closeBreaker('simulator', NOON)
  ;[phone, calls, reports, overlaps, cancelsFail] = [newPhone(), [], [], [], true]
  const leads = [
    await created({ phone_number: phone, email: 'a@example.com' }),
    await created({ phone_number: phone, email: 'b@example.com' }),
  ]
  await queued()
  return leads.map(({ id }): number => id)
}
beforeEach(async () => {
  await begin()
})

/** Has a lead called now, whatever it was to wait for, unless a gate refuses. */
const dialNow = async (id: number, at: number): Promise<void> => {
  setClock(at)
  const lead = await changeLead(id, (found) => ({
    ...found,
    status: 'OPEN',
    round_attempts: 0,
    next_call_time: at,
    next_call_time_reason: 'SCHEDULED',
    due_list: 'CALL',
    held_by: null,
    promised_time: null,
  }))
  await place([{ type: 'dial', lead_id: id, attempt: lead!.attempts + 1, due_at: at }])
}

const callIn = async (): Promise<string> => {
  const { status, body } = await ring(phone, NUMBER)
  expect(status).toBe(201)
  calls.push({ id: body.call_id, isOver: false, isAnswered: true })
  return body.call_id
}

const sweep = async (instant: number): Promise<void> => {
  setClock(instant)
  await dispatchDue()
  const messages = await queued()
  // Not the dials: the model decides when somebody is called.
  await place(messages.filter(({ type }) => type === 'watch' || type === 'cancel'))
}

/** However little was reported, the silence of each call ends it. */
const expectFreeInTheEnd = async (): Promise<void> => {
  for (const minutes of [12, 24, 150, 152, 300, 302]) await sweep(NOON + minutes * MINUTE)
  expect(await phoneOf(phone)).toMatchObject({ current_call: null, other_calls: new Set() })
  for (const { id } of calls) expect(await hasLine(id)).toBe(false)
}

describe('an inbound call during our call to the same person', () => {
  it('a person who calls in during our call is not called again after it until our call is over', async () => {
    const [one = 0, two = 0] = await begin()
    await dialNow(one, NOON)
    const inbound = await callIn()
    await place(await queued())
    calls[1]!.isOver = true
    await tell(inbound, 'call.ended')
    await tell(inbound, 'call.completed', { outcome: 'completed' })
    await dialNow(two, NOON + 1)
    expect(overlaps).toEqual([])
    calls[0]!.isOver = true
    await tell(`${one}-1`, 'call.completed', { outcome: 'no_answer' })
    expect(await phoneOf(phone)).toMatchObject({ current_call: null, other_calls: new Set() })
    await dialNow(two, NOON + 2)
    expect(calls).toHaveLength(3)
    expect(overlaps).toEqual([])
  })

  it('a person who calls in during our call is not called again after our call until theirs is over', async () => {
    const [one = 0, two = 0] = await begin()
    await dialNow(one, NOON)
    await tell(`${one}-1`, 'call.answered')
    const inbound = await callIn()
    calls[0]!.isOver = true
    await tell(`${one}-1`, 'call.completed', { outcome: 'completed' })
    await dialNow(two, NOON + 1)
    expect(overlaps).toEqual([])
    calls[1]!.isOver = true
    await tell(inbound, 'call.ended')
    await dialNow(two, NOON + 2)
    expect(calls).toHaveLength(3)
    expect(overlaps).toEqual([])
  })

  it('the repeated report of an inbound call cancels our call to the person when the first message is lost', async () => {
    const [one = 0] = await begin()
    await dialNow(one, NOON)
    await ring(phone, NUMBER, 'cut-short')
    // The message is lost with the function that was to send it.
    await queued()
    await ring(phone, NUMBER, 'cut-short')
    expect(await queued()).toContainEqual({ type: 'cancel', call_id: `${one}-1` })
  })
})

const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ do: fc.constant('dial' as const), lead: fc.nat(1) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('call in' as const) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('answer' as const), call: fc.nat(3) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('end' as const), call: fc.nat(3) }) },
  { weight: 6, arbitrary: fc.record({ do: fc.constant('report' as const), report: fc.nat(20) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('wait' as const) }) },
)

describe('inbound and outbound calls of one phone', () => {
  it('inbound and outbound calls of one phone never overlap by our dialling, and finally free the phone', async () => {
    const steps = fc.array(step, { minLength: 4, maxLength: 16 })
    await fc.assert(
      fc.asyncProperty(steps, fc.boolean(), async (todo, fail) => {
        const leads = await begin()
        cancelsFail = fail
        let at = NOON
        // Within the ten minutes after which silence ends a call of which nothing was reported.
        const inTime = () => Math.min(at + MINUTE, NOON + 8 * MINUTE)
        for (const next of todo) {
          const live = calls.filter(isLive)
          if (next.do === 'dial') await dialNow(leads[next.lead]!, at)
          if (next.do === 'call in' && live.every(({ isAnswered }) => !isAnswered)) await callIn()
          const call = 'call' in next ? live[next.call % Math.max(live.length, 1)] : undefined
          if (next.do === 'answer' && call && !call.isAnswered) {
            call.isAnswered = true
            reports.push([call.id, 'call.answered', {}])
          }
          if (next.do === 'end' && call) end(call)
          const report = next.do === 'report' ? reports[next.report % Math.max(reports.length, 1)] : undefined
          if (report) expect(await tell(...report)).toMatchObject({ status: 200 })
          if (next.do === 'wait') {
            at = inTime()
            await sweep(at)
          }
        }
        expect(overlaps).toEqual([])
        for (const call of calls) call.isOver = true
        await expectFreeInTheEnd()
      }),
      { numRuns: 12, endOnFailure: true },
    )
  })
})
