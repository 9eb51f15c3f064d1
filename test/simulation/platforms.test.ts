import { describe, expect, it } from '@jest/globals'
import { ANSWERED_ENDS, UNANSWERED_ENDS } from '#test/support/platforms/connect-contract.ts'
import { sampleCall } from '#test/support/samples.ts'
import { PLAYED } from './platforms/all-platforms.ts'
import { readCommandLine } from './platforms/command-line.ts'
import { inFamilies } from './platforms/families.ts'
import { faultsOfPlayed } from './platforms/findings.ts'
import type { PlayedCall } from './platforms/play-calls.ts'
import { playConnect } from './platforms/play-connect.ts'
import { runPlatforms } from './platforms/run.ts'

const NAMES = PLAYED.map(({ name }) => name)

/** The short form of `npm run simulate -- platforms`. */
it('every end of a call on a voice platform has an outcome, which its lead follows', async () => {
  const { faults, lines } = await runPlatforms({ platforms: NAMES, ends: 2, courses: ['vapi'] }, () => {})
  expect({ faults, lines }).toEqual({ faults: [], lines })
  for (const name of NAMES) expect(lines).toContainEqual(expect.stringMatching(new RegExp(`^${name}: \\d ends, \\d results$`)))
})

it('every reason of an end that Amazon Connect documents is played', () => {
  const reasons = [
    ...Object.keys(UNANSWERED_ENDS).map((reason) => `unanswered: ${reason}`),
    ...Object.keys(ANSWERED_ENDS).map((reason) => `answered: ${reason}`),
  ]
  expect(playConnect.ends).toEqual(expect.arrayContaining(reasons))
})

/** A call in which nothing is wrong. */
const played = (changes: Partial<PlayedCall> = {}, call: Partial<PlayedCall['call']> = {}): PlayedCall => ({
  ...{ platform: 'open', end: 'completed', course: 'callbacks', isPolled: false, lead: 7, dials: 1, callbacks: 3, untaken: 0 },
  requests: { dial: 1, search: 0, read: 0, cancel: 0 },
  units: { dial: { read: 11, write: 11 }, after: { read: 18, write: 10 } },
  call: sampleCall({ outcome: 'COMPLETED', reported_outcome: 'completed', completed_time: 1, settled_time: 1, ...call }),
  state: { status: 'OPEN', status_detail: null, next_call_time: '2026-11-20T16:30:00Z' },
  ...changes,
})

const UNKNOWN = { outcome: null, reported_outcome: null, unknown_time: 1, completed_time: null }

describe('a played call', () => {
  it('a played call has no fault when the lead follows from its outcome', () => {
    expect(faultsOfPlayed([played()])).toEqual([])
  })

  it('a played call may be refused, or stay without an outcome when its callbacks were lost', () => {
    expect(faultsOfPlayed([played({}, { ...UNKNOWN, unknown_time: null, refused_time: 1 })])).toEqual([])
    expect(faultsOfPlayed([played({ course: 'callbacks lost' }, UNKNOWN)])).toEqual([])
  })

  it.each<[string, Partial<PlayedCall>, Partial<PlayedCall['call']>, RegExp]>([
    ['with a callback that was not taken', { untaken: 1 }, {}, /1 callbacks were not taken/],
    ['that rang two phones', { dials: 2 }, {}, /2 phones rang/],
    ['without an outcome that a poll could report', { course: 'callbacks lost', isPolled: true }, UNKNOWN, /no outcome of ours/],
    ['without an outcome', {}, UNKNOWN, /no outcome of ours/],
    ['that is never settled', {}, { settled_time: null }, /never settled/],
    ['whose lead does not follow', {}, { reported_outcome: 'not_interested' }, /is OPEN \(null\), but its outcome says LOST \(null\)/],
    ['whose open lead has no next call', { state: { ...played().state, next_call_time: null } }, {}, /no next call/],
    ['that costs more than before', { units: { ...played().units, after: { read: 1, write: 12 } } }, {}, /takes 11 write units/],
  ])('a played call %s is a fault', (_, changes, call, fault) => {
    const faults = faultsOfPlayed([played(changes, call)])
    expect(faults).toEqual([expect.stringMatching(fault)])
  })
})

it('ends of calls whose names begin alike are listed as one family if they have the same result', () => {
  const results = new Map([...['a-b-1', 'a-b-2', 'a-b-3', 'a-b-4', 'c'].map((name) => [name, 'one'] as const), ['a-c-1', 'two'] as const])
  expect(inFamilies(results)).toEqual(
    new Map([
      ['one', ['a-b-* (4)', 'c']],
      ['two', ['a-c-1']],
    ]),
  )
})

describe('the command line of the platforms simulation', () => {
  it('the platforms simulation plays everything by default, or what is named', () => {
    expect(readCommandLine([])).toEqual({ kind: 'run', options: { platforms: NAMES, ends: 1000, courses: NAMES } })
    const vapi = { platforms: ['vapi'], ends: 3, courses: ['vapi'] }
    expect(readCommandLine(['--platform', 'vapi', '--ends', '3'])).toEqual({ kind: 'run', options: vapi })
  })

  it('the platforms simulation refuses a platform that it does not know', () => {
    expect(readCommandLine(['--platform', 'phone'])).toEqual({ kind: 'mistake', message: expect.stringContaining('"phone"') })
  })
})
