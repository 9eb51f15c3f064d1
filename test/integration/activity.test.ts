import { describe, expect, it } from '@jest/globals'
import * as v from 'valibot'
import { handler as bulkCreate } from '#functions/leads/bulk-create.ts'
import { handler as activity } from '#functions/users/activity.ts'
import { components } from '#lib/openapi/schemas.ts'
import { saveLeadType } from '#shared/accounts/lead-type-store.ts'
import { countFailure, getBreaker, openBreaker } from '#shared/agents/breaker-store.ts'
import { OPENS_AFTER } from '#shared/agents/rules/breaker.ts'
import { now } from '#shared/platform/clock.ts'
import { MINUTE, SECOND } from '#shared/platform/values/durations.ts'
import { callWorld } from '#test/support/agent-calls.ts'
import { setClock } from '#test/support/clock.ts'
import { created, newPhone, writeUnits } from '#test/support/lead-requests.ts'
import { pause, unpause } from '#test/support/pauses.ts'
import { importList } from '#test/support/registries.ts'
import { NOON, sampleLeadType } from '#test/support/samples.ts'
import { unitsOf } from '#test/support/units.ts'
import { KEY, OTHER_KEY, OWNER, request } from '#test/support/world.ts'

const { world, queued, place, told } = callWorld()

const seen = async (key = KEY) => {
  const { status, body } = await request(activity, {
    method: 'GET',
    path: '/api/users/me/activity/',
    headers: { Authorization: `Token ${key}` },
  })
  expect(status).toBe(200)
  expect(v.safeParse(components.Activity, body).issues).toBeUndefined()
  return body
}

/** The second user has two lines. */
const OTHER = 2
const ofOther = (fields: Record<string, unknown> = {}) => created(fields, OTHER_KEY)

describe('the activity of a user', () => {
  it('the activity of a user without leads shows nothing', async () => {
    expect(await seen(OTHER_KEY)).toEqual({
      ...{ paused: false, paused_existing_leads: false, lines: { limit: 2, in_use: 0 }, calls: [] },
      ...{ overdue: 0, due_in_next_hour: 0, next_leads: [], holds: [] },
    })
  })

  it('the activity of a user shows calls in progress, leads that wait for a line, and leads of the next hour', async () => {
    const [first, second, third] = [await ofOther(), await ofOther(), await ofOther()]
    const later = await ofOther({ call_schedule_start_time: new Date(NOON + 30 * MINUTE).toISOString() })
    await ofOther({ call_schedule_start_time: new Date(NOON + 90 * MINUTE).toISOString() })
    setClock(NOON + SECOND)
    for (const message of await queued()) await place([message])
    const { lines, calls, overdue, due_in_next_hour, next_leads } = await seen(OTHER_KEY)
    expect(lines).toEqual({ limit: 2, in_use: 2 })
    expect(calls.map(({ lead, call_status }: { lead: number; call_status: string }) => [lead, call_status]).toSorted()).toEqual([
      [first.id, 'DIALING'],
      [second.id, 'DIALING'],
    ])
    expect({ overdue, due_in_next_hour }).toEqual({ overdue: 1, due_in_next_hour: 1 })
    expect(next_leads.map(({ lead }: { lead: number }) => lead)).toEqual([third.id, later.id])
    for (const { id } of [first, second]) await told(`${id}-1`, 'call.completed', { outcome: 'not_interested' })
    expect(await seen(OTHER_KEY)).toMatchObject({ lines: { in_use: 0 }, calls: [], overdue: 1 })
  })
})

