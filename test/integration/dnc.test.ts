import { beforeAll, describe, expect, it } from '@jest/globals'
import { handler as report } from '#functions/agents/call-events.ts'
import { handler as enter } from '#functions/dnc/create.ts'
import { handler as lookUp } from '#functions/dnc/retrieve.ts'
import { saveApiKey } from '#shared/accounts/api-key-store.ts'
import { saveLeadType } from '#shared/accounts/lead-type-store.ts'
import { getUser, saveUser } from '#shared/accounts/user-store.ts'
import { membersOf } from '#shared/stops/dnc-group-store.ts'
import { phonePk } from '#shared/stops/phone-store.ts'
import { stopContacting } from '#shared/stops/stop.ts'
import { callWorld } from '#test/support/agent-calls.ts'
import { send } from '#test/support/api-event.ts'
import { bulkUpdates } from '#test/support/bulk-updates.ts'
import { captureLog } from '#test/support/captured-log.ts'
import { created, leadNow, listed, newPhone, patched, phoneOf, writeUnits } from '#test/support/lead-requests.ts'
import { listLitigator } from '#test/support/litigators.ts'
import { sampleLeadType } from '#test/support/samples.ts'
import { agentReport, KEY, OTHER_KEY, OWNER, request } from '#test/support/world.ts'

captureLog()
const { world, queued, place } = callWorld()
const { accepted, work } = bulkUpdates(world)

/** A user who shares the list of the first one. */
const FELLOW = 31
const FELLOW_KEY = 'a-key-of-a-fellow'
const fellow = (changes: object = {}) => ({
  id: FELLOW,
  name: 'Fellow',
  is_staff: false,
  default_lead_type: 4,
  dnc_group: '1',
  lines: 100,
  throttle: { sustained_per_day: 1e9, burst_per_minute: 1e9 },
  webhook_secrets: ['whsec_AAAA'],
  ...changes,
})

beforeAll(async () => {
  await saveUser(fellow())
  await saveApiKey(FELLOW_KEY, { user: FELLOW, created_time: 0, revoked_time: null })
  await saveLeadType(sampleLeadType({ owner: FELLOW }))
})

const look = async (phone_number: string, key = KEY) =>
  (await send(lookUp, { method: 'GET', path: '/api/dnc/', headers: { Authorization: `Token ${key}` }, query: { phone_number } })).json

describe('GET /api/dnc/', () => {
  it('GET /api/dnc/ shows the list entry and the effective stops of the phone', async () => {
    const { id, phone_number } = await created()
    await patched(id, { sms_dnc: true })
    await listed({ phone_number, sms_dnc: false })
    expect(await look(phone_number)).toEqual({
      ...{ phone_number, call_dnc: true, sms_dnc: false },
      effective: { call_dnc: true, sms_dnc: true },
    })
    await patched(id, { sms_dnc: false })
    expect(await look(phone_number)).toMatchObject({ effective: { call_dnc: true, sms_dnc: false } })
  })
})

describe('an entry on the list', () => {
  it('an entry on the do-not-contact list stops the phone, and shows on and blocks the leads of all users of the group', async () => {
    const mine = await created()
    const { phone_number } = mine
    const theirs = await created({ phone_number }, FELLOW_KEY)
    const strangers = await created({ phone_number }, OTHER_KEY)
    const messages = await queued()
    const answer = { phone_number, call_dnc: true, sms_dnc: true }
    expect(await listed({ phone_number: `(${phone_number.slice(2, 5)}) ${phone_number.slice(5)}` })).toMatchObject({
      status: 201,
      body: answer,
    })
    const shown = { call_dnc: true, sms_dnc: true, next_call_time: null }
    expect(await leadNow(mine.id)).toMatchObject(shown)
    expect(await leadNow(theirs.id, FELLOW_KEY)).toMatchObject(shown)
    expect(await leadNow(strangers.id, OTHER_KEY)).toMatchObject({ call_dnc: false, sms_dnc: false })
    expect(await phoneOf(phone_number)).toMatchObject({ call_dnc: true, call_listed: true, sms_dnc: true, sms_listed: true })
    await place(messages)
    expect(world().agent.requests).toHaveLength(1)
    expect(await created({ phone_number, email: 'new@example.com' }, FELLOW_KEY)).toMatchObject({ call_dnc: true, next_call_time: null })
    const effective = { call_dnc: true, sms_dnc: true }
    expect(await look(phone_number)).toEqual({ ...answer, effective })
    expect(await look(phone_number, FELLOW_KEY)).toEqual({ ...answer, effective })
    const none = { call_dnc: false, sms_dnc: false }
    expect(await look(phone_number, OTHER_KEY)).toEqual({ phone_number, ...none, effective: none })
  })

  it('a do-not-contact entry for both channels costs as many writes as one for one channel', async () => {
    const costOf = async (body: object): Promise<number> => {
      const { phone_number } = await created()
      return writeUnits(() => request(enter, { method: 'POST', path: '/api/dnc/', body: { phone_number, ...body } }))
    }
    expect(await costOf({})).toBe(await costOf({ sms_dnc: false }))
  })

  it('a do-not-contact entry gains channels but never loses them, and answers 200 when nothing changes', async () => {
    const phone_number = newPhone()
    expect(await listed({ phone_number, call_dnc: false })).toMatchObject({ status: 201, body: { call_dnc: false, sms_dnc: true } })
    expect(await listed({ phone_number, call_dnc: false })).toMatchObject({ status: 200, body: { call_dnc: false, sms_dnc: true } })
    expect(await listed({ phone_number, sms_dnc: false })).toMatchObject({ status: 201, body: { call_dnc: true, sms_dnc: true } })
    expect(await listed({ phone_number })).toMatchObject({ status: 200, body: { call_dnc: true, sms_dnc: true } })
  })

  it('a do-not-contact entry for one channel leaves the other channel alone', async () => {
    const lead = await created()
    await listed({ phone_number: lead.phone_number, call_dnc: false })
    expect(await leadNow(lead.id)).toMatchObject({ sms_dnc: true, call_dnc: false, next_call_time: lead.next_call_time })
  })

  it('the do-not-contact list accepts form data, and an entry needs at least one channel', async () => {
    const phone_number = newPhone()
    const type = { 'Content-Type': 'application/x-www-form-urlencoded' }
    const form = (body: string) => request(enter, { method: 'POST', path: '/api/dnc/', headers: type, body })
    expect(await form(`phone_number=%2B${phone_number.slice(1)}&sms_dnc=false`)).toMatchObject({ status: 201, body: { sms_dnc: false } })
    expect(await form(`phone_number=%2B${phone_number.slice(1)}&sms_dnc=0&call_dnc=False`)).toMatchObject({
      status: 400,
      body: { non_field_errors: ['At least one of call_dnc and sms_dnc must be true.'] },
    })
  })

  it('a do-not-contact entry is independent of a stop that was set on a lead', async () => {
    const lead = await created()
    await patched(lead.id, { call_dnc: true })
    expect(await look(lead.phone_number)).toMatchObject({ call_dnc: false })
    expect(await listed({ phone_number: lead.phone_number, sms_dnc: false })).toMatchObject({ status: 201 })
  })

  it('a do-not-contact entry stays when a lead lifts its own flag, and keeps showing on the lead', async () => {
    const lead = await created()
    await listed({ phone_number: lead.phone_number })
    expect(await patched(lead.id, { call_dnc: false, sms_dnc: false, lead_source: 'web' })).toMatchObject({
      call_dnc: true,
      sms_dnc: true,
      lead_source: 'web',
      next_call_time: null,
    })
    await accepted([{ id: lead.id, call_dnc: false }])
    await work()
    expect(await leadNow(lead.id)).toMatchObject({ call_dnc: true })
    expect(await phoneOf(lead.phone_number)).toMatchObject({ call_dnc: true, call_listed: true })
  })

  it('a do-not-contact entry stops a lead again that has lifted its own stop', async () => {
    const lead = await created()
    await patched(lead.id, { call_dnc: true })
    expect(await patched(lead.id, { call_dnc: false })).toMatchObject({ call_dnc: false })
    await listed({ phone_number: lead.phone_number })
    expect(await leadNow(lead.id)).toMatchObject({ call_dnc: true, next_call_time: null })
  })
})

