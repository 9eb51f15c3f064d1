import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import * as v from 'valibot'
import { handler as me } from '#functions/users/me/index.ts'
import { handler as pauseCalls } from '#functions/users/pause-calls/index.ts'
import { handler as unpauseCalls } from '#functions/users/unpause-calls/index.ts'
import { handler as dispatchDue } from '#functions/workers/dispatch-due/index.ts'
import { handler as placeCall } from '#functions/workers/place-call/index.ts'
import { saveApiKey } from '#shared/storage/api-keys.ts'
import { markWaiting } from '#shared/storage/due.ts'
import { parkedKey } from '#shared/storage/keys.ts'
import { changeLead, getLead } from '#shared/storage/leads.ts'
import { getLines, takeLine } from '#shared/storage/lines.ts'
import { getItem, updateItem } from '#shared/storage/table.ts'
import { transact } from '#shared/storage/transactions.ts'
import { saveUser } from '#shared/storage/users.ts'
import { captureLog } from '#test/support/captured-log.ts'
import { eventually } from '#test/support/eventually.ts'
import { created, leadNow, patched, times, unpaidWriteUnits, writeUnits } from '#test/support/lead-requests.ts'
import { NOON } from '#test/support/samples.ts'
import { consumeAll, KEY, OTHER_KEY, OWNER, request, setClock, startWorld } from '#test/support/world.ts'

captureLog()

const MINUTE = 60_000
const STAFF_KEY = 'a-key-of-the-staff'

let world: Awaited<ReturnType<typeof startWorld>>

beforeAll(async () => {
  world = await startWorld()
  const staff = { id: 33, name: 'Staff', is_staff: true, default_lead_type: null, dnc_group: '33', webhook_secrets: ['whsec_AAAA'] }
  await saveUser({ ...staff, throttle: { sustained_per_day: 1e9, burst_per_minute: 1e9 } })
  await saveApiKey(STAFF_KEY, { user: 33, is_staff: true, created_time: 0, revoked_time: null })
})
afterAll(() => world.stop())

const as = (key: string) => ({ headers: { Authorization: `Token ${key}` } })
const ask =
  (handler: typeof pauseCalls, what: string) =>
  (id: number | string, body?: unknown, key = KEY) =>
    request(handler, { method: 'POST', path: `/api/users/${id}/${what}/`, parameters: { id: `${id}` }, ...as(key), body })
const pause = ask(pauseCalls, 'pause-calls')
const unpause = ask(unpauseCalls, 'unpause-calls')
const own = async () => (await request(me, { method: 'GET', path: '/api/users/me/' })).body

const take = async () => (await world.queues.take('CALL_QUEUE_URL')).map((body) => JSON.parse(body))
/** Calls that the agent was asked for, not those that it was asked to cancel: a pause has calls of earlier tests end, when they are looked at. */
const called = () => {
  const keys = world.agent.requests.map(({ headers }) => `${headers['idempotency-key']}`)
  return [...new Set(keys.filter((key) => !key.endsWith('-cancel')))]
}

/**
 * Until none of them comes back: one may that lost a race for the user's lines, or that names a call which another one is asking for. A
 * batch at a time, as the queue hands them out.
 */
const work = async (messages: readonly unknown[]) => {
  for (let start = 0; start < messages.length; start += 10) {
    let left = messages.slice(start, start + 10)
    await eventually(async () => {
      left = (await consumeAll(placeCall, left)).map((place) => left[place])
      return left.length === 0
    })
  }
}
/** Until nothing is left to do at once. */
const workAll = async () => {
  for (let messages = await take(); messages.length > 0; messages = await take()) await work(messages)
}

beforeEach(() => setClock(NOON))
afterEach(async () => {
  await unpause(OWNER)
  await workAll()
  world.agent.requests.length = 0
}, 120_000)

const PAUSED = { status: 'Outbound calls are paused until they are unpaused.' }
const EXISTING = { status: 'Outbound calls to the existing leads are paused until they are unpaused.' }
const UNPAUSED = { status: 'Outbound calls are unpaused. Calls that came due meanwhile are being rescheduled.' }

