import { describe, expect, it } from '@jest/globals'
import * as v from 'valibot'
import { handler as update } from '#functions/leads/update.ts'
import { handler as retrieve } from '#functions/statistics/retrieve.ts'
import { components } from '#lib/openapi/schemas.ts'
import { dayCountsKey, leadCountsKey } from '#shared/platform/keys.ts'
import { inLanes } from '#shared/platform/lanes.ts'
import { putItem } from '#shared/platform/table/table.ts'
import { DAY, HOUR } from '#shared/platform/values/durations.ts'
import { COUNTED_OUTCOMES, callsName } from '#shared/statistics/rules/counted.ts'
import { daysAfter } from '#shared/statistics/rules/period.ts'
import { MOST_SOURCES } from '#shared/statistics/rules/source-name.ts'
import { callWorld } from '#test/support/agent-calls.ts'
import { setClock } from '#test/support/clock.ts'
import { countedItems, differencesIn } from '#test/support/counted-items.ts'
import { created } from '#test/support/lead-requests.ts'
import { NOON } from '#test/support/samples.ts'
import { countBatch, recordsFrom } from '#test/support/stream-records.ts'
import { unitsOf } from '#test/support/units.ts'
import { OTHER_KEY, request } from '#test/support/world.ts'

const { world, inCall, told } = callWorld()

/** The user of the other key. */
const OTHER = 2

/** Counts all changes of the table so far. */
const countAll = async () => countBatch(await recordsFrom(world().engine.url))

const asked = async (query = '', headers: Record<string, string> = {}) => {
  const answer = await request(retrieve, { method: 'GET', path: `/api/statistics/${query}`, headers })
  if (answer.status === 200) expect(v.safeParse(components.Statistics, answer.body).issues).toBeUndefined()
  return answer
}

