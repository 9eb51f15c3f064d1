import { describe, expect, it } from '@jest/globals'
import { afterRefusal } from '#shared/calling/rules/dial/refusal.ts'
import { registriesFor, registry } from '#shared/calling/rules/gates/registry.ts'
import { callAfterHold } from '#shared/calling/rules/hold.ts'
import type { ConsentState, ConsentType } from '#shared/consents/consent.ts'
import { noConsent } from '#shared/consents/rules/current-consent.ts'
import { DAY } from '#shared/platform/values/durations.ts'
import { sampleInputs } from '#test/support/sample-inputs.ts'
import { NOON, sampleLeadType } from '#test/support/samples.ts'

type Use = NonNullable<ReturnType<typeof sampleLeadType>['registries']>

const obeying = (use: Partial<Use> = {}, consent_field: string | null = null) =>
  sampleLeadType({
    consent_field,
    registries: { lists: ['national'], exemption: 'none', relationship_field: null, relationship_days: 540, ...use },
  })

const NATIONAL = { list: 'national', as_of: '2026-11-01', isListed: true, area_codes: null }
const leadType = obeying()
const bought = (date: unknown) => ({ metadata: { timezone: 'America/New_York', bought: date } })
const customers = obeying({ exemption: 'relationship', relationship_field: 'bought' })
const askers = obeying({ exemption: 'relationship', relationship_field: 'bought', relationship_days: 90 })
const agreed = obeying({ exemption: 'consent' }, 'proof')
const proven = { metadata: { proof: 'a URL' } }
const demanding = { ...obeying({ exemption: 'consent' }), consent_type: 'oral' as const }
const on = (type: ConsentType | null): ConsentState => ({
  ...noConsent(7, '+12125550001'),
  ...(type === null ? { revoked_time: NOON } : { given: { sequence: 1, type, time: NOON } }),
})

