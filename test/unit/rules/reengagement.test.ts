import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import type { LeadType } from '#shared/accounts/configuration.ts'
import type { CreateLead } from '#shared/leads/api/lead-request.ts'
import type { Lead } from '#shared/leads/lead.ts'
import {
  type Creation,
  decideCreation,
  duplicateIds,
  type ReengagementRule,
  reengaged,
  reengagementRule,
} from '#shared/leads/rules/create/reengagement.ts'
import { emailKey } from '#shared/leads/rules/uniqueness.ts'
import { DAY } from '#shared/platform/values/durations.ts'
import { LEAD_STATUSES, type LeadStatus } from '#shared/platform/values/values.ts'
import type { Person } from '#shared/stops/compliance.ts'
import { NOON, sampleLead, sampleLeadType, samplePolicy } from '#test/support/samples.ts'

const PHONE = '+12125550001'
const UNIQUE = { non_field_errors: [expect.stringMatching(/^The fields email, phone_number, company must make a unique set\. Lead \d+ /)] }
const ELIGIBLE = ['CLOSED', 'CLOSED_INCOMPLETE', 'LOST', 'SCHEDULE_COMPLETED', 'BAD_NUMBER', 'OUT_OF_TERRITORY', 'CANCELLED']

const personOf = (leads: readonly Lead[]): Person => ({
  owner: 1,
  phone_number: PHONE,
  leads: leads.filter(({ phone_number }) => phone_number === PHONE).map(({ id, email }) => ({ id, email: emailKey(email) })),
  version: 1,
})

const rule = (changes: Partial<ReengagementRule> = {}): ReengagementRule => ({ ...reengagementRule(sampleLeadType(), 30)!, ...changes })

/** A lead closed 31 days ago, unless said otherwise. */
const old = (changes: Partial<Lead> = {}): Lead =>
  sampleLead({ status: 'CLOSED', created_time: NOON - 31 * DAY, next_call_time: null, due_list: null, ...changes })

const decide = (leads: readonly Lead[], changes: Partial<Creation> = {}) => {
  const [person, secondOpenLead] = [personOf(leads), 'allow'] as const
  const usual: Creation = { person, leads, email: null, rule: rule(), secondOpenLead, isStopped: false, now: NOON }
  const decision = decideCreation({ ...usual, ...changes })
  if (decision.action === 'create') return 'create'
  return decision.action === 'refuse' ? decision.error.fields : decision.lead.id
}

describe('the reengagement rule', () => {
  const leadType = (changes: Partial<LeadType['reengagement']>) =>
    sampleLeadType({ reengagement: { ...sampleLeadType().reengagement, ...changes } })

  it.each<[string, LeadType | undefined, number | undefined, Partial<ReengagementRule> | undefined]>([
    ['is the lead type’s', leadType({ enabled: true, min_days: 7 }), undefined, { minDays: 7, match: 'phone_and_email' }],
    ['has the request’s days', leadType({ enabled: true, min_days: 7 }), 3, { minDays: 3 }],
    ['may have no days', leadType({ enabled: true, min_days: 7 }), 0, { minDays: 0 }],
    ['applies when only the request asks for it', leadType({ enabled: false, match: 'phone' }), 3, { minDays: 3, match: 'phone' }],
    ['needs no lead type', undefined, 3, { minDays: 3, match: 'phone_and_email', eligible: ELIGIBLE as LeadStatus[] }],
    ['is absent when nobody asks for it', leadType({ enabled: false }), undefined, undefined],
    ['is absent without lead type and request', undefined, undefined, undefined],
    [
      'has the statuses of the lead type besides the usual ones',
      leadType({ enabled: true, eligible_statuses: ['OPEN'] }),
      1,
      { eligible: [...ELIGIBLE, 'OPEN'] as LeadStatus[] },
    ],
  ])('the reengagement rule %s', (_, type, asked, expected) => {
    if (expected === undefined) expect(reengagementRule(type, asked)).toBeUndefined()
    else expect(reengagementRule(type, asked)).toMatchObject(expected)
  })
})

