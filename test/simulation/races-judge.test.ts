import { describe, expect, it } from '@jest/globals'
import { SHORT } from './races/command-line.ts'
import { faultsOf, type Outcome } from './races/findings.ts'
import { missingOrders, orderLines } from './races/orders.ts'
import { KINDS, type Kind, OF_THREE, planRaces } from './races/plan.ts'

const RETRIES = { retries: SHORT.retries }

const sentAt = (asked: number, acknowledged: number) => ({ asked, acknowledged, acknowledgedTime: acknowledged + 1000, tries: 1 })

/** A consent, then a stop and a revocation. */
const partsOf = (changes: Partial<NonNullable<Outcome['parts']>> = {}): NonNullable<Outcome['parts']> => ({
  consent: sentAt(0, 10),
  stop: sentAt(50, 100),
  revocation: sentAt(60, 110),
  ...changes,
})

const CALL: Outcome['calls'][number] = {
  call_id: '7-1',
  asked_time: 1040,
  accepted_time: 1090,
  heard_time: null,
  refused_time: null,
  unknown_time: null,
  answered_time: null,
  ended_time: null,
  completed_time: null,
  cancel_asked_time: 1150,
  failure: null,
  unclear_reason: null,
}

/** A correct race in which the dial came first: the agent accepted, then the call was stopped and cancelled. */
const outcomeOf = (kind: Kind, changes: Partial<Outcome> = {}): Outcome => {
  const planned = planRaces(40, { seed: 1, ...RETRIES }).find((one) => one.kind === kind)!
  const race = { ...planned, patch: { call_dnc: true }, three: planned.three && { ...planned.three, isConsented: false } }
  const dial = { callId: '7-1', kind: 'dial', arrived: 40, time: 1040, notAfter: 31_000, answered: 90, answer: 'accepted' } as const
  return {
    subject: { race, lead: 7, owner: 1, fellow: 2, phone: '+12125550100', email: 'a@example.com', phonePk: 'PHONE#1#hash', other: null },
    asked: 50,
    acknowledged: 100,
    acknowledgedTime: 1100,
    tries: 1,
    parts: kind === OF_THREE ? partsOf() : null,
    lifted: null,
    intents: [{ callId: '7-1', lead: 7, place: 3, time: 1010, against: null }],
    stopped: 5,
    completed: null,
    dials: [{ callId: '7-1', begun: 20, answered: 30, result: 'committed' }],
    requests: [dial, { ...dial, kind: 'cancel', arrived: 150, notAfter: Number.POSITIVE_INFINITY }],
    accepted: 90,
    runs: [10],
    end: { status: 'CANCELLED', call_dnc: true, next_call_time: null, promised_time: null, due_list: null },
    calls: [CALL],
    ...changes,
  }
}

/** Faults of this race, next to one good race of each order. */
const faults = (outcome: Outcome): string[] =>
  faultsOf([outcome, outcomeOf('flag on the lead'), outcomeOf('flag on the lead', { intents: [], requests: [], dials: [] })])

const [intent] = outcomeOf('flag on the lead').intents
const [dial] = outcomeOf('flag on the lead').requests
/** A flag that was lifted, and a call afterwards. */
const AFTER_LIFT = {
  lifted: 200,
  intents: [{ ...intent!, time: 5000 }],
  requests: [{ ...dial!, arrived: 220, answered: 230 }],
  runs: [202],
}

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
    ['an intent without the demanded consent', OF_THREE, { intents: [{ ...intent!, against: 'no consent' }] }, /against "no consent"/],
    [
      'an intent that was sent after the acknowledgement of a revocation, before that of the stop',
      OF_THREE,
      {
        acknowledged: 90,
        parts: partsOf({ revocation: sentAt(60, 90) }),
        dials: [{ callId: '7-1', begun: 95, answered: 99, result: 'committed' }],
      },
      /5 ms after the acknowledgement/,
    ],
    [
      'a request before any consent was sent',
      OF_THREE,
      { parts: partsOf({ consent: sentAt(45, 60) }) },
      /asked for 7-1 5 ms before any consent/,
    ],
    [
      'an intent after a lift, although the consent is revoked',
      OF_THREE,
      { ...AFTER_LIFT, requests: [], dials: [{ callId: '7-1', begun: 205, answered: 215, result: 'committed' }] },
      /intent of 7-1 was written after a lift, although no consent follows/,
    ],
    [
      'a request after a lift, although the consent is revoked',
      OF_THREE,
      { ...AFTER_LIFT, intents: [], dials: [] },
      /asked 1 times after a lift, although no consent follows/,
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
    [
      'a call that is not cancelled',
      'report of another call',
      { requests: [dial!] },
      /was not asked to cancel 7-1 \(answers: accepted \(sent at 1040\); asked_time 1040; accepted_time 1090/,
    ],
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
    ['a second call after a cancellation', 'cancelled in the call', { calls: [CALL, CALL] }, /has 2 calls/],
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

  it('a race may have a call after a lift if the consent was still in flight when the revocation was sent', () => {
    const dials = [{ callId: '7-1', begun: 205, answered: 215, result: 'committed' }] as const
    expect(faults(outcomeOf(OF_THREE, { ...AFTER_LIFT, dials, parts: partsOf({ consent: sentAt(0, 61) }) }))).toEqual([])
  })

  it('a race may have a call before the consent if another one was recorded before', () => {
    const outcome = outcomeOf(OF_THREE, { parts: partsOf({ consent: sentAt(45, 60) }) })
    const race = { ...outcome.subject.race, three: { ...outcome.subject.race.three!, isConsented: true } }
    expect(faults({ ...outcome, subject: { ...outcome.subject, race } })).toEqual([])
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

  it('many races of three are inconclusive when an order never occurs, when all are never sent at once, or when no lift leads to a call', () => {
    const stop = sentAt(20, 30)
    const few = Array.from({ length: 199 }, () => outcomeOf(OF_THREE, { parts: partsOf({ stop }) }))
    expect(missingOrders(few)).toEqual([])
    const missing = missingOrders([...few, ...few])
    expect(missing).toHaveLength(7)
    expect(missing).toContain('stop, consent and revocation: the order revocation, consent, stop never occurred, which shows nothing')
    const atOnce = outcomeOf(OF_THREE, { ...AFTER_LIFT, parts: partsOf({ revocation: sentAt(0, 9), stop: sentAt(0, 11) }) })
    const dials = [{ callId: '7-1', begun: 205, answered: 215, result: 'committed' }] as const
    expect(missingOrders([...few, ...few, { ...atOnce, dials }])).toHaveLength(4)
  })

  it('the report counts the races of each order, and where the dial came', () => {
    const lines = orderLines([outcomeOf(OF_THREE), outcomeOf(OF_THREE, { dials: [] }), outcomeOf('pause of all')])
    expect(lines).toHaveLength(8)
    expect(lines).toContainEqual(expect.stringMatching(/^consent, stop, revocation +2 +0 +0 +1 +0 +0 +1 +0 +0$/))
    expect(lines).toContainEqual(expect.stringMatching(/^revocation, stop, consent +0( +0)+$/))
  })

  it('the races simulation plans races of every kind: two in five have three parts, and one in ten of the others happens in a call', () => {
    const races = planRaces(1000, { seed: 1, retries: 30_000 })
    for (const kind of KINDS) expect(races.filter((one) => one.kind === kind)).toHaveLength(kind === OF_THREE ? 400 : 60)
    const sequences = new Set(races.flatMap(({ three }) => three?.sequence?.join() ?? []))
    expect(sequences.size).toBe(24)
  })
})
