import { describe, expect, it } from '@jest/globals'
import { isValidPhoneNumber } from 'libphonenumber-js'
import { readCommandLine } from './torture/command-line.ts'
import { type Evidence, faultsOf, type State, type Told } from './torture/faults.ts'
import { ENDINGS, MOST_PERSONS, personOf } from './torture/people.ts'

const NOW = Date.parse('2026-11-20T16:10:00Z')
const LATER = new Date(NOW + 1_800_000).toISOString()
const at = (seconds: number) => new Date(NOW - 300_000 + seconds * 1000).toISOString()

type Call = Evidence['dials']['calls'][number]
interface Lead {
  readonly phone: string
  readonly state: State
  readonly call?: Partial<Call>
  readonly told: readonly string[]
}

const CALLED = ['LEAD_CREATED', 'BEFORE_CALLING', 'CALL_COMPLETE']
const stateOf = (changes: Partial<State>): State => ({
  status: 'OPEN',
  status_detail: null,
  status_reason: 'UNKNOWN',
  call_dnc: false,
  next_call_time: LATER,
  ...changes,
})

/** A lead whose call ended as its phone number decides. */
const called = (phone: string, changes: Partial<Lead> = {}): Lead => {
  const { state, isCalledAgain, told } = ENDINGS[phone.slice(-4)]!
  return {
    phone,
    state: stateOf({ status_reason: 'CHAT', next_call_time: isCalledAgain ? LATER : null, ...state }),
    call: {},
    told: [...CALLED, ...told],
    ...changes,
  }
}

/** A lead that was not called. */
const uncalled = (phone: string, changes: Partial<Lead> = {}): Lead => ({ phone, state: stateOf({}), told: ['LEAD_CREATED'], ...changes })

const tellings = (id: number, { told }: Lead): Told[] =>
  told.map((trigger) => ({
    webhookId: `${id}-${trigger}`,
    payload: { id, trigger, ...(/CALL_|CALLING/.test(trigger) && trigger !== 'CALL_DNC' && { call: { call_id: `${id}-1` } }) },
  }))

const callOf = (id: number, { phone, call }: Lead): Call[] => {
  const times = { first_request_time: at(id * 2), first_request_service_time: at(id * 2), end_time: at(id * 2 + 1) }
  const acknowledged = { acknowledged: true, acknowledged_time: at(id * 2 + 1.6) }
  return call ? [{ key: `${id}-1`, phone, dialled: true, ...times, ...acknowledged, ...call }] : []
}

/** Evidence of a run with these leads, numbered from 1. */
const evidenceOf = (leads: readonly Lead[], changes: Partial<Evidence> = {}): Evidence => {
  const numbered = leads.map((lead, index) => [index + 1, lead] as const)
  const calls = numbered.flatMap(([id, lead]) => callOf(id, lead))
  const counted = (names: readonly string[]) =>
    Object.fromEntries([...Map.groupBy(names, (name) => name)].map(([name, all]) => [name, all.length]))
  return {
    leads: new Map(numbered.map(([id, { phone }]) => [id, phone])),
    asked: new Map(Object.entries(counted(leads.map(({ phone }) => phone)))),
    states: new Map(numbered.map(([id, { state }]) => [id, state])),
    told: numbered.flatMap(([id, lead]) => tellings(id, lead)),
    forged: 0,
    dials: {
      by_key: counted(calls.map(({ key }) => key)),
      by_phone: counted(calls.map(({ phone }) => phone)),
      requests: counted(calls.map(({ key }) => key)),
      in_progress_overlaps: 0,
      reports: { sent: 0, pending: 0, most_at_once: 0 },
      calls,
    },
    lines: 10,
    now: NOW,
    ...changes,
  }
}

const faults = (leads: readonly Lead[], changes?: Partial<Evidence>) => faultsOf(evidenceOf(leads, changes)).faults
const A = '+12122000001'
const OPEN = '+12122000002'
const STOPS = '+12122000007'

