import { describe, expect, it } from '@jest/globals'
import * as v from 'valibot'
import { handler as preview } from '#functions/lead-types/preview.ts'
import { handler as bulkCreate } from '#functions/leads/bulk-create.ts'
import { handler as explain } from '#functions/leads/explain.ts'
import { components } from '#lib/openapi/schemas.ts'
import { saveLeadType } from '#shared/accounts/lead-type-store.ts'
import { callWorld } from '#test/support/agent-calls.ts'
import { created, listed, newPhone, writeUnits } from '#test/support/lead-requests.ts'
import { NOON, sampleLeadType } from '#test/support/samples.ts'
import { unitsOf } from '#test/support/units.ts'
import { KEY, OTHER_KEY, OWNER, request } from '#test/support/world.ts'

const { queued, place } = callWorld()

const asked = (leadType: number, key = KEY) =>
  request(preview, {
    method: 'GET',
    path: `/api/lead-types/${leadType}/preview/`,
    parameters: { id: `${leadType}` },
    headers: { Authorization: `Token ${key}` },
  })

const previewed = async (leadType: number) => {
  const { status, body } = await asked(leadType)
  expect(status).toBe(200)
  expect(v.safeParse(components.Preview, body).issues).toBeUndefined()
  return body
}

let made = 10
/** A lead type of the first user. */
const newLeadType = async (fields: object = {}): Promise<number> => {
  await saveLeadType(sampleLeadType({ id: ++made, owner: OWNER, ...fields }))
  return made
}

const opens = async (id: number): Promise<string> => {
  const { body } = await request(explain, { method: 'GET', path: `/api/leads/${id}/explain/`, parameters: { id: `${id}` } })
  return body.next_callable_time
}

/** `2026-11-20T18:00:00.000000+00:00` for any time of that hour. */
const hourOf = (time: string): string => `${time.slice(0, 13)}:00:00.000000+00:00`

describe('the preview of a lead type', () => {
  it('the preview of a lead type counts leads by the hour in which they may be called, and those that are skipped', async () => {
    const lead_type = await newLeadType()
    for (let count = 0; count < 3; count++) await created({ lead_type })
    const honolulu = await created({ lead_type, timezone: 'Pacific/Honolulu' })
    await created({ lead_type, timezone: 'Pacific/Honolulu' })
    await created({ lead_type, call_schedule_start_time: new Date(NOON + 90 * 60_000).toISOString() })
    const stopped = await created({ lead_type })
    await listed({ phone_number: stopped.phone_number })
    await created({ lead_type, status: 'LOST' })
    await created()
    expect(await previewed(lead_type)).toEqual({
      ...{ lead_type, leads: 7, looked_at: 7, callable_now: 3, later: 0 },
      by_hour: [
        { hour: '2026-11-20T17:00:00.000000+00:00', leads: 1 },
        { hour: hourOf(await opens(honolulu.id)), leads: 2 },
      ],
      skipped: [{ gate: 'dnc', leads: 1 }],
    })
  })

  it('the preview of a lead type leaves out the leads of a call in progress until it may be over', async () => {
    const lead_type = await newLeadType()
    await created({ lead_type })
    await place(await queued())
    expect(await previewed(lead_type)).toMatchObject({ leads: 1, callable_now: 0 })
  })

  it('the preview of an inactive lead type skips all of its leads', async () => {
    const lead_type = await newLeadType({ active: false })
    await created({ lead_type })
    expect(await previewed(lead_type)).toMatchObject({ callable_now: 0, by_hour: [], skipped: [{ gate: 'lead_type', leads: 1 }] })
  })

  it('the preview of another user’s lead type is not found', async () => {
    expect(await asked(await newLeadType(), OTHER_KEY)).toMatchObject({ status: 404 })
    expect(await asked(999)).toMatchObject({ status: 404 })
  })

  it('the preview looks at 200 leads at most, so that more leads cost little more', async () => {
    const lead_type = await newLeadType()
    const leads = () => Array.from({ length: 250 }, () => ({ phone_number: newPhone(), timezone: 'America/New_York', lead_type }))
    const add = () => request(bulkCreate, { method: 'POST', path: '/api/leads/bulk-create/', body: { leads: leads() } })
    await add()
    const first = await unitsOf(() => previewed(lead_type))
    expect(await previewed(lead_type)).toMatchObject({ leads: 250, looked_at: 200, callable_now: 200 })
    await add()
    const second = await unitsOf(() => previewed(lead_type))
    expect(await writeUnits(() => previewed(lead_type))).toBe(0)
    // Only the count reads further: a unit for some 80 entries of the index.
    expect(second.read - first.read).toBeLessThan(10)
    // The lines and the agent are read once, not for each lead.
    expect(first.read).toBeLessThan(750)
    process.stdout.write(`a preview of 200 leads: ${first.read} read units\n`)
  })
})