describe('what holds leads back', () => {
  const holdsOf = async (key = KEY): Promise<Record<string, unknown>[]> => (await seen(key)).holds

  it('a pause is shown with the leads that came due during it', async () => {
    await pause(OWNER, {})
    await created()
    await place(await queued())
    expect(await seen()).toMatchObject({
      paused: true,
      holds: [{ reason: 'PAUSED', lead_type: null, leads: 1, until: null, detail: null }],
    })
    await unpause(OWNER)
    expect(await seen()).toMatchObject({ paused: false })
  })

  it('an inactive lead type is shown with its leads', async () => {
    await saveLeadType(sampleLeadType({ id: 6, owner: OWNER, active: false }))
    setClock(NOON + MINUTE)
    await created({ lead_type: 6 })
    await place(await queued())
    expect(await holdsOf()).toContainEqual({ reason: 'LEAD_TYPE', lead_type: 6, leads: 1, until: null, detail: null })
  })

  it('a lead type is shown once it names an agent that does not exist', async () => {
    await saveLeadType(sampleLeadType({ id: 7, owner: OWNER, agent: 'nobody' }))
    expect(await holdsOf()).toContainEqual({ reason: 'NO_AGENT', lead_type: 7, leads: null, until: null, detail: null })
  })

  it('an inactive lead type is shown although many newer ones are active', async () => {
    for (let id = 100; id < 160; id++) await saveLeadType(sampleLeadType({ id, owner: OWNER, name: `Type ${id}` }))
    expect(await holdsOf()).toContainEqual({ reason: 'LEAD_TYPE', lead_type: 6, leads: 1, until: null, detail: null })
  })

  it('a do-not-call list that was never imported, or is too old, is shown for each active lead type that obeys it', async () => {
    const registries = (list: string) => ({ lists: [list], exemption: 'none' as const, relationship_field: null, relationship_days: 540 })
    await saveLeadType(sampleLeadType({ id: 8, owner: OTHER, registries: registries('national') }))
    await saveLeadType(sampleLeadType({ id: 9, owner: OTHER, registries: registries('state:TX') }))
    await saveLeadType(sampleLeadType({ id: 10, owner: OTHER, active: false, registries: registries('state:TX') }))
    await importList('national', ['+12125550000'], '2026-10-01')
    const shown = (await holdsOf(OTHER_KEY)).filter(({ reason }) => reason === 'REGISTRY')
    expect(shown.map(({ lead_type, detail }) => [lead_type, detail]).toSorted()).toEqual([
      [8, 'The do-not-call list national of 2026-10-01 is older than 31 days.'],
      [9, 'The do-not-call list state:TX was never imported.'],
    ])
  })

  it('leads that wait for an answer about their number are counted', async () => {
    const reassigned_numbers = { where: 'everywhere' as const, date_field: 'agreed', creation_counts: false, max_age_days: 31 }
    await saveLeadType(sampleLeadType({ id: 11, owner: OTHER, consent_field: null, reassigned_numbers }))
    await ofOther({ lead_type: 11, metadata: { agreed: '2026-06-10' } })
    await place(await queued())
    expect(await holdsOf(OTHER_KEY)).toContainEqual({ reason: 'REASSIGNED', lead_type: null, leads: 1, until: null, detail: null })
  })

  it('an agent that is down is shown for each of its lead types, with the time at which it is tried again', async () => {
    const agent = { id: 'simulator', url: world().agent.url, secrets: [world().agentSecret] }
    for (let failures = 0; failures < OPENS_AFTER; failures++) await countFailure(agent as never, 'It has answered 500.')
    const until = now() + MINUTE
    await openBreaker('simulator', await getBreaker('simulator'), {
      openings: 1,
      open_until: until,
      reason: 'It has answered 500.',
      owner: null,
    })
    const down = (await holdsOf()).filter(({ reason }) => reason === 'AGENT_DOWN')
    expect(down[0]).toMatchObject({ leads: null, detail: 'It has answered 500.', until: '2026-11-20T16:01:00.000000+00:00' })
    const named = down.map(({ lead_type }) => lead_type)
    expect(new Set(named).size).toBe(named.length)
    expect(named).toEqual(expect.arrayContaining([158, 159]))
  })
})

describe('the price of the activity', () => {
  /** In 20 minutes. */
  const plan = async (count: number): Promise<void> => {
    const call_schedule_start_time = new Date(NOON + 20 * MINUTE).toISOString()
    const leads = Array.from({ length: count }, () => ({
      phone_number: newPhone(),
      timezone: 'America/New_York',
      call_schedule_start_time,
    }))
    expect(await request(bulkCreate, { method: 'POST', path: '/api/leads/bulk-create/', body: { leads } })).toMatchObject({ status: 200 })
  }

  /** With users and agents remembered: on a slow machine, planning takes longer than they are kept. */
  const price = async () => {
    await seen()
    return unitsOf(seen)
  }

  it('the activity counts at most 100 leads, so that twice as many leads cost no more', async () => {
    await plan(500)
    const first = await price()
    expect(await seen()).toMatchObject({ due_in_next_hour: 100 })
    await plan(500)
    const second = await price()
    expect(second.read).toBe(first.read)
    expect(first.read).toBeLessThan(40)
    expect(await writeUnits(seen)).toBe(0)
    process.stdout.write(`an activity with 100 leads of each kind: ${first.read} read units\n`)
  })
})
