import { describe, expect, it } from '@jest/globals'
import { handler as create } from '#functions/leads/create.ts'
import { handler as applyUpdates } from '#functions/workers/apply-updates.ts'
import { getPerson } from '#shared/leads/person-store.ts'
import { callWorld } from '#test/support/agent-calls.ts'
import { bulkCreated } from '#test/support/bulk-creates.ts'
import { bulkUpdated, bulkUpdates } from '#test/support/bulk-updates.ts'
import { created, leadNow, newPhone } from '#test/support/lead-requests.ts'
import { withTableLimits } from '#test/support/table-limits.ts'
import { consumeAll, OWNER, request } from '#test/support/world.ts'

const { world } = callWorld()
const { queued, accepted, work } = bulkUpdates(world)

const BUSY = 'The service has too much to write at the moment. Please send this again in 5 seconds.'

/** A second that never ends, in which the table takes so many writes. */
const forEver = (write: number) => ({ isCold: false, most: { write }, now: () => 0 })

const isBusy = ({ error }: { error?: string }): boolean => error === BUSY

describe('a table that is too busy', () => {
  it('a request that the table is too busy for is answered 503 with the time to wait, and succeeds later', async () => {
    const post = () => request(create, { method: 'POST', path: '/api/leads/', body: { phone_number: '+12125550001' } })
    await withTableLimits(forEver(0), async () => {
      expect(await post()).toMatchObject({ status: 503, body: { detail: BUSY }, headers: { 'Retry-After': '5' } })
    })
    expect((await post()).status).toBe(201)
  })

  it('a bulk create stops when the table is too busy, names each lead that is left, and these can be sent again', async () => {
    const leads = Array.from({ length: 200 }, () => ({ phone_number: newPhone() }))
    let results: { id: number | null; action: string; error?: string }[] = []
    const refused = await withTableLimits(forEver(500), async () => {
      results = await bulkCreated(leads)
    })
    const left = leads.filter((_, place) => isBusy(results[place]!))
    const made = results.filter(({ action }) => action === 'created')
    expect(made.length).toBeGreaterThan(0)
    expect(left.length).toBeGreaterThan(100)
    expect(made.length + left.length).toBe(leads.length)
    // Leads that had begun made three tries each, and so did their shared requests.
    expect(refused['others']).toBeLessThan(16 * 3 * 3)
    expect((await bulkCreated(left)).every(({ action }: { action: string }) => action === 'created')).toBe(true)
    for (const { phone_number } of leads) expect((await getPerson(OWNER, phone_number))?.leads).toHaveLength(1)
  })

  it('a bulk update stops when the table is too busy: it takes no further update, and the same request succeeds later', async () => {
    const ids = await Promise.all(Array.from({ length: 20 }, async () => (await created()).id))
    const leads = ids.map((id, index) => (index % 2 === 0 ? { id, status: 'CANCELLED' } : { id, lead_source: 'bulk' }))
    await withTableLimits(forEver(0), async () => {
      const { status, body } = await bulkUpdated({ leads })
      expect(status).toBe(202)
      expect(body.results.filter(isBusy)).toHaveLength(20)
    })
    expect(await queued()).toEqual([])
    await accepted(leads)
    await work()
    expect(await leadNow(ids[0])).toMatchObject({ status: 'CANCELLED' })
    expect(await leadNow(ids[1])).toMatchObject({ lead_source: 'bulk' })
  })

  it('an update that the table is too busy for returns to its queue, and is applied later', async () => {
    const { id } = await created()
    await accepted([{ id, lead_source: 'late' }])
    const messages = await queued()
    await withTableLimits(forEver(0), async () => expect(await consumeAll(applyUpdates, messages)).toEqual([0]))
    expect(await consumeAll(applyUpdates, messages)).toEqual([])
    expect(await leadNow(id)).toMatchObject({ lead_source: 'late' })
  })
})
