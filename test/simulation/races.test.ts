import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { chanceFrom } from './lateness/chance.ts'
import { type Limits, startLimits } from './limits/start-limits.ts'
import { raceAgent } from './races/agent.ts'
import { readCommandLine, SHORT } from './races/command-line.ts'
import { faultsOf, type Outcome } from './races/findings.ts'
import { linesOf } from './races/lines.ts'
import { KINDS, type Kind, planRaces } from './races/plan.ts'
import { PLANTS, type Plant, planted } from './races/plants.ts'
import { runRaces } from './races/run.ts'

const RETRIES = { retries: SHORT.retries }

const AGAINST = { phone: 'do not call', lines: 'paused', lead: 'CANCELLED' }

/** Races whose dial transaction lacks one condition. */
const planWith = (plants: readonly Plant[], seed: number) =>
  plants.flatMap((plant) => planRaces(16, { seed, ...RETRIES, plant, index: 100 * (PLANTS.indexOf(plant) + 1) }))

/** Plants that caused no fault in any race. */
const hidden = (plants: readonly Plant[], outcomes: readonly Outcome[]): Plant[] =>
  plants.filter((plant) => {
    const faults = faultsOf(outcomes.filter(({ subject: { race } }) => race.plant === plant))
    return !faults.some((fault) => fault.includes(`was written against "${AGAINST[plant]}"`))
  })

/** Milliseconds for which functions cache users, lead types and agents. */
const CACHED = 10_500

let limits: Limits
// The table's client is made once, so further runs need the engine of the first one. Each run has a table of its own.
beforeAll(async () => {
  limits = await startLimits()
})
afterAll(() => limits.stop())

/** The short form of `npm run simulate -- races`, together with races that lack a condition. */
it('no call is dialled against a stop, unless a condition of the dial is missing', async () => {
  const plain = planRaces(60, { seed: 1, ...RETRIES })
  const results = await runRaces([...plain, ...planWith(PLANTS, 2)], { ...SHORT, rate: 36 }, 1, limits)
  const outcomes = results.outcomes.filter(({ subject: { race } }) => race.plant === null)
  expect({ faults: [...results.faults, ...faultsOf(outcomes)], lines: linesOf(outcomes) }).toEqual({
    faults: [],
    lines: expect.any(Array),
  })
  expect(outcomes).toHaveLength(60)
  expect(results.lines).toContainEqual(expect.stringContaining('hottest key'))
  expect(outcomes.filter(({ accepted }) => accepted !== null).length).toBeGreaterThan(0)
  // The machine decides which side wins. If no race was close enough, more races run.
  let unseen = hidden(PLANTS, results.outcomes)
  for (let seed = 3; seed < 30 && unseen.length > 0; seed++) {
    await sleep(CACHED)
    unseen = hidden(unseen, (await runRaces(planWith(unseen, seed), { ...SHORT, rate: 36 }, seed, limits)).outcomes)
  }
  expect(unseen).toEqual([])
})

/** A correct race in which the dial came first: the agent accepted, then the call was stopped and cancelled. */
const outcomeOf = (kind: Kind, changes: Partial<Outcome> = {}): Outcome => {
  const race = { ...planRaces(20, { seed: 1, ...RETRIES }).find((one) => one.kind === kind)!, patch: { call_dnc: true } }
  const dial = { callId: '7-1', kind: 'dial', arrived: 40, time: 1040, notAfter: 31_000, answered: 90, answer: 'accepted' } as const
  return {
    subject: { race, lead: 7, owner: 1, fellow: 2, phone: '+12125550100', phonePk: 'PHONE#1#hash', other: null },
    asked: 50,
    acknowledged: 100,
    acknowledgedTime: 1100,
    tries: 1,
    lifted: null,
    intents: [{ callId: '7-1', lead: 7, place: 3, time: 1010, against: null }],
    stopped: 5,
    completed: null,
    dials: [{ callId: '7-1', begun: 20, answered: 30, result: 'committed' }],
    requests: [dial, { ...dial, kind: 'cancel', arrived: 150, notAfter: Number.POSITIVE_INFINITY }],
    accepted: 90,
    runs: [10],
    end: { status: 'CANCELLED', call_dnc: true, next_call_time: null, promised_time: null, due_list: null },
    calls: 1,
    ...changes,
  }
}

/** Faults of this race, next to one good race of each order. */
const faults = (outcome: Outcome): string[] =>
  faultsOf([outcome, outcomeOf('flag on the lead'), outcomeOf('flag on the lead', { intents: [], requests: [], dials: [] })])