describe('a stop from another source', () => {
  it.each(['an update', 'a create', 'the agent'])('a stop from %s reaches the leads of all users of the group', async (channel) => {
    const lead = await created()
    const { phone_number } = lead
    const theirs = await created({ phone_number }, FELLOW_KEY)
    if (channel === 'an update') await patched(lead.id, { call_dnc: true })
    if (channel === 'a create') await created({ phone_number, email: 'stop@example.com', call_dnc: true })
    if (channel === 'the agent') {
      const [message] = await queued()
      await place([message])
      const told = agentReport(world().agentSecret, `${lead.id}-1`, 'dnc.requested', { channel: 'call' })
      expect(await request(report, told)).toMatchObject({ status: 200 })
    }
    expect(await leadNow(theirs.id, FELLOW_KEY)).toMatchObject({ call_dnc: true, next_call_time: null })
  })

  it('a stop costs at most four write units in a group of one user', async () => {
    const lead = await created({}, OTHER_KEY)
    const pk = await phonePk('2', lead.phone_number)
    // The phone, and the lead with the two indexes that it leaves or stands in.
    expect(await writeUnits(() => stopContacting(2, lead.phone_number, pk, ['call'], { means: 'api' }))).toBeLessThanOrEqual(4)
  })
})

describe('a user', () => {
  it('a user cannot move to another DNC group', async () => {
    await saveUser(fellow({ id: 32, dnc_group: 'elsewhere' }))
    await saveUser(fellow({ id: 32, dnc_group: 'elsewhere', lines: 3 }))
    await expect(saveUser(fellow({ id: 32, dnc_group: '1' }))).rejects.toThrow('User 32 must stay in the DNC group elsewhere')
    expect((await membersOf('1')).toSorted()).toEqual([OWNER, FELLOW])
    expect(await membersOf('elsewhere')).toEqual([32])
    expect(await getUser(32)).toMatchObject({ dnc_group: 'elsewhere', lines: 3 })
  })

  it('a user that is saved with two DNC groups at once belongs to one of them', async () => {
    const saves = await Promise.allSettled(['here', 'there', 'here'].map((dnc_group) => saveUser(fellow({ id: 33, dnc_group }))))
    const { dnc_group: group } = (await getUser(33))!
    expect(saves.map(({ status }) => status === 'fulfilled')).toEqual(['here', 'there', 'here'].map((asked) => asked === group))
    expect([await membersOf('here'), await membersOf('there')]).toEqual(group === 'here' ? [[33], []] : [[], [33]])
  })
})

describe('a number on the list of litigators', () => {
  it('a number on the list of litigators is never dialled', async () => {
    const lead = await created()
    await listLitigator(lead.phone_number)
    expect(await place(await queued())).toEqual([])
    expect(world().agent.requests).toEqual([])
    expect(await leadNow(lead.id)).toMatchObject({ status: 'OPEN', next_call_time: null })
    expect(await phoneOf(lead.phone_number)).toMatchObject({ attempts: [], current_call: null })
  })
})
