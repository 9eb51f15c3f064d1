import { describe, expect, it } from '@jest/globals'
import { afterRefusal } from '#shared/calling/rules/dial/refusal.ts'
import { judge } from '#shared/calling/rules/gates/judge.ts'
import { dateToAsk, isReassignmentAsked, reassigned } from '#shared/calling/rules/gates/reassigned.ts'
import { callAfterHold } from '#shared/calling/rules/hold.ts'
import type { ConsentType } from '#shared/consents/consent.ts'
import { noConsent } from '#shared/consents/rules/current-consent.ts'
import { DAY, HOUR } from '#shared/platform/values/durations.ts'
import type { Answer, ReassignedAnswer } from '#shared/reassigned/answer.ts'
import { NEW_PHONE } from '#shared/stops/compliance.ts'
import { sampleInputs } from '#test/support/sample-inputs.ts'
import { NOON, sampleLeadType } from '#test/support/samples.ts'

type Use = NonNullable<ReturnType<typeof sampleLeadType>['reassigned_numbers']>

const checking = (use: Partial<Use> = {}) =>
  sampleLeadType({ reassigned_numbers: { where: 'law', date_field: 'agreed', creation_counts: false, max_age_days: 31, ...use } })

const leadType = checking()
const zone = { timezone: 'America/New_York' }

/** A lead in Maine whose consent is of a day. */
const maine = (agreed: unknown = '2026-06-10') => ({ us_state: 'ME', metadata: { ...zone, agreed } })
const lead = maine()
const said = (answer: Answer, date = '2026-06-10', asked_on = '2026-11-18'): ReassignedAnswer => ({ date, answer, asked_on })
const consent = (time: number, type: ConsentType = 'written') => ({ ...noConsent(7, '+12125550001'), given: { sequence: 1, type, time } })

