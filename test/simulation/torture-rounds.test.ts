import { describe, expect, it } from '@jest/globals'
import { MINUTE, SECOND } from '#shared/platform/values/durations.ts'
import { NOON, sampleCall, sampleLead } from '#test/support/samples.ts'
import { playVapi } from './platforms/play-vapi.ts'
import type { DialledCall } from './torture/rounds/dialled-calls.ts'
import type { Party } from './torture/rounds/parties.ts'
import type { LeadEvidence, RoundEvidence } from './torture/rounds/round-evidence.ts'
import { roundFaults } from './torture/rounds/round-findings.ts'
import { HURRIED, runRounds } from './torture/rounds/run-rounds.ts'

/** The short form of the rounds of `npm run simulate -- torture`. */
it('agents on platforms of every kind call nobody twice and lose nothing, while everything fails', async () => {
  const lines: string[] = []
  const plan = { rounds: 1, each: 1, seed: 1, pace: HURRIED, defect: null }
  const { faults, lines: table } = await runRounds(plan, (line) => lines.push(line))
  expect({ faults, lines: [...lines, ...table] }).toEqual({ faults: [], lines: expect.any(Array) })
  expect(table).toContainEqual(expect.stringContaining('hottest key'))
  for (const kind of ['repeatable', 'findable', 'neither']) expect(table).toContainEqual(expect.stringContaining(` ${kind} `))
})

const ENDED = NOON + 240 * MINUTE
const party: Party = {
  ...{ platform: playVapi, adapter: 'vapi', kind: 'findable', isPolled: true, blockedFor: MINUTE },
  ends: [{ end: 'customer-busy', outcomes: ['busy'] }],
}
const FATE = { completed_time: NOON + MINUTE, settled_time: NOON + MINUTE, reported_outcome: 'busy' } as const
const call = (changes: Partial<ReturnType<typeof sampleCall>> = {}) =>
  sampleCall({
    ...{ asked_time: NOON, accepted_time: NOON, provider_call_id: 'v-1', verdicts: { due: 'DUE' }, ...FATE, ...changes },
  })
const rang = (changes: Partial<DialledCall> = {}): DialledCall => ({
  ...{ party, platformCallId: 'v-1', callId: '7-1', phone: '+12125550001', end: 'customer-busy', outcomes: ['busy'] },
  ...{ rangAt: NOON, endsAt: NOON + MINUTE, endedAt: NOON + MINUTE, isCancelled: false, ...changes },
})
const lead = (changes: Partial<LeadEvidence> = {}): LeadEvidence => ({
  ...{ id: 7, party, lead: sampleLead({ attempts: 1 }), calls: [call()], stopped: null, ...changes },
})
const evidence = (changes: Partial<RoundEvidence> = {}): RoundEvidence => ({
  ...{ leads: [lead()], dialled: [rang()], searched: new Set<string>(), holds: [], lines: 2, mostLines: 2, ended: ENDED, ...changes },
})

const OUTSTANDING = { completed_time: null, settled_time: null, reported_outcome: null }
const GIVEN_UP = { completed_time: null, reported_outcome: null, unknown_time: NOON + MINUTE, accepted_time: null, provider_call_id: null }
const withCall = (changes: Parameters<typeof call>[0]) => ({ leads: [lead({ calls: [call(changes)] })] })
const withLead = (changes: Parameters<typeof sampleLead>[0]) => ({ leads: [lead({ lead: sampleLead(changes) })] })

describe('a round', () => {
  it('a round of the torture simulation has no fault when calls have outcomes, and open leads a next call', () => {
    expect(roundFaults(evidence())).toEqual([])
  })

  it.each<[string, Partial<RoundEvidence>]>([
    ['a call that was given up after a look-up, although it rang', { ...withCall(GIVEN_UP), searched: new Set(['7-1']) }],
    ['a call that only just began', withCall({ ...OUTSTANDING, intent_time: ENDED - MINUTE, not_after: ENDED })],
    ['a lead without a next call whose person asked for that', withLead({ call_dnc: true, next_call_time: null, due_list: null })],
    [
      'a lead in a call',
      {
        leads: [
          lead({
            lead: sampleLead({ current_call: '7-1', next_call_time: null }),
            calls: [call({ settled_time: null, intent_time: ENDED })],
          }),
        ],
      },
    ],
  ])('a round of the torture simulation may have %s', (_, changes) => {
    expect(roundFaults(evidence(changes))).toEqual([])
  })

  it.each<[string, Partial<RoundEvidence>, RegExp]>([
    [
      'two phones that rang for one attempt',
      { dialled: [rang(), rang({ rangAt: NOON + 20 * SECOND, phone: '+12125550002' })] },
      /attempt 7-1 rang 2/,
    ],
    ['a phone that rang without an attempt', { dialled: [rang(), rang({ callId: '8-1', phone: '+12125550002' })] }, /8-1 rang without/],
    ['a phone that rang too late', { dialled: [rang({ rangAt: NOON + MINUTE, endedAt: NOON + 2 * MINUTE })] }, /7-1 rang after its last/],
    [
      'an outcome that is lost',
      withCall({ completed_time: null, reported_outcome: null, unknown_time: NOON }),
      /outcome of call 7-1 is lost/,
    ],
    [
      'another outcome than the call had',
      withCall({ reported_outcome: 'completed' }),
      /ended as customer-busy, and has the outcome completed/,
    ],
    ['an outcome of a call that never rang', { dialled: [] }, /7-1 never rang, and has the outcome busy/],
    [
      'a call that rang and counts as refused',
      withCall({ ...OUTSTANDING, settled_time: NOON, refused_time: NOON }),
      /rang, and counts as refused/,
    ],
    ['a call that is never over', withCall(OUTSTANDING), /7-1 is not over 240 minutes/],
    ['a call that was never looked up', withCall(GIVEN_UP), /7-1 was given up, and never looked up/],
    ['a call without verdicts', withCall({ verdicts: {} }), /7-1 has no verdicts/],
    ['a lead that is gone', { leads: [lead({ lead: undefined })] }, /lead 7 is gone/],
    ['a lead that nobody calls again', withLead({ next_call_time: null, due_list: null }), /neither a next call nor one in progress/],
    ['a lead on no list', withLead({ due_list: null }), /neither a next call/],
    ['a lead in a call that is over', withLead({ current_call: '7-1', next_call_time: null }), /neither a next call/],
    ['a lead in a call that is not there', withLead({ current_call: '7-2' }), /in call 7-2, which is not there/],
    ['a call after a stop', { leads: [lead({ stopped: NOON - 1 })] }, /7-1 was decided on after a stop/],
    ['a phone that is held', { holds: [{ callId: '7-1', what: 'phone', minutes: 90 }] }, /held its phone for 90 minutes/],
    ['more calls than lines', { mostLines: 3 }, /3 calls at once on 2 lines/],
  ])('a round of the torture simulation does not hide %s', (_, changes, fault) => {
    expect(roundFaults(evidence(changes))).toEqual([expect.stringMatching(fault)])
  })

  it('a round of the torture simulation does not hide two calls to one phone at once', () => {
    const other = { id: 8, lead: sampleLead({ id: 8 }), calls: [call({ call_id: '8-1', lead: 8 })] }
    const dialled = [rang(), rang({ callId: '8-1', rangAt: NOON + 20 * SECOND, endedAt: NOON + 2 * MINUTE })]
    expect(roundFaults(evidence({ leads: [lead(), lead(other)], dialled }))).toEqual(['call 8-1 rang during call 7-1 to the same phone'])
  })
})