describe('statistics of a user', () => {
  it('statistics of a user without leads are zero, with null for rates', async () => {
    const { status, body } = await asked('', { Authorization: `Token ${OTHER_KEY}` })
    expect(status).toBe(200)
    expect(body).toMatchObject({ from: '2026-10-22', to: '2026-11-20', created: 0, by_lead_type: [], by_lead_source: [] })
    expect(body.leads).toMatchObject({ total: 0, by_status: { OPEN: 0 } })
    expect(body.calls).toMatchObject({ total: 0, contacts: 0, transfers: 0, contact_rate: null, transfer_rate: null })
    expect(body.calls.by_hour).toEqual(Array.from({ length: 24 }, () => 0))
    expect(body.by_day).toHaveLength(30)
  })

  it('statistics of a user count leads by status and calls by outcome, day, hour, lead type and source', async () => {
    await created({ lead_source: 'web' })
    const [first, second] = [await inCall({ lead_source: 'web' }), await inCall()]
    await told(first.call, 'call.completed', { outcome: 'transferred_warm', is_contact: true })
    await told(second.call, 'call.completed', { outcome: 'no_answer', is_contact: false })
    const cancelled = await created({ lead_source: 'fair' })
    const path = `/api/leads/${cancelled.id}/`
    await request(update, { method: 'PATCH', path, parameters: { id: `${cancelled.id}` }, body: { status: 'CANCELLED' } })
    await countAll()
    const { body } = await asked('?from=2026-11-20&to=2026-11-20')
    expect(body.leads).toMatchObject({ total: 4, by_status: { OPEN: 2, CLOSED: 1, CANCELLED: 1 } })
    expect(body.created).toBe(4)
    const rates = { contacts: 1, transfers: 1 }
    expect(body.calls).toMatchObject({ ...rates, by_outcome: { COMPLETED_CLOSED_LIVE_TRANSFER: 1, DIAL_NO_ANSWER: 1 } })
    expect(body.calls.by_hour[16]).toBe(body.calls.total)
    expect(body.calls.by_attempt).toEqual([body.calls.total, ...Array.from({ length: 9 }, () => 0)])
    expect(body.by_day).toEqual([
      {
        date: '2026-11-20',
        created: 4,
        calls: body.calls.total,
        failed: 0,
        ...rates,
        contact_rate: body.calls.contact_rate,
        transfer_rate: body.calls.transfer_rate,
        by_outcome: body.calls.by_outcome,
      },
    ])
    expect(body.by_lead_type).toMatchObject([{ lead_type: 4, leads: 4, created: 4, calls: body.calls.total }])
    expect(body.by_lead_source.map((part: { lead_source: string; leads: number }) => [part.lead_source, part.leads])).toEqual(
      expect.arrayContaining([
        ['web', 2],
        ['', 1],
        ['fair', 1],
      ]),
    )
    const web = (await asked('?from=2026-11-20&lead_source=%20web&lead_type=4')).body
    expect(web).toMatchObject({ created: 2, leads: { total: 2 }, calls: { transfers: 1 } })
    expect((await asked('?lead_type=5')).body).toMatchObject({ created: 0, leads: { total: 0 }, by_lead_type: [] })
    expect(differencesIn(await countedItems())).toEqual([])
    expect((await asked('', { Authorization: `Token ${OTHER_KEY}` })).body).toMatchObject({
      created: 0,
      leads: { total: 0 },
      calls: { total: 0 },
    })
  })

  it('statistics of a user show only the days of the period, by the time of the service', async () => {
    setClock(NOON + 40 * DAY + 12 * HOUR)
    await created()
    await countAll()
    const { body } = await asked()
    expect(body).toMatchObject({ from: '2026-12-02', to: '2026-12-31', created: 1, calls: { total: 0 } })
    expect((await asked('?from=2026-11-20&to=2026-11-21')).body.created).toBe(body.leads.total - 1)
    expect((await asked('?to=2026-11-19')).body).toMatchObject({ from: '2026-10-21', to: '2026-11-19', created: 0 })
  })

  it('statistics of a lead type or of its source read little of an account with many lead types', async () => {
    const days = Array.from({ length: 30 }, (_, index) => daysAfter('2026-10-22', index))
    const hours = Array.from({ length: 24 }, (_, hour) => hour)
    const counts = Object.fromEntries(hours.flatMap((hour) => COUNTED_OUTCOMES.map((outcome) => [callsName(hour, outcome), 1])))
    const groups = Array.from({ length: 40 }, (_, index) => ({ leadType: 1000 + (index >> 1), source: `s${index % 2}` }))
    await inLanes(8, groups, async (group) => {
      await putItem({ ...leadCountsKey(OTHER, group), OPEN: 1 })
      for (const day of days) await putItem({ ...dayCountsKey(OTHER, day, group), ...counts })
    })
    const costOf = async (query: string, calls: number, leads: number): Promise<number> => {
      const { read } = await unitsOf(async () => {
        const { body } = await asked(query, { Authorization: `Token ${OTHER_KEY}` })
        expect(body).toMatchObject({ calls: { total: calls }, leads: { total: leads } })
      })
      return read
    }
    const each = hours.length * COUNTED_OUTCOMES.length
    const all = await costOf('', 30 * 40 * each, 40)
    for (const [query, of] of [
      ['?lead_type=1019', 2],
      ['?lead_type=1019&lead_source=s1', 1],
      ['?lead_type=1000', 2],
    ] as const)
      expect(await costOf(query, 30 * of * each, of)).toBeLessThan(all / 3)
  })

  it.each([
    ['?from=yesterday', { from: ['Date has wrong format. Use one of these formats instead: YYYY-MM-DD. You sent "yesterday".'] }],
    ['?to=2026-02-30', { to: [expect.stringMatching(/^Date has wrong format/)] }],
    ['?from=2026-11-03&to=2026-11-02', { to: ['The period is empty: it ends on 2026-11-02, before it begins on 2026-11-03.'] }],
    ['?from=2025-11-01&to=2026-11-02', { from: ['Ensure the period has no more than 92 days. It has 367.'] }],
    ['?lead_type=x&from=', { from: [expect.stringMatching(/^Date has/)], lead_type: [expect.stringMatching(/^Incorrect type/)] }],
    ['?lead_source=%20', { lead_source: [expect.stringMatching(/^This field may not be blank/)] }],
  ])('statistics refuse a wrong parameter: %s', async (query, errors) => {
    expect(await asked(query)).toMatchObject({ status: 400, body: errors })
  })

  it('statistics of a source that has no numbers of its own are refused, and say where it is counted', async () => {
    for (let index = 0; index < MOST_SOURCES + 2; index++) await created({ lead_source: `source ${index}` })
    await countAll()
    const answers = []
    for (let index = 0; index < MOST_SOURCES + 2; index++) answers.push(await asked(`?lead_source=source%20${index}`))
    const refused = answers.filter(({ status }) => status === 400)
    expect(refused.length).toBeGreaterThanOrEqual(2)
    expect(refused[0]!.body).toEqual({ lead_source: [expect.stringContaining('This one counts as `(other)`')] })
    expect((await asked('?lead_source=(other)')).body.leads.total).toBe(refused.length)
  })
})