describe('an earlier lead', () => {
  it.each(LEAD_STATUSES)('an earlier lead in status %s is reengaged only if that status is eligible', (status) => {
    expect(decide([old({ status })])).toBe(ELIGIBLE.includes(status) ? 7 : 'create')
    expect(decide([old({ status, email: 'a@b.co' })], { email: 'a@b.co' })).toEqual(ELIGIBLE.includes(status) ? 7 : UNIQUE)
  })

  it.each<[string, Lead, Partial<Creation>, unknown]>([
    ['is reengaged when it is old enough', old({ created_time: NOON - 30 * DAY }), {}, 7],
    ['is not reengaged a moment before it is old enough', old({ created_time: NOON - 30 * DAY + 1 }), {}, 'create'],
    ['counts from its last reengagement', old({ last_reengagement_time: NOON - 29 * DAY }), {}, 'create'],
    ['counts from its creation when that is later', old({ last_reengagement_time: NOON - 40 * DAY }), {}, 7],
    ['is reengaged at once with 0 days', old({ created_time: NOON }), { rule: rule({ minDays: 0 }) }, 7],
    ['is left alone when calls to it are stopped', old({ call_dnc: true }), {}, 'create'],
    ['is left alone when calls to its phone are stopped', old(), { isStopped: true }, 'create'],
    ['is reengaged when only texts are stopped', old({ sms_dnc: true }), {}, 7],
    ['is left alone without a rule', old(), { rule: undefined }, 'create'],
    ['does not match another email', old({ email: 'a@b.co' }), { email: 'c@d.co' }, 'create'],
    ['does not match with an email when there is none now', old({ email: 'a@b.co' }), {}, 'create'],
    ['does not match without an email when there is one now', old(), { email: 'a@b.co' }, 'create'],
    ['matches by its email in another case', old({ email: 'A@b.co' }), { email: 'a@B.co' }, 7],
    ['does not match when its phone has changed since', old({ phone_number: '+12125550002' }), {}, 'create'],
    ['of another owner does not match', old({ owner: 2 }), {}, 'create'],
    ['with the same email refuses a create when too young', old({ email: 'a@b.co', created_time: NOON }), { email: 'a@b.co' }, UNIQUE],
    ['with the same email refuses a create when calls are stopped', old({ email: 'a@b.co', call_dnc: true }), { email: 'a@b.co' }, UNIQUE],
    ['with the same email refuses a create without a rule', old({ email: 'a@b.co' }), { email: 'a@b.co', rule: undefined }, UNIQUE],
  ])('an earlier lead %s', (_, lead, changes, expected) => expect(decide([lead], changes)).toEqual(expected))

  it('an earlier lead is reengaged only if it is the newest eligible one', () => {
    const [first, second, third] = [old({ id: 1, position: 1 }), old({ id: 9, position: 2 }), old({ id: 5, position: 3, status: 'OPEN' })]
    expect(decide([second, first, third])).toBe(9)
    expect(decide([first, second, { ...third, status: 'LOST' }])).toBe(5)
  })
})

describe('a match by phone alone', () => {
  const byPhone = { rule: rule({ match: 'phone' }) }
  const [ann, bob] = [old({ id: 1, position: 1, email: 'ann@b.co' }), old({ id: 2, position: 2, email: 'bob@b.co' })]

  it.each<[string, Lead[], string | null, unknown]>([
    ['takes a lead with another email', [ann], 'new@b.co', 1],
    ['takes a lead without an email', [old({ id: 3 })], 'new@b.co', 3],
    ['takes the newest lead when there is no email now', [ann, bob], null, 2],
    ['takes the lead whose email it is, and not a newer one', [ann, bob], 'ann@b.co', 1],
    ['takes no lead when the email is that of one that is not eligible', [{ ...ann, status: 'OPEN' }, bob], 'ann@b.co', UNIQUE],
    ['refuses another email when no lead is eligible', [{ ...ann, status: 'OPEN' }], 'new@b.co', UNIQUE],
    ['creates a lead without an email when no lead is eligible', [{ ...ann, status: 'OPEN' }], null, 'create'],
  ])('a match by phone alone %s', (_, leads, email, expected) => expect(decide(leads, { ...byPhone, email })).toEqual(expected))
})

const made = {
  leadType: 4,
  phone: { call_dnc: false, sms_dnc: false },
  accepted: 'b',
  requestName: undefined,
  now: NOON,
  policy: samplePolicy(),
}
const input = (changes: Partial<CreateLead> = {}): CreateLead => ({ phone_number: PHONE, ...changes })

