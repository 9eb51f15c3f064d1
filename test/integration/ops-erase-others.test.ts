import { beforeEach, describe, expect, it } from '@jest/globals'
import * as v from 'valibot'
import { handler as create } from '#functions/leads/create.ts'
import { leadHappenings } from '#shared/events/rules/derive.ts'
import { saveIngestionUrl } from '#shared/ingestion/ingestion-url-store.ts'
import { getTask, insertTasks } from '#shared/leads/bulk/task-store.ts'
import { getLead, saveLead } from '#shared/leads/lead-store.ts'
import { getPerson } from '#shared/leads/person-store.ts'
import { askerAt, idempotencyKey } from '#shared/platform/keys.ts'
import { getItem, putItem } from '#shared/platform/table/table.ts'
import { HOUR } from '#shared/platform/values/durations.ts'
import { liftPhone } from '#shared/stops/lift-from-list.ts'
import { getPhone, phonePk } from '#shared/stops/phone-store.ts'
import { setClock } from '#test/support/clock.ts'
import { revoked } from '#test/support/consents.ts'
import { opsWorld } from '#test/support/ops-world.ts'
import { NOON } from '#test/support/samples.ts'
import { OWNER, request } from '#test/support/world.ts'

const PERSON = '+12125550001'
const OTHER = '+12125550002'

const { tool } = opsWorld({ withBucket: true })
beforeEach(() => setClock(NOON))

const make = (fields: Record<string, unknown>) =>
  request(create, { method: 'POST', path: '/api/leads/', body: { timezone: 'Pacific/Honolulu', ...fields } })

/** Creates a lead of the person and one of somebody else. @returns the id of the second */
const twoLeads = async (fields: Record<string, unknown> = {}): Promise<number> => {
  expect((await make({ phone_number: PERSON })).status).toBe(201)
  const { status, body } = await make({ phone_number: OTHER, ...fields })
  expect(status).toBe(201)
  return body.id
}

const erase = async (...args: string[]) => {
  const { code, out, err } = await tool().ops(['erase', PERSON, '--yes', '--json', '--everywhere', ...args])
  return { code, err, said: JSON.parse(out) }
}
const findings = async () => JSON.parse((await tool().ops(['check', '--json', '--again-after', '0'])).out).findings
const forget = async (): Promise<void> => {
  await tool().ops(['erase', OTHER, '--yes', '--everywhere'])
}

describe('a revoked consent', () => {
  it('erase keeps the time of the revocation, so that an older consent of another user of the list never counts', async () => {
    expect((await make({ phone_number: PERSON })).status).toBe(201)
    await revoked(PERSON)
    await liftPhone({ owner: OWNER, phoneNumber: PERSON, channels: ['call', 'sms'] }, 'A mistake.')
    setClock(NOON + 25 * HOUR)
    expect(await erase()).toMatchObject({ code: 0 })
    expect(await getPhone(await phonePk('1', PERSON))).toMatchObject({ call_dnc: false, call_revoked: expect.any(Number) })
  })
})

describe('the data of another person', () => {
  it("erase keeps and reports the person's number where it identifies another person's lead", async () => {
    const email = '2125550001@vtext.com'
    const lead = await twoLeads({ email, friend: '(212) 555-0001' })
    const person = await getPerson(OWNER, OTHER)
    const left = [`LEAD#${lead} LEAD`, `PERSON#1#${OTHER} PERSON`, `EMAIL#1#${email} LEAD#${String(lead).padStart(10, '0')}`]
    const { code, said } = await erase()
    expect({ code, left: said.left.toSorted() }).toEqual({ code: 1, left: left.toSorted() })
    expect(await getPerson(OWNER, OTHER)).toEqual(person)
    expect(await getLead(lead)).toMatchObject({ email, metadata: { friend: 'erased' }, version: 2 })
    expect((await make({ phone_number: OTHER, email })).status).toBe(400)
    expect(await findings()).toEqual([])
    await forget()
  })

  it("erase keeps another lead's queued updates, and erases the number from their metadata", async () => {
    const lead = await twoLeads()
    const task = { owner: OWNER, lead, accepted: '1', status: 'queued' as const, error: null, updated_time: NOON, expires_at: null }
    const patches = [{ metadata: { spouse: '212-555-0001', income: 5 } }, { phone_number: PERSON, metadata: { spouse: '2125550001' } }]
    const tasks = patches.map((patch, at) => ({ ...task, task_id: `1f0c-${at}`, patch }))
    await insertTasks(tasks, NOON)
    expect(await erase()).toMatchObject({ code: 1, said: { left: ['TASK#1f0c-1 TASK'] } })
    expect((await getTask('1f0c-0', NOON))?.patch).toEqual({ metadata: { spouse: 'erased', income: 5 } })
    expect((await getTask('1f0c-1', NOON))?.patch).toEqual({ phone_number: PERSON, metadata: { spouse: 'erased' } })
    await forget()
  })

  it("erasing a number from another lead's metadata causes no event", async () => {
    const id = await twoLeads({ friend: 2125550001 })
    const made = await getLead(id)
    const before = { ...made!, cause: 'collect' as const, version: 2 }
    expect(await saveLead(before)).toBe(true)
    expect((await erase()).code).toBe(0)
    const after = (await getLead(id))!
    expect(after).toMatchObject({ metadata: { friend: null }, version: 3 })
    expect(leadHappenings({ before, after })).toEqual([])
    await forget()
  })

  it("erase keeps parts of the number that stand apart in another lead's data", async () => {
    const parts = ['212', '555', '0001']
    const id = await twoLeads({ parts })
    expect(await erase()).toMatchObject({ code: 0, said: { redacted: {}, left: [] } })
    expect((await getLead(id))?.metadata).toMatchObject({ parts })
    await forget()
  })
})

describe('stored answers to requests without a token', () => {
  const URLS = ['5ab3c1de-7b6e-4f0a-9d33-1f7a52c4e101', '5ab3c1de-7b6e-4f0a-9d33-1f7a52c4e102', '5ab3c1de-7b6e-4f0a-9d33-1f7a52c4e103']

  it('erase removes stored answers without a token with the leads of their owner, or when the owner is unknown', async () => {
    await twoLeads()
    for (const [at, url] of URLS.entries()) {
      // The last one is there no more: nobody knows whose it was.
      const mapping = [{ to: 'phone_number' as const, from: ['phone'] }]
      if (at < 2) await saveIngestionUrl({ id: url, owner: at + 1, lead_type: null, mapping, token_required: false })
      const answer = { status: 201, headers: {}, body: JSON.stringify({ phone_number: PERSON }) }
      const claim = { fingerprint: 'x', claim: 'y', lease_until: 0, first_id: 0, ids: 0, expires_at: NOON / 1000 + 9000 }
      await putItem({ ...idempotencyKey(askerAt(url), 'abc'), ...claim, answer })
    }
    expect(await erase('--owner', '1')).toMatchObject({ code: 0, said: { removed: { idempotency: 2 } } })
    const kept = await Promise.all(
      URLS.map((url) => getItem(v.object({ answer: v.object({ status: v.number() }) }), idempotencyKey(askerAt(url), 'abc'))),
    )
    expect(kept.map((item) => item?.answer.status)).toEqual([410, 201, 410])
    await forget()
  })
})
