import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { forgetConfiguration } from '#test/support/cache-clock.ts'
import { chanceFrom } from './lateness/chance.ts'
import { type Limits, startLimits } from './limits/start-limits.ts'
import { raceAgent } from './races/agent.ts'
import { readCommandLine, SHORT, SHORT_RACES } from './races/command-line.ts'
import { faultsOf, type Outcome } from './races/findings.ts'
import { linesOf } from './races/lines.ts'
import { planRaces } from './races/plan.ts'
import { CONDITIONS, PLANTS, type Plant, planted } from './races/plants.ts'
import { runRaces } from './races/run.ts'

const RETRIES = { retries: SHORT.retries }

const AGAINST = { phone: 'do not call', lines: 'paused', lead: 'CANCELLED', demand: 'no consent' }

/** Races whose dial transaction lacks one condition, or whose lead type demands no consent. */
const planWith = (plants: readonly Plant[], seed: number) =>
  plants.flatMap((plant) => planRaces(16, { seed, ...RETRIES, plant, index: 100 * (PLANTS.indexOf(plant) + 1) }))

/** Plants that caused no fault in any race. */
const hidden = (plants: readonly Plant[], outcomes: readonly Outcome[]): Plant[] =>
  plants.filter((plant) => {
    const faults = faultsOf(outcomes.filter(({ subject: { race } }) => race.plant === plant))
    return !faults.some((fault) => fault.includes(`was written against "${AGAINST[plant]}"`))
  })

let limits: Limits
// The table's client is made once, so further runs need the engine of the first one. Each run has a table of its own.
beforeAll(async () => {
  limits = await startLimits()
})
afterAll(() => limits.stop())

/** The short form of `npm run simulate -- races`, together with races that lack a condition. */
it('no call is dialled against a stop or without a consent, unless a condition of the dial or the demand is missing', async () => {
  const plain = planRaces(SHORT_RACES, { seed: 1, ...RETRIES })
  const results = await runRaces([...plain, ...planWith(PLANTS, 2)], { ...SHORT, rate: 36 }, 1, limits)
  const outcomes = results.outcomes.filter(({ subject: { race } }) => race.plant === null)
  expect({ faults: [...results.faults, ...faultsOf(outcomes)], lines: linesOf(outcomes) }).toEqual({
    faults: [],
    lines: expect.any(Array),
  })
  expect(outcomes).toHaveLength(SHORT_RACES)
  expect(outcomes.filter(({ parts }) => parts !== null)).toHaveLength((SHORT_RACES * 2) / 5)
  expect(results.lines).toContainEqual(expect.stringContaining('hottest key'))
  expect(outcomes.filter(({ accepted }) => accepted !== null).length).toBeGreaterThan(0)
  // The machine decides which side wins. If no race was close enough, more races run.
  let unseen = hidden(PLANTS, results.outcomes)
  for (let seed = 3; seed < 30 && unseen.length > 0; seed++) {
    forgetConfiguration()
    unseen = hidden(unseen, (await runRaces(planWith(unseen, seed), { ...SHORT, rate: 36 }, seed, limits)).outcomes)
  }
  expect(unseen).toEqual([])
})

describe('a planted fault', () => {
  it('a planted fault removes the condition of a write and keeps the write', () => {
    const Update = {
      TableName: 'leads',
      Key: { pk: 'PHONE#1#hash', sk: 'PHONE' },
      UpdateExpression: 'SET current_call = :call ADD version :one',
      ConditionExpression: 'version = :version',
      ExpressionAttributeValues: { ':call': '7-1', ':one': 1, ':version': 3 },
    }
    const { ConditionExpression: _, ...without } = { ...Update, ExpressionAttributeValues: { ':call': '7-1', ':one': 1 } }
    expect(planted('phone', { TransactItems: [{ Update }] })).toEqual({ TransactItems: [{ Update: without }] })
  })

  it('a fault cannot be planted where there is no such condition', () => {
    for (const plant of CONDITIONS) expect(() => planted(plant, { TransactItems: [] })).toThrow(`no condition of the ${plant}`)
  })
})

describe('the simulated agent of the races', () => {
  it('the simulated agent of the races records requests to dial and to cancel a call', async () => {
    const agent = raceAgent(chanceFrom(1), SHORT)
    agent.favour('7-1')
    const received = { method: 'POST', headers: {}, time: 0 }
    const ask = (path: string, body: object) =>
      agent.respond({ ...received, path, body: JSON.stringify(body) }, 1, { destroyed: false } as never)
    expect(await ask('/1', { call_id: '7-1', not_after: '2026-11-20T16:00:30Z' })).toMatchObject({ status: 200 })
    await ask('/1/cancel', { call_id: '7-1' })
    expect(agent.requests).toMatchObject([
      { kind: 'dial', callId: '7-1', answer: 'accepted', notAfter: Date.parse('2026-11-20T16:00:30Z') },
      { kind: 'cancel', callId: '7-1' },
    ])
  })
})

describe('the command line of the races simulation', () => {
  it('the races simulation has defaults, and reads the environment', () => {
    const races = (read: ReturnType<typeof readCommandLine>) => (read.kind === 'run' ? read.options.races.length : read)
    expect(races(readCommandLine([], {}))).toBe(1000)
    expect(races(readCommandLine([], { RACES: '50' }))).toBe(50)
    expect(races(readCommandLine(['--short'], {}))).toBe(SHORT_RACES)
    expect(readCommandLine(['--help'], {})).toEqual({ kind: 'help' })
  })

  it.each([[['--races', 'many']], [['--races', '3']], [['--seed', '0']], [['--plant', 'tree']], [['--sed', '1']], [['x']]])(
    'the races simulation refuses %j in one sentence',
    (args) => {
      const read = readCommandLine(args, {})
      expect(read).toEqual({ kind: 'mistake', message: expect.stringMatching(/^[^\n]+[.?]$/) })
    },
  )
})
