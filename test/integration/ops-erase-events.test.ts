import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { handler as create } from '#functions/leads/create/index.ts'
import { handler as match } from '#functions/workers/match-webhooks/index.ts'
import type { LeadEvent } from '#shared/schema/events.ts'
import { getLead } from '#shared/storage/leads.ts'
import { scanTable } from '#shared/storage/scan.ts'
import { saveSubscription } from '#shared/storage/subscriptions.ts'
import { startBucketEngine } from '#test/support/bucket-engine.ts'
import { startOps } from '#test/support/ops.ts'
import { NOON } from '#test/support/samples.ts'
import { anEvent, aSubscription, batchOf } from '#test/support/webhook-fixtures.ts'
import { OWNER, request, setClock, startWorld } from '#test/support/world.ts'

let world: Awaited<ReturnType<typeof startWorld>>
let buckets: Awaited<ReturnType<typeof startBucketEngine>>
let tool: Awaited<ReturnType<typeof startOps>>
beforeAll(async () => {
  world = await startWorld()
  buckets = await startBucketEngine()
  tool = await startOps()
  process.env['UPLOADS_BUCKET'] = 'uploads'
  await saveSubscription(aSubscription({ id: 42, owner: OWNER, trigger: ['LEAD_CREATED'] }))
})
afterAll(async () => {
  await tool.stop()
  await buckets.stop()
  await world.stop()
})
beforeEach(() => setClock(NOON))

/** The event of a new lead, on its way. */
const created = async (fields: Record<string, unknown>): Promise<LeadEvent> => {
  const { status, body } = await request(create, { method: 'POST', path: '/api/leads/', body: { timezone: 'Pacific/Honolulu', ...fields } })
  expect(status).toBe(201)
  const lead = (await getLead(body.id))!
  return anEvent({ event_id: `e${lead.id}.LEAD_CREATED`, owner: OWNER, lead_id: lead.id, lead, event_time: NOON })
}

const matched = (...events: readonly LeadEvent[]) => match(batchOf(events.map((detail) => ({ detail }))))

const textsWith = async (text: string): Promise<string[]> => {
  const texts: string[] = []
  for await (const item of scanTable({ segments: 1 })) texts.push(JSON.stringify(item))
  return texts.filter((each) => each.includes(text))
}

describe('events that are on their way while a person is erased', () => {
  it('bring nothing of them back: neither of their leads, nor of those that mentioned them', async () => {
    const events = [
      await created({ phone_number: '+12125550001' }),
      await created({ phone_number: '+12125550002', friend: '212-555-0001' }),
      await created({ phone_number: '+12125550003' }),
    ]
    expect((await tool.ops(['erase', '+12125550001', '--yes'])).code).toBe(0)
    expect(await matched(...events)).toEqual({ batchItemFailures: [] })
    expect(await textsWith('5550001')).toEqual([])
    expect((await textsWith('DELIVERY#42')).map((text) => JSON.parse(text).lead).toSorted()).toEqual([
      events[1]!.lead_id,
      events[2]!.lead_id,
    ])
  }, 60_000)
})
