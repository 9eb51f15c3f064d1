import { describe, expect, it } from '@jest/globals'
import { handler as upsert } from '#functions/ingest-lead/upsert.ts'
import { handler as create } from '#functions/leads/create.ts'
import { handler as update } from '#functions/leads/update.ts'
import { passTime } from '#test/support/clock.ts'
import { opsWorld } from '#test/support/ops-world.ts'
import { OWNER, request } from '#test/support/world.ts'

const { tool } = opsWorld()

const MAPPING = '[{ to: phone_number, from: phone }, { to: lead_source, from: src }, { to: metadata, from: more }]'

describe('the timeline of a lead', () => {
  it('the timeline of a lead shows what a PATCH and an upsert set, and ends with the current state', async () => {
    const made = await request(create, { method: 'POST', path: '/api/leads/', body: { phone_number: '+12125550001' } })
    const { id } = made.body
    const path = `/api/leads/${id}/`
    const body = { us_state: 'NY', metadata: { city: 'Albany', größe: 'x'.repeat(100) } }
    expect((await request(update, { method: 'PATCH', path, parameters: { id: `${id}` }, body })).status).toBe(200)
    passTime(1000)
    const { out } = await tool().apply(
      `users: [{ key: acme, id: ${OWNER}, ingestion_urls: [{ key: web, token_required: false, mapping: ${MAPPING} }] }]`,
    )
    const url = /ingestion URL acme\/web: (\S+)/.exec(out)![1]!
    const sent = { phone: '+12125550001', src: 'Partner', more: { city: 'Troy' } }
    const upserted = await request(upsert, {
      ...{ method: 'POST', path: `/api/ingest-lead/${url}/upsert/`, parameters: { id: url }, body: sent },
    })
    expect(upserted.status).toBe(200)
    passTime(1000)
    const closed = await request(update, { method: 'PATCH', path, parameters: { id: `${id}` }, body: { status: 'LOST' } })
    expect(closed.status).toBe(200)

    const told = await tool().ops(['lead', 'timeline', `${id}`])
    const sets = told.out.split('\n').flatMap((line) => / {2}lead {2,}(set: .*)/.exec(line)?.[1] ?? [])
    expect(sets).toEqual([
      `set: metadata.größe = "${'x'.repeat(59)}…, us_state = "NY"`,
      'set: lead_source = "Partner", metadata.city = "Troy", phone_number = "+12125550001"',
      'set: status',
    ])
    expect(told.out).toMatch(/\n\nNow the lead is LOST, by MANUAL, after 0 calls\.\n$/)
    const { out: document } = await tool().ops(['lead', 'timeline', `${id}`, '--json'])
    expect(JSON.parse(document)).toMatchObject({ lead_id: id, status: 'LOST', status_detail: null, status_reason: 'MANUAL' })
  })
})