describe('the gate of reassigned numbers', () => {
  it.each([
    ['a lead type that checks nothing', { lead }, true, 'NOT_ASKED'],
    ['a state without such a law', { leadType, lead: { ...lead, us_state: 'NY' } }, true, 'NOT_ASKED'],
    ['any state when all leads are checked', { leadType: checking({ where: 'everywhere' }), lead: { us_state: 'NY' } }, false, 'NO_DATE'],
    ['a number outside the plan', { leadType, lead: { ...lead, phone_number: '+442071838750' } }, true, 'NOT_ASKED'],
    ['no known state but the clock of Maine', { leadType, lead: { us_state: '', metadata: zone } }, false, 'NO_DATE'],
    ['no known day', { leadType, lead: { us_state: 'ME' } }, false, 'NO_DATE'],
    ['a record that nobody consented', { leadType, lead: { us_state: 'ME' }, consent: consent(NOON, 'none') }, false, 'NO_DATE'],
    ['a day to come', { leadType, lead: maine('2026-11-21') }, false, 'NO_DATE'],
    ['a day that does not exist', { leadType, lead: maine('2026-06-31') }, false, 'NO_DATE'],
    ['a day in another form', { leadType, lead: maine('10 June') }, false, 'NO_DATE'],
    ['no answer', { leadType, lead }, false, 'MISSING'],
    ['a no', { leadType, lead, reassigned: [said('no')] }, true, 'NOT_REASSIGNED'],
    ['a no about an earlier day', { leadType, lead, reassigned: [said('no', '2026-06-09')] }, true, 'NOT_REASSIGNED'],
    ['a no about a later day', { leadType, lead, reassigned: [said('no', '2026-06-11')] }, false, 'MISSING'],
    ['a yes', { leadType, lead, reassigned: [said('yes')] }, false, 'REASSIGNED'],
    ['a yes about a later day', { leadType, lead, reassigned: [said('yes', '2026-06-11')] }, false, 'REASSIGNED'],
    ['a yes about an earlier day', { leadType, lead, reassigned: [said('yes', '2026-06-09')] }, false, 'MISSING'],
    ['an old yes', { leadType, lead, reassigned: [said('yes', '2026-06-10', '2026-07-01')] }, false, 'REASSIGNED'],
    ['a yes and a no', { leadType, lead, reassigned: [said('no', '2026-06-09'), said('yes', '2026-06-11')] }, false, 'REASSIGNED'],
    ['no data', { leadType, lead, reassigned: [said('no_data')] }, false, 'NO_DATA'],
    ['no data about an earlier day', { leadType, lead, reassigned: [said('no_data', '2026-06-09')] }, false, 'MISSING'],
    ['old lack of data', { leadType, lead, reassigned: [said('no_data', '2026-06-10', '2026-11-16')] }, false, 'TOO_OLD'],
    ['a no before the monthly change', { leadType, lead, reassigned: [said('no', '2026-06-10', '2026-11-16')] }, false, 'TOO_OLD'],
    [
      'an age that the lead type does not permit',
      { leadType: checking({ max_age_days: 1 }), lead, reassigned: [said('no')] },
      false,
      'TOO_OLD',
    ],
  ])('the gate of reassigned numbers decides by place, day and answers: %s', (_, inputs, passed, code) => {
    expect(reassigned(sampleInputs(inputs))).toMatchObject({ gate: 'reassigned', passed, code })
  })

  it('the later of the recorded consent and the day in the metadata counts, and the creation only if the lead type says so', () => {
    const dateOf = (inputs: object) => reassigned(sampleInputs({ leadType, lead, ...inputs })).inputs['date']
    const created = { leadType: checking({ creation_counts: true }), lead: { us_state: 'ME', created_time: NOON } }
    expect(dateOf({})).toBe('2026-06-10')
    expect(dateOf({ consent: consent(Date.parse('2026-08-01T16:00:00Z')) })).toBe('2026-08-01')
    expect(dateOf({ consent: consent(Date.parse('2026-05-01T16:00:00Z')) })).toBe('2026-06-10')
    expect(dateOf({ consent: consent(Date.parse('2026-08-01T16:00:00Z'), 'none') })).toBe('2026-06-10')
    expect(dateOf(created)).toBe('2026-11-20')
    expect(dateOf({ ...created, lead: { ...created.lead, ...lead } })).toBe('2026-06-10')
  })

  it('the question about a consent covers its day by every clock', () => {
    const at = (time: number) => dateToAsk(sampleInputs({ leadType, lead: { us_state: 'ME' }, consent: consent(time) }))
    expect(at(Date.parse('2026-11-20T00:30:00Z'))).toBe('2026-11-19')
    expect(at(Date.parse('2026-11-20T00:30:00Z') - 13 * HOUR)).toBe('2026-11-18')
  })

  it('only a missing or old answer is asked for', () => {
    const asked = (answers: readonly ReassignedAnswer[], more: object = {}) =>
      dateToAsk(sampleInputs({ leadType, lead, reassigned: answers, ...more }))
    expect(asked([])).toBe('2026-06-10')
    expect(asked([said('no', '2026-06-10', '2026-10-20')])).toBe('2026-06-10')
    expect(asked([said('yes', '2026-06-09')])).toBe('2026-06-10')
    for (const answers of [[said('no')], [said('yes')], [said('no_data')]]) expect(asked(answers)).toBeUndefined()
    expect(asked([], { lead: maine(null) })).toBeUndefined()
    expect(asked([], { lead: { ...lead, us_state: 'NY' } })).toBeUndefined()
  })

  it('the law of Maine holds from its local day on', () => {
    const before = Date.parse('2024-08-09T03:59:59Z')
    const inputs = sampleInputs({ leadType, lead })
    expect(reassigned({ ...inputs, now: before }).code).toBe('NOT_ASKED')
    expect(reassigned({ ...inputs, now: before + 1000 }).code).not.toBe('NOT_ASKED')
    expect(reassigned(inputs)).toMatchObject({ rule: 'reassigned numbers database', citation: '10 M.R.S. 1499-B', next_time: null })
    const everywhere = sampleInputs({ leadType: checking({ where: 'everywhere' }), lead: { us_state: 'NY' } })
    expect(reassigned(everywhere)).toMatchObject({ citation: '47 CFR 64.1200(m)' })
  })

  it('the answers are read for a lead that a law covers at any time, because plans look at other times, and for no other lead', () => {
    const inputs = sampleInputs({ leadType, lead, now: Date.parse('2024-08-01') })
    expect(isReassignmentAsked(inputs)).toBe(true)
    expect(isReassignmentAsked({ ...inputs, lead: { ...inputs.lead, us_state: 'NY' } })).toBe(false)
    expect(isReassignmentAsked({ ...inputs, leadType: sampleLeadType() })).toBe(false)
  })

  it('an answer counts until the database changes, and on the days of the change only on its own day', () => {
    const answered = (asked_on: string) => sampleInputs({ leadType, lead, reassigned: [said('no', '2026-06-10', asked_on)] })
    const code = (asked_on: string, at: string) => reassigned({ ...answered(asked_on), now: Date.parse(at) }).code
    expect(code('2026-11-17', '2026-12-14T23:59:59Z')).toBe('NOT_REASSIGNED')
    expect(code('2026-11-17', '2026-12-15T00:00:00Z')).toBe('TOO_OLD')
    expect(code('2026-12-15', '2026-12-15T23:59:59Z')).toBe('NOT_REASSIGNED')
    expect(code('2026-12-15', '2026-12-16T00:00:00Z')).toBe('TOO_OLD')
    expect(code('2026-12-16', '2026-12-17T00:00:00Z')).toBe('TOO_OLD')
    expect(code('2026-12-17', '2027-01-14T23:59:59Z')).toBe('NOT_REASSIGNED')
    expect(code('2026-12-17', '2027-01-15T00:00:00Z')).toBe('TOO_OLD')
  })

  it('a refused lead waits for an answer, and is called when the answers no longer refuse it', () => {
    const inputs = sampleInputs({ leadType, lead })
    expect(afterRefusal(inputs, reassigned(inputs))).toMatchObject({ due_list: 'HELD', held_by: 'reassigned 1', next_call_time: NOON })
    const held = { ...inputs, lead: { ...inputs.lead, due_list: 'HELD' as const, held_by: 'reassigned 1' } }
    expect(callAfterHold(held)).toMatchObject({ held_by: 'reassigned 1' })
    expect(callAfterHold({ ...held, reassigned: [said('no')] })).toMatchObject({ due_list: 'CALL', held_by: null })
    expect(callAfterHold({ ...held, now: NOON + 30 * DAY, reassigned: [said('no')] })).toMatchObject({ held_by: 'reassigned 1' })
  })

  it('the gate is listed only for lead types that check numbers', () => {
    const names = (inputs: object) => judge(sampleInputs(inputs)).map(({ gate }) => gate)
    expect(names({})).not.toContain('reassigned')
    expect(names({ leadType, lead: { us_state: 'NY' } })).toContain('reassigned')
  })
})