const [intent] = outcomeOf('flag on the lead').intents
const [dial] = outcomeOf('flag on the lead').requests

describe('a race', () => {
  it.each(KINDS)('a race has no fault when the dial came first and the call was cancelled: %s', (kind) => {
    expect(faults(outcomeOf(kind))).toEqual([])
  })

  it.each<[string, Kind, Partial<Outcome>, RegExp]>([
    ['an intent against a stop', 'entry on the list', { intents: [{ ...intent!, against: 'do not call' }] }, /against "do not call"/],
    [
      'an intent that was decided after the acknowledgement',
      'lead cancelled',
      { intents: [{ ...intent!, time: 1101 }] },
      /after the acknowledgement/,
    ],
    [
      'an intent that was sent after the acknowledgement',
      'pause of all',
      { dials: [{ callId: '7-1', begun: 101, answered: 120, result: 'committed' }] },
      /1 ms after the acknowledgement/,
    ],
    ['an intent that nobody wrote', 'pause of all', { dials: [] }, /written by nobody/],
    ['a request after its not_after', 'pause of all', { requests: [{ ...dial!, notAfter: 1039 }] }, /1 ms after its not_after/],
    [
      'a request for what was written as accepted',
      'pause of all',
      { requests: [dial!, { ...dial!, arrived: 5091, answered: 5100 }], runs: [10, 95] },
      /asked again 1 times after its acceptance was written/,
    ],
    [
      'a request long after the stop',
      'pause of all',
      {
        requests: [
          { ...dial!, answer: 'failed' },
          { ...dial!, arrived: 5101, answered: 5150 },
        ],
        accepted: 5150,
        runs: [10, 5050],
      },
      /asked 1 times by runs that began after the acknowledgement/,
    ],
    ['a call that is not cancelled', 'report of another call', { requests: [dial!] }, /was not asked to cancel 7-1/],
    ['a stop that is nowhere', 'flag on the lead', { stopped: null }, /shows no stop/],
    [
      'a stop that is undone',
      'lead cancelled',
      { end: { ...outcomeOf('lead cancelled').end, status: 'OPEN' } },
      /did not stay stopped: .*OPEN/,
    ],
    [
      'a callback after a cancellation',
      'cancelled in the call',
      { end: { ...outcomeOf('lead cancelled').end, next_call_time: 5000, due_list: 'CALL' } },
      /did not stay stopped/,
    ],
    ['a second call after a cancellation', 'cancelled in the call', { calls: 2 }, /has 2 calls/],
  ])('the races simulation reveals %s', (_, kind, changes, fault) => {
    expect(faults(outcomeOf(kind, changes))).toEqual([expect.stringMatching(fault)])
  })

  it('a race may have one request in flight per handled message when the stop is acknowledged', () => {
    const requests = [
      { ...dial!, answer: 'failed' },
      { ...dial!, arrived: 9000, answered: 9100 },
    ] as const
    expect(faults(outcomeOf('pause of all', { requests, runs: [10, 20] }))).toEqual([])
  })

  it('a race may have a call after the end of the pause', () => {
    const intents = [{ ...intent!, time: 5000 }]
    const dials = [{ callId: '7-1', begun: 300, answered: 310, result: 'committed' }] as const
    expect(
      faults(outcomeOf('pause of all', { lifted: 200, intents, dials, requests: [{ ...dial!, arrived: 9000, answered: 9100 }] })),
    ).toEqual([])
  })

  it('the races simulation is inconclusive when one order never occurs', () => {
    expect(faultsOf([outcomeOf('pause of all')])).toEqual(['all races: the stop never came first, which shows nothing'])
    expect(faultsOf([outcomeOf('pause of all', { intents: [], dials: [] })])).toEqual([expect.stringContaining('the dial never')])
  })

  it('the races simulation plans races of every kind, and one in ten happens in a call', () => {
    const kinds = planRaces(1000, { seed: 1, retries: 30_000 }).map(({ kind }) => kind)
    expect(kinds.filter((kind) => kind === 'cancelled in the call')).toHaveLength(100)
    for (const kind of KINDS) expect(kinds.filter((one) => one === kind).length).toBeGreaterThanOrEqual(100)
  })
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
    for (const plant of PLANTS) expect(() => planted(plant, { TransactItems: [] })).toThrow(`no condition of the ${plant}`)
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
    expect(races(readCommandLine(['--short'], {}))).toBe(60)
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