describe('a pause of everything', () => {
  it('parks what comes due, and makes those calls when it ends', async () => {
    const lead = await created()
    expect(await pause(OWNER, {})).toMatchObject({ status: 202, body: PAUSED })
    expect(await own()).toMatchObject({ paused: true, paused_existing_leads: false })
    const later = await created()
    const messages = await take()
    await work(messages)
    expect(called()).toEqual([])
    for (const { id } of [lead, later]) expect(await getLead(id)).toMatchObject({ due_list: 'PARKED' })
    // What comes twice is not written again.
    expect(await writeUnits(() => work(messages))).toBe(0)
    setClock(NOON + 5 * MINUTE)
    expect(await unpause(OWNER)).toMatchObject({ status: 202, body: UNPAUSED })
    expect(await own()).toMatchObject({ paused: false, paused_existing_leads: false })
    const [unpark, ...others] = await take()
    expect([unpark, others]).toEqual([{ type: 'unpark', owner: OWNER, turn: expect.any(Number) }, []])
    await work([unpark])
    expect(await leadNow(lead.id)).toMatchObject({
      next_call_time: expect.stringMatching(/^2026-11-20T16:05/),
      next_call_time_reason: 'RESUMED',
    })
    await workAll()
    expect(called()).toHaveLength(2)
  })

  it('moves what can no longer be called at once to the next lawful time', async () => {
    const lead = await created()
    await pause(OWNER)
    await work(await take())
    // Ten in the evening there.
    setClock(Date.parse('2026-11-21T03:00:00Z'))
    await unpause(OWNER)
    await workAll()
    expect(await leadNow(lead.id)).toMatchObject({ next_call_time_reason: 'RESUMED', next_call_time: '2026-11-21T13:00:00.000000+00:00' })
    expect(called()).toEqual([])
  })

  it('keeps a promise, and does not call whom nobody may call any more', async () => {
    const [promised, cancelled, stopped] = [await created(), await created(), await created()]
    await changeLead(promised.id, (lead) => ({ ...lead, promised_time: lead.next_call_time, next_call_time_reason: 'CALLBACK' }))
    await pause(OWNER)
    await work(await take())
    await patched(cancelled.id, { status: 'CANCELLED' })
    await patched(stopped.id, { call_dnc: true })
    await unpause(OWNER)
    await work((await take()).filter(({ type }) => type === 'unpark'))
    expect(await getLead(promised.id)).toMatchObject({ promised_time: Date.parse(promised.next_call_time), due_list: 'CALL' })
    for (const { id } of [cancelled, stopped]) expect(await leadNow(id)).toMatchObject({ next_call_time: null })
    await workAll()
    expect(called()).toHaveLength(1)
  })

  it('lets those go on waiting who waited for a line, and go on when it ends', async () => {
    const lead = await created()
    await take()
    await changeLead(lead.id, (one) => ({ ...one, due_list: 'WAIT' }))
    await markWaiting(OWNER, NOON)
    await pause(OWNER)
    await dispatchDue()
    await workAll()
    expect(await getLead(lead.id)).toMatchObject({ due_list: 'WAIT' })
    await unpause(OWNER)
    await eventually(async () => {
      await workAll()
      return called().length === 1
    })
  })
})