describe('a reengaged lead', () => {
  it('a reengaged lead takes new values, keeps the rest, and restarts the cadence', () => {
    const lead = old({
      metadata: { timezone: 'America/New_York', first_name: 'Ann', budget: 1 },
      external_id: 'crm-1',
      lead_source: 'web',
      representative: 3,
      us_state: 'NY',
      status_detail: 'warm_transfer',
      status_reason: 'CHAT',
      reengagements_count: 1,
      attempts: 5,
      round_attempts: 5,
      current_call: '7-5',
      last_chat: '7-5',
      sms_dnc: true,
      version: 9,
      field_times: { us_state: 'a', external_id: 'a' },
    })
    const next = reengaged(lead, input({ external_id: 'crm-2', representative: null, lead_source: '', metadata: { budget: 2 } }), made)
    expect(next).toEqual({
      ...lead,
      metadata: { timezone: 'America/New_York', first_name: 'Ann', budget: 2 },
      external_id: 'crm-2',
      version: 10,
      cause: 'reengage',
      status: 'OPEN',
      status_detail: null,
      status_reason: 'REENGAGEMENT',
      modified_time: NOON,
      reengagements_count: 2,
      last_reengagement_time: NOON,
      round_attempts: 0,
      current_call: null,
      next_call_time: NOON,
      next_call_time_reason: 'REENGAGEMENT',
      due_list: 'CALL',
      field_times: { us_state: 'a', external_id: 'b', status: 'b', status_detail: 'b', 'metadata.budget': 'b' },
    })
  })

  it('a reengaged lead takes the lead type of the request only if the request names it or the lead has none', () => {
    expect(reengaged(old({ lead_type: 3 }), input(), made).lead_type).toBe(3)
    expect(reengaged(old({ lead_type: 3 }), input({ lead_type: 5 }), made).lead_type).toBe(5)
    expect(reengaged(old({ lead_type: null }), input(), made).lead_type).toBe(4)
  })

  it('a reengaged lead is not called when the request sets a stop', () => {
    expect(reengaged(old(), input({ call_dnc: true }), made)).toMatchObject({ status: 'OPEN', call_dnc: true, next_call_time: null })
  })

  it('a reengaged lead keeps keys such as __proto__ as data', () => {
    const metadata = JSON.parse('{"__proto__": {"a": 1}, "constructor": 2}')
    const next = reengaged(old(), input({ metadata }), made)
    expect(JSON.stringify(next.metadata)).toBe('{"timezone":"America/New_York","__proto__":{"a":1},"constructor":2}')
  })

  it('a reengagement refuses more metadata than a lead may have', () => {
    const lead = old({ metadata: { a: 'x'.repeat(60_000) } })
    expect(reengaged(lead, input({ metadata: { a: 'y'.repeat(60_000) } }), made).metadata).toEqual({ a: 'y'.repeat(60_000) })
    expect(() => reengaged(lead, input({ metadata: { b: 'y'.repeat(60_000) } }), made)).toThrow(
      expect.objectContaining({ fields: { metadata: ['Ensure this field has no more than 102400 bytes of JSON.'] } }),
    )
  })
})

describe('any history of one phone', () => {
  const email = fc.constantFrom(null, 'a@b.co', 'A@b.co', 'c@d.co', 'e@f.co')
  const step = fc.record({
    email,
    status: fc.constantFrom(...LEAD_STATUSES),
    call_dnc: fc.boolean(),
    sms_dnc: fc.boolean(),
    movesAway: fc.boolean(),
    isStopped: fc.constantFrom(false, false, true),
    days: fc.nat(60),
    asked: fc.option(fc.nat(40), { nil: undefined }),
  })
  const settings = fc.record({
    enabled: fc.boolean(),
    min_days: fc.nat(40),
    match: fc.constantFrom('phone' as const, 'phone_and_email' as const),
    eligible_statuses: fc.option(fc.subarray([...LEAD_STATUSES]), { nil: undefined }),
  })

  it('no history of a phone reengages a stopped lead, lifts a stop or repeats an email', () => {
    fc.assert(
      fc.property(settings, fc.array(step, { maxLength: 12 }), (reengagement, steps) => {
        const leads = new Map<number, Lead>()
        let now = NOON
        for (const [index, { email: sent, asked, isStopped, days, movesAway, ...after }] of steps.entries()) {
          now += days * DAY
          const found = reengagementRule(sampleLeadType({ reengagement }), asked)
          const all = [...leads.values()]
          const person = personOf(all)
          const decision = decideCreation({ person, leads: all, email: sent, rule: found, secondOpenLead: 'allow', isStopped, now })
          expect(['create', 'reengage', 'refuse']).toContain(decision.action)
          if (decision.action === 'reengage') {
            const before = decision.lead
            expect(duplicateIds(person, sent, found!)).toContain(before.id)
            expect(before).toMatchObject({ call_dnc: false, phone_number: PHONE })
            expect(isStopped).toBe(false)
            const next = reengaged(before, input({ email: sent }), { ...made, now })
            expect(next.sms_dnc).toBe(before.sms_dnc)
            leads.set(before.id, next)
          }
          const id = index + 1
          if (decision.action === 'create') leads.set(id, sampleLead({ id, position: id, email: sent, created_time: now }))
          const emails = personOf([...leads.values()]).leads.flatMap((lead) => lead.email ?? [])
          expect(new Set(emails).size).toBe(emails.length)
          const touched = decision.action === 'reengage' ? decision.lead.id : id
          const lead = leads.get(touched)
          if (lead) leads.set(touched, { ...lead, ...after, ...(movesAway && { phone_number: '+12125550009' }) })
        }
      }),
      { numRuns: 500 },
    )
  })
})