describe('a run without a fault', () => {
  it('the torture simulation finds no fault when every call ended with the outcome of its number', () => {
    const all = Object.keys(ENDINGS).map((digits) => called(`+1212200${digits}`))
    const report = faultsOf(evidenceOf(all))
    expect(report.faults).toEqual([])
    expect(report.lines).toContain('  called, the outcome taken up: 9')
  })

  it('the torture simulation permits a lead of unknown fate that was not called but has a next call', () => {
    const report = faultsOf(evidenceOf([uncalled(A, { told: ['LEAD_CREATED', 'BEFORE_CALLING', 'CALL_FAILED'] })]))
    expect(report.faults).toEqual([])
    expect(report.lines).toContain('  not called: of unknown fate, the next call stands: 1')
  })

  it('the torture simulation permits a lead that waits for its phone', () => {
    const waiting = uncalled(A, { state: stateOf({ next_call_time: new Date(NOW + 60_000).toISOString() }) })
    expect(faults([called(A), waiting])).toEqual([])
  })

  it('the torture simulation permits an uncalled lead whose person asked for a stop in another call', () => {
    expect(faults([called(STOPS), uncalled(STOPS, { state: stateOf({ call_dnc: true, next_call_time: null }) })])).toEqual([])
  })

  it('the torture simulation permits an outcome that arrives after half a minute of silence', () => {
    const late = called(A, { state: stateOf({}), call: { acknowledged_time: at(40) }, told: [...CALLED, 'CALL_FAILED'] })
    const report = faultsOf(evidenceOf([late]))
    expect(report.faults).toEqual([])
    expect(report.lines).toContain('  called, the outcome told after half a minute of silence: 1')
  })
})

const doubled = (leads: readonly Lead[], changes: Partial<Evidence['dials']>) => {
  const evidence = evidenceOf(leads)
  return { dials: { ...evidence.dials, ...changes } }
}

describe('the faults of a run', () => {
  it.each<[string, readonly Lead[], Partial<Evidence>, RegExp]>([
    ['a lead that is gone', [called(A)], { states: new Map() }, /^lead 1 \(0001\): was acknowledged and is not there$/],
    ['a lead that was not called', [uncalled(A)], {}, /was not called \(OPEN, UNKNOWN, next call stands\)/],
    [
      'a lead that was not called and has no next call',
      [uncalled(A, { state: stateOf({ next_call_time: null }), told: ['LEAD_CREATED', 'BEFORE_CALLING', 'CALL_FAILED'] })],
      {},
      /was not called \(OPEN, UNKNOWN, no next call\)/,
    ],
    [
      'a lead that waits for a phone that it has alone',
      [uncalled(A, { state: stateOf({ next_call_time: at(360) }) })],
      {},
      /was not called/,
    ],
    ['a lead that waits too long for its phone', [called(A), uncalled(A)], {}, /lead 2 .*was not called/],
    ['a stop that nobody asked for', [uncalled(A, { state: stateOf({ call_dnc: true, next_call_time: null }) })], {}, /was not called/],
    ['a missing event', [called(A, { told: CALLED })], {}, /no LEAD_CLOSED/],
    ['a call that was not announced', [called(OPEN, { told: ['LEAD_CREATED', 'CALL_COMPLETE'] })], {}, /no BEFORE_CALLING/],
    ['a call without its completion', [called(OPEN, { told: ['LEAD_CREATED', 'BEFORE_CALLING'] })], {}, /no CALL_COMPLETE/],
    [
      'an outcome that was never accepted',
      [called(OPEN, { call: { acknowledged: false, acknowledged_time: null } })],
      {},
      /could not tell/,
    ],
    ['a completed call told as failed', [called(OPEN, { told: [...CALLED, 'CALL_FAILED'] })], {}, /took place, and was told as failed/],
    [
      'another end than the call had',
      [called(A, { state: stateOf({ status: 'LOST', next_call_time: null }) })],
      {},
      /its call ended, and it is LOST/,
    ],
    ['a next call after the last', [called(A, { state: { ...called(A).state, next_call_time: LATER } })], {}, /next call stands/],
    [
      'no next call where there should be one',
      [called(OPEN, { state: { ...called(OPEN).state, next_call_time: null } })],
      {},
      /no next call/,
    ],
    ['a call dialled twice', [called(A)], doubled([called(A)], { by_key: { '1-1': 2 } }), /call 1-1 was dialled 2 times/],
    ['a second attempt', [called(A)], doubled([called(A)], { by_key: { '1-1': 1, '1-2': 1 } }), /lead 1 was dialled in 2 attempts/],
    [
      'a phone dialled more often than it has leads',
      [called(A)],
      doubled([called(A)], { by_phone: { [A]: 2 } }),
      /was dialled 2 times, for 1 leads/,
    ],
    ['a person called after saying no', [called(STOPS), called(STOPS)], {}, /0007 was dialled 2 times, for 1 leads/],
    [
      'two calls to one phone at once',
      [called(A)],
      doubled([called(A)], { in_progress_overlaps: 1 }),
      /1 calls to a phone already in a call/,
    ],
    [
      'more calls than lines',
      [called(A), called(OPEN, { call: { first_request_time: at(2.5) } })],
      { lines: 1 },
      /2 calls at once on 1 lines/,
    ],
    ['a forged webhook', [called(A)], { forged: 1 }, /1 webhooks had a wrong signature/],
    [
      'an event under two ids',
      [called(A)],
      { told: [...evidenceOf([called(A)]).told, { webhookId: 'other', payload: { id: 1, trigger: 'LEAD_CLOSED' } }] },
      /1 LEAD_CLOSED {2}came under 2 ids|1 LEAD_CLOSED came under 2 ids/,
    ],
  ])('the torture simulation finds %s', (_, leads, changes, fault) => {
    const found = faults(leads, changes)
    expect(found).toHaveLength(1)
    expect(found[0]).toMatch(fault)
  })

  it('the torture simulation finds a fault in every lead of a service that loses every outcome', () => {
    const lost = Array.from({ length: 20 }, (_, index) =>
      called(personOf(index * 3).phone_number, { state: stateOf({}), told: ['LEAD_CREATED', 'BEFORE_CALLING', 'CALL_FAILED'] }),
    )
    const found = faults(lost)
    for (let id = 1; id <= 20; id++) expect(found).toContainEqual(expect.stringMatching(new RegExp(`^lead ${id} .*no CALL_COMPLETE$`)))
  })
})