describe('a pause of the existing leads', () => {
  it('pauses exactly those', async () => {
    const before = await created()
    expect(await pause(OWNER, { only_existing_leads: true })).toMatchObject({ status: 202, body: EXISTING })
    expect(await own()).toMatchObject({ paused: false, paused_existing_leads: true })
    const after = await created()
    await workAll()
    expect(await getLead(before.id)).toMatchObject({ due_list: 'PARKED' })
    expect(called()).toHaveLength(1)
    expect((await leadNow(after.id)).next_call_time).toBeNull()
    await unpause(OWNER)
    await workAll()
    expect(called()).toHaveLength(2)
  })

  it('touches no lead', async () => {
    const leads = await times(5, () => created())
    expect(await unpaidWriteUnits(OWNER, () => pause(OWNER, { only_existing_leads: 'true' }))).toBe(1)
    for (const lead of leads) expect(await leadNow(lead.id)).toEqual(lead)
  })

  it('covers every lead that was acknowledged before, however many come at that moment', async () => {
    for (let round = 0; round < 5; round++) {
      const [first] = await Promise.all([times(8, () => created()), pause(OWNER, { only_existing_leads: true })])
      const leads = await times(8, () => created())
      await pause(OWNER, { only_existing_leads: true })
      const after = await times(8, () => created())
      const { paused_upto } = await getLines(OWNER)
      for (const { id } of [...first, ...leads]) expect((await getLead(id))!.position).toBeLessThanOrEqual(paused_upto)
      for (const { id } of after) expect((await getLead(id))!.position).toBeGreaterThan(paused_upto)
    }
  })

  it('again covers more, and never less', async () => {
    await created()
    await pause(OWNER, { only_existing_leads: true })
    const { paused_upto } = await getLines(OWNER)
    await pause(OWNER, { only_existing_leads: true })
    expect(await getLines(OWNER)).toMatchObject({ paused_upto, paused: false })
    await created()
    await pause(OWNER, { only_existing_leads: true })
    expect((await getLines(OWNER)).paused_upto).toBeGreaterThan(paused_upto)
    await pause(OWNER, { only_existing_leads: false })
    expect(await own()).toMatchObject({ paused: true, paused_existing_leads: true })
  })

  it('lets new leads have the lines that paused ones waited for', async () => {
    const waiting = await times(20, () => created({}, OTHER_KEY))
    await pause(2, { only_existing_leads: true }, OTHER_KEY)
    const late = await created({}, OTHER_KEY)
    await take()
    for (const { id } of [...waiting, late]) await changeLead(id, (one) => ({ ...one, due_list: 'WAIT' }))
    await markWaiting(2, NOON)
    await dispatchDue()
    await eventually(async () => {
      await work(await take())
      return called().length === 1
      // Three at a time are looked past, each a second after the other.
    }, 60_000)
    expect(await getLines(2)).toMatchObject({ calls: new Set([`${late.id}-1`]) })
    for (const { id } of waiting) expect(await getLead(id)).toMatchObject({ due_list: 'PARKED' })
  }, 120_000)
})

describe('who may pause', () => {
  const FORBIDDEN = { status: 403, body: { detail: 'You do not have permission to perform this action.' } }

  it.each([
    ['pause', pause],
    ['unpause', unpause],
  ])('oneself, and the staff everybody: %s', async (_, act) => {
    for (const id of [OWNER, 2_000_000_000, '0', '99999999999999999999']) expect(await act(id, {}, OTHER_KEY)).toMatchObject(FORBIDDEN)
    expect(await act(OWNER, { only_existing_leads: 'x' }, OTHER_KEY)).toMatchObject(FORBIDDEN)
    expect(await act(OWNER, {}, STAFF_KEY)).toMatchObject({ status: 202 })
    expect(await act(2_000_000_000, {}, STAFF_KEY)).toMatchObject({ status: 404, body: { detail: 'Not found.' } })
    for (const id of ['me', '-1', '1.5', '']) expect(await act(id, {}, STAFF_KEY)).toMatchObject({ status: 404 })
    expect((await getLines(2)).paused).toBe(false)
  })

  it('says what is wrong with the body', async () => {
    expect(await pause(OWNER, { only_existing_leads: 'x' })).toMatchObject({
      status: 400,
      body: { only_existing_leads: ['Must be a valid boolean.'] },
    })
    expect(await pause(OWNER, { only_existing_leads: null })).toMatchObject({
      body: { only_existing_leads: ['This field may not be null.'] },
    })
    expect((await getLines(OWNER)).paused).toBe(false)
  })

  it('takes forms', async () => {
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded' }
    const form = { method: 'POST', path: '/api/users/1/pause-calls/', parameters: { id: '1' }, headers, body: 'only_existing_leads=on' }
    expect(await request(pauseCalls, form)).toMatchObject({ status: 202, body: EXISTING })
  })
})

