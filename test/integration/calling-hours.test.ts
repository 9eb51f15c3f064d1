import { afterEach, describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import * as v from 'valibot'
import { handler as callingHours } from '#functions/calling-hours/retrieve.ts'
import { handler as explain } from '#functions/leads/explain.ts'
import { components } from '#lib/openapi/schemas.ts'
import { changeUserSettings } from '#shared/accounts/user-store.ts'
import { saveEmergencies } from '#shared/backlog/emergency-store.ts'
import { JURISDICTIONS } from '#shared/calling/rules/rules.ts'
import { DAY } from '#shared/platform/values/durations.ts'
import { send } from '#test/support/api-event.ts'
import { forgetConfiguration } from '#test/support/cache-clock.ts'
import { created } from '#test/support/lead-requests.ts'
import { NOON } from '#test/support/samples.ts'
import { suiteWorld } from '#test/support/suite-world.ts'
import { KEY, OTHER_KEY, OWNER } from '#test/support/world.ts'

type CallingHours = v.InferOutput<typeof components.CallingHours>

suiteWorld()

const asked = (at?: string, key = KEY) =>
  send(callingHours, {
    method: 'GET',
    path: '/api/calling-hours/',
    query: at === undefined ? null : { at },
    headers: { Authorization: `Token ${key}` },
  })

const hoursAt = async (at?: string, key = KEY): Promise<CallingHours> => {
  const { status, json } = await asked(at, key)
  expect(status).toBe(200)
  expect(v.safeParse(components.CallingHours, json).issues).toBeUndefined()
  return json
}

const stateAt = async (code: string, at: string, key = KEY) => (await hoursAt(at, key)).states.find(({ state }) => state === code)!

/** The verdict of the gate `window` on a lead. */
const verdictOf = async (id: number, at: string) => {
  const path = `/api/leads/${id}/explain/`
  const headers = { Authorization: `Token ${KEY}` }
  const { json } = await send(explain, { method: 'GET', path, params: { id: `${id}` }, query: { at }, headers })
  return json.gates.find(({ gate }: { gate: string }) => gate === 'window')
}

const STATES = [...JURISDICTIONS].flatMap(([code, laws]) => (laws[0]?.isMailRegion ? [] : [code]))
const instants = fc.integer({ min: 0, max: 2 * 365 * DAY }).map((after) => new Date(NOON - 365 * DAY + after).toISOString())

/** A lead of which only the state is known, and one of which the zone is known too. */
const leads = new Map<string, number>()
const leadIn = async (us_state: string, timezone?: string): Promise<number> => {
  const name = `${us_state} ${timezone}`
  const id = leads.get(name) ?? (await created({ us_state, timezone })).id
  leads.set(name, id)
  return id
}

const change = async (work: () => Promise<unknown>): Promise<void> => {
  await work()
  forgetConfiguration()
}

describe('GET /api/calling-hours/', () => {
  afterEach(async () => {
    await change(async () => {
      await changeUserSettings(OWNER, { calling_hours: null })
      await saveEmergencies([])
    })
  })

  it('the calling hours name all states, the district and the territories, but no region of military mail', async () => {
    const { states } = await hoursAt()
    expect(states.map(({ state }) => state)).toEqual(STATES)
    expect(states.map(({ name }) => name).filter((name) => !/^[A-Z][a-z]+( [a-z]+)?( [A-Z][a-z]+)*$|^US /.test(name))).toEqual([])
    expect(states.find(({ state }) => state === 'DC')).toMatchObject({ name: 'District of Columbia', confidence: 'medium' })
    expect(states.find(({ state }) => state === 'AL')).toMatchObject({ name: 'Alabama', confidence: 'high' })
    expect(states.find(({ state }) => state === 'SC')).toMatchObject({ name: 'South Carolina', confidence: 'low' })
  })

  it('the calling hours are those of now, unless another time is asked about', async () => {
    expect(Date.parse((await hoursAt()).at)).toBe(NOON)
    expect(Date.parse((await hoursAt('2026-11-26T12:00:00-06:00')).at)).toBe(Date.parse('2026-11-26T18:00:00Z'))
  })

  it('the calling hours of a state give the verdict of explain on a lead of which only the state is known, at any time', async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...STATES), instants, async (code, at) => {
        const { passed, detail, rule, citation, next_time } = await verdictOf(await leadIn(code), at)
        const hours = await stateAt(code, at)
        expect({ ...hours, next_time: passed ? null : hours.next_time }).toMatchObject({ open: passed, detail, rule, citation, next_time })
      }),
      { numRuns: 150 },
    )
  })

  it('the calling hours of a time zone give the verdict of explain on a lead in that state and zone, at any time', async () => {
    const states = (await hoursAt()).states.filter(({ timezones }) => timezones.length > 1)
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...states), fc.nat(), instants, async ({ state, timezones }, index, at) => {
        const { timezone } = timezones[index % timezones.length]!
        const { passed, next_time } = await verdictOf(await leadIn(state, timezone), at)
        const zone = (await stateAt(state, at)).timezones.find((each) => each.timezone === timezone)!
        expect(zone).toMatchObject({ open: passed, next_time: passed ? expect.any(String) : next_time })
      }),
      { numRuns: 60 },
    )
  })

  it('the window of a day holds the instant that was asked about exactly when a call may start, and begins and ends where it says', async () => {
    await fc.assert(
      fc.asyncProperty(instants, async (at) => {
        for (const { timezones } of (await hoursAt(at)).states) {
          for (const { open, window } of timezones) {
            const asked = Date.parse(at)
            expect(window !== null && Date.parse(window.from) <= asked && asked < Date.parse(window.until)).toBe(open)
          }
        }
      }),
      { numRuns: 50 },
    )
    const { timezones } = await stateAt('AL', '2026-11-20T03:00:00Z')
    expect(timezones).toEqual([
      {
        timezone: 'America/Chicago',
        open: false,
        window: { from: '2026-11-19T14:00:00.000000+00:00', until: '2026-11-20T01:59:00.000000+00:00' },
        next_time: '2026-11-20T14:00:00.000000+00:00',
      },
    ])
    expect((await stateAt('AL', '2026-11-26T18:00:00Z')).timezones[0]!.window).toBeNull()
  })

  it('the calling hours are narrowed by the hours of the account that asks, and of no other', async () => {
    const at = '2026-11-20T16:00:00Z'
    await change(() => changeUserSettings(OWNER, { calling_hours: { closed_dates: ['2026-11-20'] } as never }))
    expect(await stateAt('NY', at)).toMatchObject({ open: false, rule: 'account', citation: null })
    expect(await stateAt('NY', at, OTHER_KEY)).toMatchObject({ open: true })
  })

  it('the calling hours of a state with an emergency are closed without an end', async () => {
    await change(() => saveEmergencies(['LA']))
    expect(await stateAt('LA', '2026-11-20T18:00:00Z')).toMatchObject({
      ...{ open: false, next_time: null, detail: expect.stringContaining('A declared emergency in LA bars all calls.') },
      timezones: [{ open: false, window: null, next_time: null }],
    })
  })

  it.each(['0001-01-01T00:00:00Z', '9999-12-31T23:59:59Z', '2026-03-08T07:00:00Z', '2026-11-20T16:00:00 00:00'])(
    'the calling hours at %s have the form that the API document describes',
    async (at) => {
      expect((await hoursAt(at)).states).toHaveLength(STATES.length)
    },
  )

  it.each(['', 'tomorrow', '2026-13-01', '0000-01-01T00:00:00Z'])(
    'the calling hours at %j are refused with the formats and the value',
    async (at) => {
      expect(await asked(at)).toMatchObject({
        status: 400,
        json: { at: [expect.stringMatching(/^Datetime (has wrong format|value out of range)/)] },
      })
    },
  )

  it('the calling hours need an API key', async () => {
    expect(await asked(undefined, 'wrong')).toMatchObject({ status: 401 })
  })
})
