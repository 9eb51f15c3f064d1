import { describe, expect, it } from '@jest/globals'
import { handler as callingHours } from '#functions/calling-hours/retrieve.ts'
import { handler as explain } from '#functions/leads/explain.ts'
import { send } from '#test/support/api-event.ts'
import { created } from '#test/support/lead-requests.ts'
import { suiteWorld } from '#test/support/suite-world.ts'
import { KEY } from '#test/support/world.ts'
import { changesOfRules, minuteOf } from '../unit/rules/fixtures/changes.ts'
import { rowOn } from '../unit/rules/fixtures/rules-text.ts'
import { isLawful } from '../unit/rules/fixtures/slow-reference.ts'

suiteWorld()

const CHANGES = changesOfRules().map(({ code, from, zones }) => ({ code, from, zone: zones[0]! }))
const DAY = 24 * 60 * 60_000
const dayBefore = (date: string): string => new Date(Date.parse(date) - DAY).toISOString().slice(0, 10)

const headers = { Authorization: `Token ${KEY}` }

const windowOf = async (id: number, at: number) => {
  const path = `/api/leads/${id}/explain/`
  const query = { at: new Date(at).toISOString() }
  const { status, json } = await send(explain, { method: 'GET', path, params: { id: `${id}` }, query, headers })
  expect(status).toBe(200)
  return json.gates.find(({ gate }: { gate: string }) => gate === 'window')
}

const stateAt = async (code: string, at: number) => {
  const query = { at: new Date(at).toISOString() }
  const { json } = await send(callingHours, { method: 'GET', path: '/api/calling-hours/', query, headers })
  return json.states.find(({ state }: { state: string }) => state === code)
}

/** Half hours that tell the windows of all rules apart, and the middle of the day. */
const CLOCKS = [8 * 60 + 30, 9 * 60 + 30, 12 * 60 + 30, 19 * 60 + 30, 20 * 60 + 30]

describe('an explanation for a time around a change of the law', () => {
  it.each(CHANGES)('an explanation applies and cites the text of that day: $code, before and from $from', async ({ code, from, zone }) => {
    const { id } = await created({ us_state: code, timezone: zone })
    for (const date of [dayBefore(from), from]) {
      const { from: since, until, citations } = rowOn(code, date)
      for (const minute of CLOCKS) {
        const at = minuteOf(zone, date, minute)
        const gate = await windowOf(id, at)
        expect(`${date} ${minute} ${gate.passed}`).toBe(
          `${date} ${minute} ${isLawful({ zones: [zone], codes: [code], account: null }, at)}`,
        )
        expect(gate.inputs.rules).toEqual([
          { rule: 'federal', from: null, until: null },
          { rule: code, from: since, until },
        ])
        const cites = gate.passed || gate.inputs.closed.some(({ rule }: { rule: string }) => rule === code)
        if (cites) expect(gate.citation.split('; ')).toEqual(expect.arrayContaining(citations.flatMap((one: string) => one.split('; '))))
      }
    }
  })

  it('the explanation of a refusal says that the rules change before the next time', async () => {
    const { id } = await created({ us_state: 'PA', timezone: 'America/New_York' })
    // A Saturday evening. On the day after it, Sundays are closed.
    expect(await windowOf(id, Date.parse('2026-10-17T23:00:00-04:00'))).toMatchObject({
      passed: false,
      detail: expect.stringContaining('The rules of PA change on 2026-10-18, before the next time.'),
      next_time: '2026-10-19T13:00:00.000000+00:00',
    })
    expect((await windowOf(id, Date.parse('2026-10-18T12:00:00-04:00'))).detail).toBe(
      'PA: Sunday 2026-10-18 12:00 in America/New_York: there are no calls on a Sunday.',
    )
  })

  it('a lead without a place outside its area code has the rules of the code only since its law presumes a place', async () => {
    const { id } = await created({ phone_number: '+13055550147', us_state: 'CA', timezone: 'America/Los_Angeles' })
    // 6 p.m. in California is 9 p.m. in Miami.
    const evening = (date: string) => minuteOf('America/Los_Angeles', date, 18 * 60)
    expect(await windowOf(id, evening('2021-06-30'))).toMatchObject({
      passed: true,
      inputs: { rules: [{ rule: 'federal' }, { rule: 'CA' }] },
    })
    expect(await windowOf(id, evening('2021-07-02'))).toMatchObject({ passed: false, rule: expect.stringContaining('FL') })
  })

  it('the calling hours of a state have the confidence and the dates of the text in force', async () => {
    expect(await stateAt('FL', Date.parse('2021-06-30T20:00:00Z'))).toMatchObject({
      confidence: 'medium',
      rules: [
        { rule: 'federal', from: null, until: null },
        { rule: 'FL', from: null, until: '2021-07-01' },
      ],
    })
    expect(await stateAt('FL', Date.parse('2022-06-15T16:00:00Z'))).toMatchObject({ confidence: 'high' })
    expect(await stateAt('FL', Date.parse('2026-11-20T20:00:00Z'))).toMatchObject({
      confidence: 'medium',
      rules: [
        { rule: 'federal', from: null, until: null },
        { rule: 'FL', from: '2023-05-25', until: null },
      ],
    })
  })
})
