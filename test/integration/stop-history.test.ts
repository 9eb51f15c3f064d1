import { beforeAll, describe, expect, it } from '@jest/globals'
import * as v from 'valibot'
import { handler as lookUp } from '#functions/dnc/retrieve.ts'
import { handler as update } from '#functions/leads/update.ts'
import { saveApiKey } from '#shared/accounts/api-key-store.ts'
import { saveLeadType } from '#shared/accounts/lead-type-store.ts'
import { getUser, saveUser } from '#shared/accounts/user-store.ts'
import { getCall } from '#shared/calling/call-store.ts'
import { getLead } from '#shared/leads/lead-store.ts'
import { phoneKeyAt } from '#shared/platform/keys.ts'
import { nextSequence } from '#shared/platform/sequence.ts'
import { getItem, updateItem } from '#shared/platform/table/table.ts'
import { raiseDnc } from '#shared/stops/flag-store.ts'
import { liftPhone } from '#shared/stops/lift-from-list.ts'
import { getPhone, phonePk } from '#shared/stops/phone-store.ts'
import { anonymiseStops, stopHistory } from '#shared/stops/stop-history.ts'
import { callWorld } from '#test/support/agent-calls.ts'
import { send } from '#test/support/api-event.ts'
import { bulkUpdates } from '#test/support/bulk-updates.ts'
import { passTime } from '#test/support/clock.ts'
import { revoked } from '#test/support/consents.ts'
import { created, listed, newPhone, patched, times } from '#test/support/lead-requests.ts'
import { sampleLeadType } from '#test/support/samples.ts'
import { actingFor, STAFF, saveStaff } from '#test/support/staff.ts'
import { beforeEachSend } from '#test/support/table-sends.ts'
import { KEY, OWNER, request } from '#test/support/world.ts'

const { world, inCall, tell, told } = callWorld()
const { accepted } = bulkUpdates(world)

const FELLOW = 31
const FELLOW_KEY = 'a-key-of-a-fellow'

beforeAll(async () => {
  const owner = (await getUser(OWNER))!
  await saveUser({ ...owner, id: FELLOW, name: 'Fellow' })
  await saveApiKey(FELLOW_KEY, { user: FELLOW, created_time: 0, revoked_time: null })
  await saveLeadType(sampleLeadType({ owner: FELLOW }))
  await saveStaff()
})

const historyOf = async (phone_number: string, key = KEY) => {
  const query = { phone_number, history: 'true' }
  const { status, json } = await send(lookUp, { method: 'GET', path: '/api/dnc/', headers: { Authorization: `Token ${key}` }, query })
  expect(status).toBe(200)
  return json.history
}

const NOBODY = { received_by: null, lead: null, upload_id: null, call_id: null, words: null }