describe('the day of the consent, when a weaker consent is later', () => {
  const both = (type: ConsentType, demanded: 'oral' | 'written' | null, exemption: 'none' | 'consent' = 'none') => ({
    leadType: {
      ...checking(),
      consent_type: demanded,
      registries: { lists: ['national'], exemption, relationship_field: null, relationship_days: 0 },
    },
    lead: { us_state: 'ME', metadata: zone },
    consent: { ...consent(NOON - 9 * DAY, 'written_seller'), weaker: [{ sequence: 2, type, time: NOON - 2 * DAY }] },
  })

  it.each<[string, ReturnType<typeof both>, string]>([
    ['the weaker one is enough', both('oral', 'oral'), '2026-11-18'],
    ['the lead type demands none', both('oral', null), '2026-11-18'],
    ['the weaker one is not enough', both('oral', 'written'), '2026-11-11'],
    ['the weaker one records that nobody consented', both('none', null), '2026-11-11'],
    ['only the stronger one exempts from a registry', both('written', 'written', 'consent'), '2026-11-11'],
  ])('it is that of the latest consent that is enough: %s', (_, inputs, date) => {
    expect(dateToAsk(sampleInputs(inputs))).toBe(date)
  })

  it('a revocation to another user ends the later consent too', () => {
    const inputs = { ...both('oral', 'oral'), phone: { ...NEW_PHONE, call_revoked: NOON - DAY } }
    expect(dateToAsk(sampleInputs(inputs))).toBeUndefined()
  })
})