describe('the persons of a run', () => {
  const persons = Array.from({ length: MOST_PERSONS + 20 }, (_, index) => personOf(index))

  it('the simulated persons have valid numbers, shared by two at most, and unique emails', () => {
    expect(persons.filter(({ phone_number }) => !isValidPhoneNumber(phone_number))).toEqual([])
    expect(Math.max(...[...Map.groupBy(persons, ({ phone_number }) => phone_number).values()].map((all) => all.length))).toBe(2)
    expect(new Set(persons.map(({ email }) => email)).size).toBe(persons.length)
  })

  it('the simulated persons cover every outcome and share phones among the first two dozen', () => {
    const phones = persons.slice(0, 24).map(({ phone_number }) => phone_number)
    expect(new Set(phones.map((phone) => phone.slice(-4)))).toEqual(new Set(Object.keys(ENDINGS)))
    expect(new Set(phones).size).toBe(21)
  })
})

describe('the command line of the torture simulation', () => {
  it('the torture simulation has defaults', () => {
    expect(readCommandLine([], 7)).toEqual({
      kind: 'run',
      options: {
        ...{ kills: 100, restarts: 10, leads: 300, seed: 7, settlingSeconds: 480, isPatient: true },
        ...{ rounds: 5, each: 6, plant: null },
      },
    })
  })

  it('the torture simulation gives help', () => {
    expect(readCommandLine(['--help'], 7)).toEqual({ kind: 'help' })
  })

  it.each([
    [['--kills', 'many'], /--kills .*"many"/],
    [['--leads', '3001'], /--leads .*"3001"/],
    [['--seed', '-1'], /--seed/],
    [['--sed', '1'], /--sed/],
    [['x'], /x/],
  ])('the torture simulation refuses %j in one sentence', (args, sentence) => {
    const read = readCommandLine(args, 7)
    expect(read).toEqual({ kind: 'mistake', message: expect.stringMatching(sentence) })
    expect(read.kind === 'mistake' && read.message).toMatch(/^[^\n]+[.?]$/)
  })
})