describe('the history of stops', () => {
  it('keeps when, how and by whom stops and lifts were received through the API', async () => {
    const { id, phone_number } = await created()
    await patched(id, { call_dnc: true })
    await patched(id, { call_dnc: false })
    await listed({ phone_number, call_dnc: false })
    await revoked(phone_number, { how: 'By letter.', channels: ['call'] })
    const time = expect.stringMatching(/^2026-/)
    expect(await historyOf(phone_number)).toEqual([
      { ...NOBODY, time, action: 'stopped', channels: ['call'], means: 'revocation', received_by: OWNER, words: 'By letter.' },
      { ...NOBODY, time, action: 'stopped', channels: ['sms'], means: 'list', received_by: OWNER },
      { ...NOBODY, time, action: 'lifted', channels: ['call'], means: 'api', received_by: OWNER, lead: id },
      { ...NOBODY, time, action: 'stopped', channels: ['call'], means: 'api', received_by: OWNER, lead: id },
    ])
  })

  it('names the member of staff who acted for the user', async () => {
    const { id, phone_number } = await created()
    const headers = actingFor(OWNER)
    await request(update, { method: 'PATCH', path: `/api/leads/${id}/`, parameters: { id: `${id}` }, headers, body: { sms_dnc: true } })
    expect(await historyOf(phone_number)).toMatchObject([{ means: 'api', received_by: STAFF, channels: ['sms'] }])
  })

  it('keeps a stop that comes with a new lead, or in a bulk update', async () => {
    const { id, phone_number } = await created({ sms_dnc: true })
    await accepted([{ id, call_dnc: true }])
    expect(await historyOf(phone_number)).toMatchObject([
      { means: 'api', received_by: OWNER, lead: id, channels: ['call'] },
      { means: 'api', received_by: OWNER, channels: ['sms'] },
    ])
  })

  it.each<[string, unknown, object]>([
    ['dnc.requested', { channel: 'sms', words: 'No texts, please.' }, { channels: ['sms'], means: 'call', words: 'No texts, please.' }],
    ['dnc.requested', { channel: 'call', words: 7 }, { channels: ['call'], means: 'call', words: null }],
    ['call.completed', { outcome: 'do_not_call', summary: 'They were angry.' }, { channels: ['call'], means: 'call', words: null }],
    ['sms.completed', { direction: 'inbound', body: ' STOP  now!' }, { channels: ['sms'], means: 'text', words: ' STOP  now!' }],
  ])('keeps one record of a stop that the agent reports several times: %s %j', async (type, data, kept) => {
    const { lead, call, phone } = await inCall()
    for (let repeat = 0; repeat < 3; repeat++) await tell(call, type, data)
    expect(await historyOf(phone)).toEqual([{ ...NOBODY, time: expect.anything(), action: 'stopped', lead, call_id: call, ...kept }])
    expect(await stopHistory(await phonePk('1', phone))).toMatchObject([{ agent: 'simulator', owner: OWNER }])
  })

  it('keeps one record of a text message that stops calls and texts, although the agent reports it three times', async () => {
    const { call, phone } = await inCall()
    for (let repeat = 0; repeat < 3; repeat++) await tell(call, 'sms.completed', { direction: 'inbound', body: 'Take me off your list!' })
    expect(await historyOf(phone)).toMatchObject([{ channels: ['call', 'sms'], means: 'text', words: 'Take me off your list!' }])
  })

  it('keeps one record of a stop that the outcome of the call repeats without words', async () => {
    const { call, phone } = await inCall()
    await tell(call, 'dnc.requested', { channel: 'call', words: 'Never again' })
    passTime(60_000)
    await tell(call, 'call.completed', { outcome: 'do_not_call' })
    expect(await historyOf(phone)).toMatchObject([{ means: 'call', words: 'Never again' }])
  })

  it('keeps new words of the person in a call with the time at which they were reported', async () => {
    const { call, phone } = await inCall()
    await tell(call, 'dnc.requested', { channel: 'sms', words: 'No texts' })
    passTime(60_000)
    for (let repeat = 0; repeat < 3; repeat++) await tell(call, 'sms.completed', { direction: 'inbound', body: 'Stop texting me!' })
    const past = await stopHistory(await phonePk('1', phone))
    expect(past).toMatchObject([
      { means: 'text', words: 'Stop texting me!' },
      { means: 'call', words: 'No texts' },
    ])
    expect(past[0]!.time - past[1]!.time).toBeGreaterThanOrEqual(60_000)
  })

  it('shows other users of the group no more than the time, the action and the channels', async () => {
    const phone_number = newPhone()
    await listed({ phone_number })
    expect(await historyOf(phone_number, FELLOW_KEY)).toEqual([
      { ...NOBODY, time: expect.anything(), action: 'stopped', channels: ['call', 'sms'], means: null },
    ])
  })

  it('shows no user the reason for which the operator lifted a stop', async () => {
    const phone_number = newPhone()
    await listed({ phone_number })
    await liftPhone({ owner: OWNER, phoneNumber: phone_number, channels: ['call'] }, 'Jane Smith wrote')
    for (const key of [KEY, FELLOW_KEY]) {
      const lift = { ...NOBODY, time: expect.anything(), action: 'lifted', channels: ['call'], means: null }
      expect(await historyOf(phone_number, key)).toContainEqual(lift)
    }
  })

  it('is shown only when asked, and refuses a parameter that is no boolean', async () => {
    const ask = (history: string) => {
      const headers = { Authorization: `Token ${KEY}` }
      return send(lookUp, { method: 'GET', path: '/api/dnc/', headers, query: { phone_number: '+12125550001', history } })
    }
    expect((await ask('false')).json).not.toHaveProperty('history')
    expect(await ask('yes please')).toMatchObject({ status: 400, json: { history: [expect.stringContaining('Must be a valid boolean.')] } })
  })
})