describe('the end of a pause', () => {
  it('is finished by the sweep when its message is lost, and then forgotten', async () => {
    const lead = await created()
    await pause(OWNER)
    await workAll()
    await unpause(OWNER)
    await take()
    await dispatchDue()
    expect((await take()).filter(({ type }) => type === 'unpark')).toEqual([])
    setClock(NOON + MINUTE)
    await eventually(async () => {
      await dispatchDue()
      await consumeAll(placeCall, await take())
      return called().length === 1
    })
    expect((await leadNow(lead.id)).next_call_time).toBeNull()
    setClock(NOON + 2 * MINUTE)
    await dispatchDue()
    await consumeAll(placeCall, await take())
    expect(await getItem(v.unknown(), parkedKey(OWNER))).not.toHaveProperty('due_key')
    await eventually(async () => {
      await dispatchDue()
      return (await take()).every(({ type }) => type !== 'unpark')
    })
  })

  it('is made by one run of messages, however many there are', async () => {
    const lead = await created()
    await pause(OWNER)
    await workAll()
    await unpause(OWNER)
    const first = (await take()).find(({ type }) => type === 'unpark')
    await work([first])
    expect((await getLead(lead.id))?.due_list).toBe('CALL')
    const taken: { type: string }[] = []
    await eventually(async () => {
      taken.push(...(await take()))
      return taken.some(({ type }) => type === 'unpark')
    })
    // The same once more, and one of a sweep long ago.
    expect(await writeUnits(() => work([first, first, { ...first, turn: NOON - MINUTE }]))).toBe(0)
    expect((await take()).filter(({ type }) => type === 'unpark')).toEqual([])
  })

  it('goes on until nobody is left', async () => {
    await pause(OWNER)
    const leads = await times(12, () => created())
    await workAll()
    await unpause(OWNER)
    const types = new Set<string>()
    await eventually(async () => {
      const messages = await take()
      for (const { type } of messages) types.add(type)
      await work(messages)
      return called().length === leads.length
    })
    expect([...types]).toEqual(expect.arrayContaining(['unpark', 'dial']))
    await eventually(async () => (await take()).some(({ type }) => type === 'unpark'))
  })

  it('leaves those parked whom another pause has parked meanwhile', async () => {
    const lead = await created()
    await pause(OWNER)
    await workAll()
    await unpause(OWNER)
    const messages = await take()
    await pause(OWNER, { only_existing_leads: true })
    await work(messages)
    expect((await take()).filter(({ lead_id }) => lead_id === lead.id)).toEqual([])
    expect(await getLead(lead.id)).toMatchObject({ due_list: 'PARKED' })
    await unpause(OWNER)
    await workAll()
    expect(called()).toHaveLength(1)
  })

  it('does not miss who was parked at that very moment', async () => {
    const lead = await created()
    const message = (await take()).find(({ lead_id }) => lead_id === lead.id)
    await pause(OWNER)
    // It finds the pause, and is slow to park the lead: by then the pause is over, and its leads have been sent on.
    const slow = work([message])
    await unpause(OWNER)
    await work(await take())
    await slow
    await workAll()
    expect(called()).toHaveLength(1)
    expect((await leadNow(lead.id)).next_call_time).toBeNull()
  })
})

describe('races', () => {
  it('no intent is written after a pause was acknowledged', async () => {
    for (let round = 0; round < 10; round++) {
      const leads = await times(3, () => created())
      const dials = (await take()).map((message) => consumeAll(placeCall, [message]))
      await pause(OWNER, { only_existing_leads: round % 2 === 0 })
      const { calls } = await getLines(OWNER)
      await Promise.all(dials)
      const placed = leads.filter(({ id }) => calls.has(`${id}-1`))
      for (const { id } of leads) {
        const isPlaced = placed.some((one) => one.id === id)
        expect({ id, list: (await getLead(id))?.due_list }).toEqual({ id, list: isPlaced ? null : 'PARKED' })
      }
      await unpause(OWNER)
      await workAll()
    }
  })

  it('a line is not taken for a paused lead whatever was read before', async () => {
    await updateItem({ pk: 'LINES#77', sk: 'LINES' }, { UpdateExpression: 'SET paused_upto = :p', ExpressionAttributeValues: { ':p': 5 } })
    expect(await transact([takeLine(77, '1-1', { position: 5, limit: 9 })])).toMatchObject({ committed: false })
    expect(await transact([takeLine(77, '1-1', { position: 6, limit: 9 })])).toMatchObject({ committed: true })
  })
})
