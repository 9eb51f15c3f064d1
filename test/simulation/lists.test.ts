import { describe, expect, it } from '@jest/globals'
import { handler as callsOfLead } from '#functions/leads/calls.ts'
import { handler as statistics } from '#functions/statistics/retrieve.ts'
import { handler as deliveries } from '#functions/webhooks/deliveries.ts'
import { send } from '#test/support/api-event.ts'
import { listWorld, nextOwner } from '#test/support/list-owners.ts'
import { historyOf, seedHistory } from './lists/history.ts'
import { keyOf, seedVaried } from './lists/measure.ts'
import { measureScreens, mostMoreOf } from './lists/screens.ts'

listWorld()

const LEADS = 2000

const seeded = async (leads: number) => {
  const owner = nextOwner()
  const lead = await seedVaried({ owner, leads })
  return { owner, lead, webhook: await seedHistory({ owner, leads, lead }) }
}

/** The short form of `npm run simulate -- lists`, for the views. */
describe('the views of the console with data', () => {
  it('the views Calls and Webhooks are measured with calls, statistics and deliveries', async () => {
    const { owner, lead, webhook } = await seeded(LEADS)
    const headers = { Authorization: `Token ${keyOf(owner)}` }
    const { json } = await send(statistics, { method: 'GET', headers })
    expect(json.calls.total).toBe(historyOf(LEADS))
    expect(json.leads.total).toBe(LEADS)
    expect(json.by_day.every(({ calls }: { calls: number }) => calls > 0)).toBe(true)
    expect(json.by_lead_type.length * json.by_lead_source.length).toBe(3 * 4)
    const params = { id: `${webhook}` }
    const list = async (query: Record<string, string>) => (await send(deliveries, { method: 'GET', params, query, headers })).json
    // A list of deliveries counts up to 1,000.
    expect(historyOf(LEADS)).toBeGreaterThan(1000)
    expect(await list({})).toMatchObject({ count: 1000 })
    expect(await list({ status: 'failed' })).toMatchObject({ count: historyOf(LEADS) / 10 })
    const { json: called } = await send(callsOfLead, { method: 'GET', params: { id: `${lead}` }, headers })
    expect(called.count).toBe(historyOf(LEADS) / (LEADS / 5))
  })

  it('no view costs more with 2,000 leads than with 1,000, beyond what it counts or previews', async () => {
    process.env['UPLOADS_BUCKET'] = 'uploads'
    const measured = async (leads: number) => {
      const { owner, lead, webhook } = await seeded(leads)
      return measureScreens(owner, lead, webhook)
    }
    const [few, many] = [await measured(1000), await measured(LEADS)]
    expect([...many].filter(([name, units]) => units > (few.get(name) ?? 0) + mostMoreOf(name))).toEqual([])
    expect(many.get('calls')).toBeGreaterThan(0)
  })
})