describe('the gate of the do-not-call registries', () => {
  it.each([
    ['a lead type that obeys none', {}, true, 'NOT_ASKED'],
    ['no list that counts for the lead', { leadType }, true, 'NOT_ASKED'],
    ['a number that is not listed', { leadType, registries: [{ ...NATIONAL, isListed: false }] }, true, 'NOT_LISTED'],
    ['a listed number', { leadType, registries: [NATIONAL] }, false, 'LISTED'],
    [
      'a number on the second list only',
      {
        leadType,
        registries: [
          { ...NATIONAL, isListed: false },
          { ...NATIONAL, list: 'state:NY' },
        ],
      },
      false,
      'LISTED',
    ],
    ['a list that was never imported', { leadType, registries: [{ ...NATIONAL, as_of: null, isListed: false }] }, false, 'MISSING'],
    ['a list of 31 days ago', { leadType, registries: [{ ...NATIONAL, as_of: '2026-10-21', isListed: false }] }, true, 'NOT_LISTED'],
    ['a list of 32 days ago', { leadType, registries: [{ ...NATIONAL, as_of: '2026-10-19', isListed: false }] }, false, 'TOO_OLD'],
    ['no consent', { leadType: agreed, registries: [NATIONAL] }, false, 'LISTED'],
    ['consent', { leadType: agreed, lead: proven, registries: [NATIONAL] }, true, 'EXEMPT'],
    ['an oral consent on record', { leadType: agreed, consent: on('oral'), registries: [NATIONAL] }, false, 'LISTED'],
    ['an oral consent that is demanded', { leadType: demanding, consent: on('oral'), registries: [NATIONAL] }, false, 'LISTED'],
    ['a written consent on record', { leadType: agreed, consent: on('written'), registries: [NATIONAL] }, false, 'LISTED'],
    ['a consent that names the seller', { leadType: agreed, consent: on('written_seller'), registries: [NATIONAL] }, true, 'EXEMPT'],
    ['a proof, and a revocation', { leadType: agreed, lead: proven, consent: on(null), registries: [NATIONAL] }, false, 'LISTED'],
    ['a revoked consent on record', { leadType: agreed, consent: on(null), registries: [NATIONAL] }, false, 'LISTED'],
    ['consent that nobody asks for', { leadType: obeying({ exemption: 'consent' }), registries: [NATIONAL] }, false, 'LISTED'],
    ['a purchase 18 months ago', { leadType: customers, lead: bought('2025-05-30'), registries: [NATIONAL] }, true, 'EXEMPT'],
    ['a purchase 19 months ago', { leadType: customers, lead: bought('2025-05-28'), registries: [NATIONAL] }, false, 'LISTED'],
    ['an inquiry 89 days ago', { leadType: askers, lead: bought('2026-08-23T10:00:00Z'), registries: [NATIONAL] }, true, 'EXEMPT'],
    ['an inquiry 91 days ago', { leadType: askers, lead: bought('2026-08-21'), registries: [NATIONAL] }, false, 'LISTED'],
    ['a purchase to come', { leadType: customers, lead: bought('2026-11-21'), registries: [NATIONAL] }, false, 'LISTED'],
    ['a date in another form', { leadType: customers, lead: bought('20 Nov'), registries: [NATIONAL] }, false, 'LISTED'],
    ['a date that does not exist', { leadType: customers, lead: bought('2026-13-40'), registries: [NATIONAL] }, false, 'LISTED'],
    ['the 30 February', { leadType: customers, lead: bought('2026-02-30'), registries: [NATIONAL] }, false, 'LISTED'],
    ['no date', { leadType: customers, registries: [NATIONAL] }, false, 'LISTED'],
  ])('the registry gate decides by list, day and exemption: %s', (_, inputs, passed, code) => {
    expect(registry(sampleInputs(inputs))).toMatchObject({ gate: 'registry', passed, code })
  })

  it('a refusal of the registry gate names the list, its day and the law', () => {
    expect(registry(sampleInputs({ leadType, registries: [NATIONAL] }))).toMatchObject({
      detail: 'The phone is on the do-not-call list national of 2026-11-01.',
      inputs: { list: 'national', as_of: '2026-11-01' },
      rule: 'national do-not-call registry',
      citation: '47 CFR 64.1200(c)(2)',
      next_time: null,
    })
  })

  it.each<[string, readonly string[], string, boolean]>([
    ['the national list has the area code', ['212', '617'], 'national', true],
    ['the national list lacks the area code', ['617'], 'national', false],
    ['the list of the state of the area code lacks it', ['518'], 'state:NY', false],
    ['the list of another state lacks it', ['713'], 'state:TX', true],
  ])('a phone is called only if its list covers its area code: %s', (_, area_codes, list, passed) => {
    const verdict = registry(sampleInputs({ leadType, registries: [{ ...NATIONAL, list, isListed: false, area_codes }] }))
    expect(verdict).toMatchObject({ passed, code: passed ? 'NOT_LISTED' : 'MISSING' })
    const text = `The do-not-call list ${list} of 2026-11-01 has no number with the area code 212. Import its file too.`
    if (!passed) expect(verdict.detail).toBe(text)
  })

  it('the inputs of the registry gate have names in snake case', () => {
    const { inputs } = registry(sampleInputs({ leadType, registries: [{ ...NATIONAL, isListed: false }] }))
    expect(inputs).toEqual({ lists: [{ list: 'national', as_of: '2026-11-01', is_listed: false }] })
  })

  it('the registry gate refuses at an instant at which the list is too old', () => {
    const inputs = sampleInputs({ leadType, registries: [{ ...NATIONAL, isListed: false }] })
    expect(registry({ ...inputs, now: NOON + 11 * DAY }).code).toBe('NOT_LISTED')
    expect(registry({ ...inputs, now: NOON + 12 * DAY }).code).toBe('TOO_OLD')
  })

  it('a list of a state counts for leads in that state, and no list for numbers outside the North American plan', () => {
    const all = obeying({ lists: ['national', 'state:TX', 'state:FL'] })
    const listsOf = (lead: object) => registriesFor(sampleInputs({ leadType: all, lead }))
    expect(listsOf({ us_state: 'TX' })).toEqual(['national', 'state:TX'])
    expect(listsOf({ us_state: 'OK' })).toEqual(['national'])
    expect(listsOf({ phone_number: '+442071838750' })).toEqual([])
    expect(registriesFor(sampleInputs())).toEqual([])
  })

  it.each<[string, object, readonly string[]]>([
    ['only a time zone is known', { phone_number: '+15125550100', metadata: { timezone: 'America/Chicago' } }, ['state:TX', 'state:FL']],
    ['only an area code is known', { phone_number: '+15125550100', metadata: {} }, ['state:TX', 'state:CA', 'state:FL']],
    ['the time zone excludes a state', { metadata: { timezone: 'America/Los_Angeles' } }, ['state:CA']],
    ['the state is known', { us_state: 'FL', metadata: { timezone: 'America/Chicago' } }, ['state:FL']],
  ])('if no state is named, the lists of all states in which the lead may be count: %s', (_, lead, states) => {
    const all = obeying({ lists: ['national', 'state:TX', 'state:CA', 'state:FL'] })
    const lists = registriesFor(sampleInputs({ leadType: all, lead: { us_state: null, ...lead } }))
    expect(lists).toEqual(['national', ...states])
  })

  it('a lead that a list refuses waits for the list, and is called when the list no longer refuses it', () => {
    const inputs = sampleInputs({ leadType, registries: [NATIONAL] })
    const held = afterRefusal(inputs, registry(inputs))
    expect(held).toMatchObject({ due_list: 'HELD', held_by: 'registry national', next_call_time: NOON })
    const lead = { ...inputs.lead, due_list: 'HELD' as const, held_by: 'registry national' }
    expect(callAfterHold({ ...inputs, lead })).toMatchObject({ held_by: 'registry national' })
    expect(callAfterHold({ ...inputs, lead, registries: [{ ...NATIONAL, isListed: false }] })).toMatchObject({
      due_list: 'CALL',
      held_by: null,
    })
  })
})
