import { beforeEach, describe, expect, it } from '@jest/globals'
import { handler as create } from '#functions/leads/create.ts'
import { handler as list } from '#functions/leads/list.ts'
import { insertSms } from '#shared/events/sms-store.ts'
import { insertTasks } from '#shared/leads/bulk/task-store.ts'
import { scanTable } from '#shared/platform/table/scan.ts'
import { getPhone, phonePk } from '#shared/stops/phone-store.ts'
import { newDelivery } from '#shared/webhooks/deliveries.ts'
import { insertDelivery } from '#shared/webhooks/delivery-store.ts'
import { setClock } from '#test/support/clock.ts'
import { opsWorld } from '#test/support/ops-world.ts'
import { NOON } from '#test/support/samples.ts'
import { aSource, csv, ingested, watchCommands } from '#test/support/uploads.ts'
import { KEY, OTHER_KEY, OWNER, request } from '#test/support/world.ts'

const TRACE = /212\D{0,4}555\D{0,3}0001/

const { tool } = opsWorld({ withBucket: true })
beforeEach(() => setClock(NOON))

let serial = 0
const made = async (fields: Record<string, unknown>, key = KEY): Promise<number> => {
  const headers = { Authorization: `Token ${key}`, 'Idempotency-Key': `${++serial}` }
  const body = { timezone: 'Pacific/Honolulu', ...fields }
  const { status, body: lead } = await request(create, { method: 'POST', path: '/api/leads/', headers, body })
  expect(status).toBe(201)
  return lead.id
}

/** A person with two users: leads, what is linked to them, a file, and other people who know the number. */
const aPerson = async () => {
  const phone = '+12125550001'
  const own = await made({
    phone_number: phone,
    email: `a${serial}@example.com`,
    external_id: phone,
    call_dnc: true,
    note: 'x'.repeat(3000),
  })
  const second = await made({ phone_number: phone, external_id: `E-${serial}` })
  const others = await made({ phone_number: phone }, OTHER_KEY)
  const friend = await made({ phone_number: '+12125550003', friend: '1-212-555-0001', friends: [2125550001, '0012125550001'] })
  const event = { event_id: `e-${serial}`, event_time: NOON, trigger: 'LEAD_CREATED' as const, owner: OWNER, lead_id: own }
  // A delivery from before the lead had the number. Only the lead's id shows whose it is.
  await insertDelivery(newDelivery(event, { id: 5 }, '{"phone_number":"+12125550009"}', NOON))
  await insertSms({
    ...{ sms_id: 's', lead: own, owner: OWNER, call_id: `${own}-1`, phone_number: phone },
    direction: 'inbound',
    body: 'Hi',
    status: null,
    time: NOON,
  })
  const task = { task_id: `1f0c-${serial}`, owner: OWNER, lead: second, accepted: '1', status: 'queued' as const, error: null }
  await insertTasks([{ ...task, patch: { external_id: 'new' }, updated_time: NOON, expires_at: null }], NOON)
  return { own, second, others, friend }
}

const items = async () => {
  const texts: string[] = []
  for await (const page of scanTable({ segments: 1 }))
    texts.push(...page.items.map((item) => JSON.stringify(item, (_, value) => (value instanceof Set ? [...value] : value))))
  return texts
}

const erase = (...args: string[]) => tool().ops(['erase', '(212) 555-0001', '--everywhere', ...args])

const leadsOf = async (key: string): Promise<number[]> => {
  const { body } = await request(list, { method: 'GET', path: '/api/leads/', headers: { Authorization: `Token ${key}` } })
  expect(body.count).toBe(body.results.length)
  return body.results.map(({ id }: { id: number }) => id)
}

describe('a person with leads of two users', () => {
  it("erase removes a person's leads of one user, then of all users", async () => {
    const { own, second, others, friend } = await aPerson()
    await aSource()
    const upload = await ingested(csv(['U-1,Ann,212-555-0001,,,', 'U-2,Bob,12,,,']))
    expect(upload.rejected).toBe(1)
    expect(await erase()).toMatchObject({ code: 1, err: 'An erasure cannot be undone. To confirm it, use --yes. Nothing was erased.\n' })
    expect(await tool().ops(['erase', '+12125550001'], { answer: () => 'n' })).toMatchObject({ code: 1, err: 'Nothing was erased.\n' })
    expect((await erase('--owner', '2', '--yes')).code).toBe(0)
    expect(await leadsOf(OTHER_KEY)).not.toContain(others)
    expect(await leadsOf(KEY)).toEqual(expect.arrayContaining([own, second, friend]))

    const { code, out } = await erase('--yes', '--json')
    expect({ code, out: JSON.parse(out) }).toMatchObject({
      code: 0,
      out: { erased: true, files: 1, removed: { sms: 1, task: 1, delivery: 1 }, redacted: { lead: 1 }, left: [] },
    })
    expect(JSON.parse(out).kept_stops).toEqual([{ dnc_group: '1', call_dnc: true, sms_dnc: false }])
    expect((await items()).filter((text) => TRACE.test(text) || text.includes('ERASURE'))).toEqual([])
    expect(await leadsOf(KEY)).toEqual([friend])
    expect((await erase('--yes')).out).toContain('Nothing is stored about +12125550001.')
    expect(await getPhone(await phonePk('1', '+12125550001'))).toMatchObject({ call_dnc: true, call_listed: true })
  })

  it.each([1, 5, 9, 14])('a repeated erase removes everything of the person after an attempt that died before write %i', async (effect) => {
    await aPerson()
    const commands = watchCommands()
    const died = await commands.killed(effect, () => erase('--yes'))
    commands.stop()
    expect(died).toBe(true)
    expect(await erase('--yes')).toMatchObject({ code: 0 })
    expect((await items()).filter((text) => TRACE.test(text) || /ERASURE|1f0c-|"sms_id"|DELIVERY#/.test(text))).toEqual([])
    expect(await leadsOf(OTHER_KEY)).toEqual([])
  })

  it('erase removes a person even if an item of theirs cannot be read', async () => {
    const { putItem } = await import('#shared/platform/table/table.ts')
    const lead = await made({ phone_number: '+12125550001' })
    await putItem({ pk: `LEAD#${lead}`, sk: 'CALL#000001', phone_number: '+12125550001', owner: 'odd', payload: 1 })
    expect(await tool().ops(['export', '+12125550001'])).toMatchObject({ code: 0, out: expect.stringContaining('CALL#000001') })
    expect(await erase('--yes')).toMatchObject({ code: 0 })
    expect((await items()).filter((text) => TRACE.test(text))).toEqual([])
  })

  it("erase keeps a person's number in the configuration, and reports it", async () => {
    const { saveLeadType } = await import('#shared/accounts/lead-type-store.ts')
    const { sampleLeadType } = await import('#test/support/samples.ts')
    await saveLeadType(sampleLeadType({ script: 'Call 212-555-0001.' }))
    expect(await erase('--yes')).toMatchObject({ code: 1, out: expect.stringContaining('USER#1 LEADTYPE#4') })
    await saveLeadType(sampleLeadType())
  })
})
