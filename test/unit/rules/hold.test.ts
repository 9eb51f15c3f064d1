import { describe, expect, it } from '@jest/globals'
import { callAfterHold } from '#shared/calling/rules/hold.ts'
import { soonerCall } from '#shared/calling/rules/next-call.ts'
import { DAY, HOUR } from '#shared/platform/values/durations.ts'
import { sampleInputs } from '#test/support/sample-inputs.ts'
import { NOON, sampleLeadType, samplePolicy } from '#test/support/samples.ts'

const CLOSED = { windows: { sun: null, mon: null, tue: null, wed: null, thu: null, fri: null, sat: null } } as const
const closed = samplePolicy({ account: { ...CLOSED, holidays: 'none', closed_dates: [] } })
const off = sampleLeadType({ active: false })

const held = (held_by: string, more = {}) => ({ due_list: 'HELD' as const, held_by, ...more })

describe('a held lead', () => {
  it('a held lead stays held by the same setting while that applies, even if others apply too', () => {
    for (const held_by of ['account 1', 'lead-type 4', 'litigator hash']) {
      const inputs = sampleInputs({ lead: held(held_by), leadType: off, isLitigator: true, policy: closed })
      expect(callAfterHold(inputs)).toMatchObject({ due_list: 'HELD', held_by, next_call_time: NOON })
    }
  })

  it('a held lead is held by another setting when its own releases it', () => {
    const inputs = sampleInputs({ lead: held('litigator hash'), leadType: off, policy: closed })
    expect(callAfterHold(inputs)).toMatchObject({ due_list: 'HELD', held_by: 'lead-type 4' })
    expect(callAfterHold({ ...inputs, leadType: sampleLeadType() })).toMatchObject({ held_by: 'account 1' })
  })

  it('a held lead stays held until the last of several emergencies has ended', () => {
    const lead = { us_state: 'NY', metadata: { zip: '07030' } }
    const during = (...states: string[]) => samplePolicy({ emergencies: new Set(states) })
    const inputs = sampleInputs({ lead: { ...lead, ...held('emergency NY') }, policy: during('NY', 'NJ') })
    expect(callAfterHold(inputs)).toMatchObject({ held_by: 'emergency NY' })
    expect(callAfterHold({ ...inputs, policy: during('NJ') })).toMatchObject({ held_by: 'emergency NJ' })
    expect(callAfterHold({ ...inputs, policy: during() })).toMatchObject({ due_list: 'CALL', held_by: null })
  })

  it('a held lead waits for its agent when the agent is missing', () => {
    expect(callAfterHold(sampleInputs({ lead: held('lead-type 4'), hasAgent: false }))).toMatchObject({ held_by: 'simulator' })
  })

  it('a held lead keeps its call time and its promise when nothing holds it any more', () => {
    const promised = { next_call_time: NOON + 2 * HOUR, next_call_time_reason: 'CALLBACK' as const, promised_time: NOON + HOUR }
    expect(callAfterHold(sampleInputs({ lead: held('account 1', promised) }))).toEqual({ ...promised, due_list: 'CALL', held_by: null })
    expect(callAfterHold(sampleInputs({ lead: held('account 1', { next_call_time: NOON - HOUR }) }))).toMatchObject({
      next_call_time: NOON,
    })
  })
})

describe('a call that was moved to a later time because of the calling hours', () => {
  const tomorrow = { due_list: 'CALL' as const, next_call_time: NOON + DAY }
  const sooner = (lead: object, policy = samplePolicy()) => soonerCall(sampleInputs({ lead: { ...tomorrow, ...lead } }).lead, NOON, policy)

  it.each(['FIRST_CALL', 'OUTSIDE_WINDOW', 'REENGAGEMENT', 'RESUMED'] as const)(
    'a call that was moved because of the hours is planned sooner when its reason is %s',
    (reason) => {
      expect(sooner({ next_call_time_reason: reason })).toMatchObject({
        next_call_time: NOON,
        next_call_time_reason: reason,
        due_list: 'CALL',
      })
    },
  )

  it.each(['NEXT_AVAILABLE_SLOT', 'CALLBACK', 'SCHEDULED', 'ATTEMPT_CAP'] as const)(
    'a call that was moved because of the hours stays when its reason is %s',
    (reason) => {
      expect(sooner({ next_call_time_reason: reason })).toBeUndefined()
    },
  )

  it('a call that was moved because of the hours is never planned before its start time or its promised time', () => {
    const reason = { next_call_time_reason: 'RESUMED' as const }
    expect(sooner({ ...reason, call_schedule_start_time: NOON + HOUR })).toMatchObject({ next_call_time: NOON + HOUR })
    expect(sooner({ ...reason, promised_time: NOON + HOUR })).toMatchObject({ next_call_time: NOON + HOUR, promised_time: NOON + HOUR })
  })

  it('a call that was moved because of the hours stays when they are never open', () => {
    expect(sooner({ next_call_time_reason: 'FIRST_CALL' }, closed)).toBeUndefined()
  })
})