describe('the records of stops', () => {
  it("moves long words out of the phone's item at once", async () => {
    const { call, phone } = await inCall()
    const words = 'Stop texting me. '.repeat(80)
    await tell(call, 'sms.completed', { direction: 'inbound', body: words })
    const pk = await phonePk('1', phone)
    expect(JSON.stringify(await getItem(v.unknown(), phoneKeyAt(pk)))).not.toContain('Stop texting')
    expect(await historyOf(phone)).toMatchObject([{ words }])
  })

  it('all records of stops and lifts at once are kept, and the item of the phone stays small', async () => {
    const { id, phone_number } = await created()
    const pk = await phonePk('1', phone_number)
    const raised: string[] = []
    const raise = async (words: string): Promise<void> => {
      raised.push(words)
      await raiseDnc(pk, [raised.length % 2 === 0 ? 'call' : 'sms'], {
        accepted: nextSequence(),
        owner: OWNER,
        origin: { means: 'text', words },
      })
    }
    for (let round = 0; round < 5; round++) {
      await patched(id, { call_dnc: true })
      await Promise.all([...(await times(8, (one) => raise(`Stop, I say ${round} ${one}.`))), patched(id, { call_dnc: false })])
    }
    const history = await stopHistory(pk)
    expect(history.flatMap(({ words }) => words ?? []).toSorted()).toEqual(raised.toSorted())
    expect(history.filter(({ means, action }) => means === 'api' && action === 'stopped')).toHaveLength(5)
    expect(history.map(({ time }) => time)).toEqual(history.map(({ time }) => time).toSorted((a, b) => b - a))
    expect(Buffer.byteLength(JSON.stringify(await getItem(v.unknown(), phoneKeyAt(pk))))).toBeLessThan(1024)
    expect(await stopHistory(pk, 3)).toEqual(history.slice(0, 3))
  })

  it('a move that fails keeps no stop from the leads, and the next stop makes it', async () => {
    const { lead, call, phone } = await inCall()
    let failed = 0
    const failing = (command: unknown) => {
      if (!/"sk":"STOP#/.test(JSON.stringify(command))) return
      failed++
      throw new Error('The table is slow.')
    }
    await beforeEachSend(failing, () => told(call, 'dnc.requested', { channel: 'call', words: 'w'.repeat(700) }))
    expect(failed).toBe(1)
    expect(await getLead(lead)).toMatchObject({ call_dnc: true })
    expect(await getCall(call)).toMatchObject({ call_stopped: expect.any(String) })
    await listed({ phone_number: phone })
    expect((await getPhone(await phonePk('1', phone))).stop_records.size).toBe(0)
    expect(await historyOf(phone)).toHaveLength(2)
  })

  it('a move that an erasure overtakes does not bring the words back', async () => {
    const pk = await phonePk('1', newPhone())
    let isFirst = true
    const erasing = async (command: unknown) => {
      if (!isFirst || !/"DELETE stop_records :texts"/.test(JSON.stringify(command))) return
      isFirst = false
      await anonymiseStops(pk, undefined)
    }
    const origin = { means: 'text', words: 'Jane '.repeat(100) } as const
    await beforeEachSend(erasing, () => raiseDnc(pk, ['call'], { accepted: nextSequence(), owner: OWNER, origin }))
    expect(isFirst).toBe(false)
    expect(await stopHistory(pk)).toMatchObject([{ means: 'text', words: null }])
  })

  it('a record that is in the item of the phone and in its own is shown once', async () => {
    const phone_number = newPhone()
    const pk = await phonePk('1', phone_number)
    const raise = (words: string) => raiseDnc(pk, ['call'], { accepted: nextSequence(), owner: OWNER, origin: { means: 'text', words } })
    await raise('a')
    const { stop_records } = await getPhone(pk)
    await raise('b'.repeat(500))
    await updateItem(phoneKeyAt(pk), { UpdateExpression: 'ADD stop_records :again', ExpressionAttributeValues: { ':again': stop_records } })
    expect((await stopHistory(pk)).map(({ words }) => words?.[0])).toEqual(['b', 'a'])
  })
})
