import { describe, expect, it } from '@jest/globals'
import type { Explanation } from '#lib/client/operations.ts'
import { leadVerdict } from '#lib/console/lead/verdict.ts'
import { texts } from '#lib/console/texts.ts'
import { GATE_NAMES } from '#shared/platform/values/values.ts'

type Gate = Explanation['gates'][number]

const LATER = '2026-11-20T18:00:00.000000+00:00'
const LATEST = '2026-11-23T18:00:00.000000+00:00'

/** An explanation in which only these gates refuse, each with the time at which it opens. */
const explained = (
  refusals: Partial<Record<Gate['gate'], string | null>>,
  fields: Pick<Explanation, 'callable'> & Partial<Explanation>,
): Explanation => ({
  ...{ lead_id: 51, at: '2026-11-20T16:00:00.000000+00:00', next_callable_time: null, timezones: [], timezone_source: null },
  location: { state: null, zip: null, source: null },
  gates: GATE_NAMES.map((gate) => ({
    ...{ gate, passed: !(gate in refusals), detail: gate, inputs: {}, rule: null, citation: null },
    next_time: refusals[gate] ?? null,
  })),
  ...fields,
})

const { now, chosen } = texts.verdict

describe('the verdict about a lead in the console', () => {
  it.each([
    ['a lead that may be called', explained({}, { callable: true }), 'callable', undefined, null],
    ['a planned lead', explained({ due: LATER }, { callable: true }), 'planned', 'due', LATER],
    ['a lead without a planned call', explained({ due: null }, { callable: true }), 'unplanned', 'due', null],
    [
      'a lead outside its hours, which opens before its start time',
      explained({ start_time: LATEST, due: LATEST, window: LATER }, { callable: false, next_callable_time: LATEST }),
      'later',
      'start_time',
      LATEST,
    ],
    ['a lost lead outside its hours', explained({ status: null, due: null, window: LATER }, { callable: false }), 'never', 'status', null],
    ['a paused lead', explained({ paused: null, due: LATER }, { callable: false }), 'never', 'paused', null],
    [
      'a lead whose phone is in use',
      explained({ due: null, call_in_progress: LATER }, { callable: false, next_callable_time: LATER }),
      'calling',
      'call_in_progress',
      LATER,
    ],
    [
      'a lead that is being called and was stopped',
      explained({ dnc: null, due: null, call_in_progress: LATER }, { callable: false }),
      'calling',
      'dnc',
      null,
    ],
    ['a lead that waits for an outcome', explained({ due: null }, { callable: false, next_callable_time: LATER }), 'awaited', 'due', LATER],
    [
      'a lead that waits for a line',
      explained({ capacity: null }, { callable: false, next_callable_time: '2026-11-20T16:00:00.000000+00:00' }),
      'line',
      'capacity',
      null,
    ],
    ['a lead without any line', explained({ capacity: null }, { callable: false }), 'never', 'capacity', null],
    [
      'a lead whose voice agent is down',
      explained({ capacity: LATER }, { callable: false, next_callable_time: LATER }),
      'later',
      'capacity',
      LATER,
    ],
  ] as const)('%s has one verdict, and the check that decides', (_, explanation, word, gate, next) => {
    const { text, reason, next: told } = leadVerdict(explanation, true)
    expect({ text, gate: reason?.gate, next: told }).toEqual({ text: now[word], gate, next })
    expect(leadVerdict(explanation, false).text).toBe(chosen[word])
  })

  it('a lead outside its hours whose call is planned for a later time than they open waits for that call', () => {
    const explanation = explained({ due: LATEST, window: LATER }, { callable: false, next_callable_time: LATER })
    expect(leadVerdict(explanation, true)).toMatchObject({ text: now.planned, reason: { gate: 'due' }, next: LATEST })
    const busy = explained({ due: LATEST, capacity: null }, { callable: false, next_callable_time: LATER })
    expect(leadVerdict(busy, true)).toMatchObject({ text: now.planned, reason: { gate: 'due' }, next: LATEST })
    expect(leadVerdict(explanation, false)).toMatchObject({ text: chosen.later, reason: { gate: 'window' }, next: LATER })
  })
})
