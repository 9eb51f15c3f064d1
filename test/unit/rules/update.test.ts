import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import type { UpdateLead } from '#shared/leads/api/lead-request.ts'
import type { Lead } from '#shared/leads/lead.ts'
import { type UpdateInputs, updatedLead } from '#shared/leads/rules/update/update.ts'
import { HOUR } from '#shared/platform/values/durations.ts'
import { LEAD_STATUSES, STATUS_DETAILS } from '#shared/platform/values/values.ts'
import { NOON, sampleLead, samplePolicy } from '#test/support/samples.ts'

const LATER = NOON + HOUR
const CLEAN = { call_dnc: false, sms_dnc: false }

const inputs = (changes: Partial<UpdateInputs> = {}): UpdateInputs => ({
  now: LATER,
  cause: 'MANUAL',
  accepted: '5',
  atOnce: true,
  phone: CLEAN,
  policy: samplePolicy(),
  ...changes,
})

const update = (lead: Lead, patch: UpdateLead, changes: Partial<UpdateInputs> = {}): Lead =>
  updatedLead(lead, patch, inputs(changes)) ?? lead
const uncalled = { next_call_time: null, next_call_time_reason: null, due_list: null } as const

describe('an update', () => {
  it('an update sets the fields sent and leaves the rest', () => {
    const lead = sampleLead({ external_id: 'a', lead_source: 'web' })
    expect(updatedLead(lead, { external_id: 'b', lead_source: 'tv' }, inputs())).toEqual({
      ...lead,
      external_id: 'b',
      lead_source: 'tv',
      version: 2,
      cause: 'update',
      modified_time: LATER,
      field_times: { external_id: '5', lead_source: '5' },
    })
  })

  it.each<UpdateLead>([{}, { metadata: null }, { metadata: {} }])('an update has no effect if it sets nothing: %j', (patch) => {
    expect(updatedLead(sampleLead({ current_call: '7-1' }), patch, inputs())).toBeUndefined()
  })

  it.each<[UpdateLead, string]>([
    [{ status: 'OPEN' }, 'status'],
    [{ metadata: { timezone: 'America/New_York' } }, 'metadata.timezone'],
    [{ email: null }, 'email'],
  ])('an update records only its field time if the value is already set: %j', (patch, name) => {
    const lead = sampleLead({ current_call: '7-1' })
    expect(updatedLead(lead, patch, inputs())).toEqual({ ...lead, version: 2, cause: 'update', field_times: { [name]: '5' } })
  })

  it('an update merges metadata by its top-level keys, whatever they are called', () => {
    const lead = sampleLead({ metadata: JSON.parse('{"a":{"x":1},"b":2,"__proto__":{"p":1}}') })
    const { metadata } = update(lead, { metadata: JSON.parse('{"a":{"y":1},"c":null,"__proto__":{"q":1},"constructor":3}') })
    expect(JSON.stringify(metadata)).toBe('{"a":{"y":1},"b":2,"__proto__":{"q":1},"c":null,"constructor":3}')
  })

  it('an update may not make the metadata too large', () => {
    const lead = sampleLead({ metadata: { a: 'x'.repeat(60_000) } })
    expect(() => update(lead, { metadata: { b: 'x'.repeat(60_000) } })).toThrow('Invalid input.')
    expect(update(lead, { metadata: { a: 'x'.repeat(90_000) } }).metadata['a']).toHaveLength(90_000)
  })
})

describe('the next call of an updated lead', () => {
  it.each(['CANCELLED', 'LOST', 'CLOSED', 'NEW', 'UNKNOWN'] as const)('an update to the status %s removes the next call', (status) => {
    expect(update(sampleLead(), { status })).toMatchObject({ status, status_reason: 'MANUAL', ...uncalled })
  })

  it.each(['CANCELLED', 'LOST', 'NEW', 'CLOSED_INCOMPLETE'] as const)(
    'an update that opens a lead in %s again schedules its next call',
    (status) => {
      const lead = sampleLead({ status, ...uncalled })
      for (const to of ['OPEN', 'CALLBACK_TO_TRANSFER'] as const) {
        expect(update(lead, { status: to })).toMatchObject({
          ...{ status: to, next_call_time: LATER, next_call_time_reason: 'NEXT_AVAILABLE_SLOT', due_list: 'CALL' },
        })
      }
      expect(update({ ...lead, call_dnc: true }, { status: 'OPEN' })).toMatchObject(uncalled)
      expect(update(lead, { status: 'OPEN' }, { phone: { ...CLEAN, call_dnc: true } })).toMatchObject(uncalled)
    },
  )

  it('a next call stays between callable statuses, and is scheduled when a call in progress is dropped', () => {
    expect(update(sampleLead(), { status: 'CALLBACK_TO_TRANSFER' })).toMatchObject({ next_call_time: NOON, due_list: 'CALL' })
    expect(update(sampleLead({ current_call: '7-1', ...uncalled }), { status: 'CALLBACK_TO_TRANSFER' })).toMatchObject({
      ...{ current_call: null, next_call_time: LATER },
    })
  })

  it('an update leaves the next call to the outcome while the lead is in a call', () => {
    const lead = sampleLead({ current_call: '7-1', ...uncalled })
    expect(update(lead, { phone_number: '+12125550002', external_id: 'x' })).toMatchObject({ current_call: '7-1', ...uncalled })
  })

  it('an update schedules the next call when it sets a lead type, and drops it with the lead type', () => {
    expect(update(sampleLead({ lead_type: null, ...uncalled }), { lead_type: 4 })).toMatchObject({ next_call_time: LATER })
    expect(update(sampleLead(), { lead_type: null })).toMatchObject(uncalled)
  })

  it('the next call of an updated lead moves with its calling hours', () => {
    const lead = sampleLead({ metadata: {}, next_call_time: NOON + 3 * HOUR })
    expect(update(lead, { metadata: { timezone: 'America/New_York' } })).toMatchObject({
      next_call_time: LATER,
      next_call_time_reason: 'FIRST_CALL',
    })
    const callback = sampleLead({ next_call_time: NOON + 1.5 * HOUR, next_call_time_reason: 'CALLBACK' })
    expect(update(callback, { metadata: { timezone: 'America/Chicago' } })).toMatchObject({ next_call_time: NOON + 1.5 * HOUR })
    expect(update(callback, { metadata: { timezone: 'Pacific/Honolulu' } })).toMatchObject({
      ...{ next_call_time: NOON + 2 * HOUR, next_call_time_reason: 'CALLBACK' },
    })
    const paused = { due_list: 'HELD', held_by: 'pause 1' } as const
    expect(update(sampleLead(paused), { metadata: { timezone: 'Pacific/Honolulu' } })).toMatchObject({
      ...{ next_call_time: NOON, ...paused },
    })
  })
})

describe('an updated lead', () => {
  it('an updated lead has no next call until a call stop is lifted, and keeps it during a text stop', () => {
    expect(update(sampleLead(), { call_dnc: true })).toMatchObject({ call_dnc: true, sms_dnc: false, ...uncalled })
    expect(update(sampleLead(), { sms_dnc: true })).toMatchObject({ sms_dnc: true, call_dnc: false, next_call_time: NOON })
    const stopped = sampleLead({ call_dnc: true, ...uncalled })
    expect(update(stopped, { call_dnc: false })).toMatchObject({ call_dnc: false, next_call_time: LATER })
    expect(update(stopped, { call_dnc: false }, { phone: { call_dnc: true, sms_dnc: false } })).toMatchObject({
      call_dnc: false,
      ...uncalled,
    })
  })

  it('an updated lead leaves its stops with the old phone, and takes those of the new phone', () => {
    const phone_number = '+12125550002'
    const stopped = sampleLead({ call_dnc: true, ...uncalled })
    expect(update(stopped, { phone_number })).toMatchObject({ call_dnc: false, next_call_time: LATER })
    const heldBack = sampleLead({ ...uncalled })
    expect(update(heldBack, { phone_number })).toMatchObject({ phone_number, next_call_time: LATER })
    expect(update(sampleLead(), { phone_number }, { phone: { call_dnc: true, sms_dnc: true } })).toMatchObject({
      ...{ call_dnc: true, sms_dnc: true, ...uncalled },
    })
    expect(update(sampleLead(), { phone_number, call_dnc: false }, { phone: { call_dnc: true, sms_dnc: false } }).call_dnc).toBe(true)
    expect(update(sampleLead(), { phone_number, call_dnc: true }).call_dnc).toBe(true)
  })

  it('an updated lead gets a next call if it has none and its metadata changes', () => {
    const heldBack = sampleLead({ ...uncalled })
    expect(update(heldBack, { metadata: { consent: 'yes' } })).toMatchObject({ next_call_time: LATER })
    expect(update(heldBack, { metadata: heldBack.metadata })).toMatchObject(uncalled)
  })
})

const optional = <T>(values: fc.Arbitrary<T>) => fc.option(values, { nil: undefined })
const text = fc.constantFrom('a', 'b', 'c')
const patches: fc.Arbitrary<UpdateLead> = fc.record(
  {
    email: optional(fc.constantFrom(null, 'a@example.com', 'A@example.com')),
    phone_number: optional(fc.constantFrom('+12125550001', '+12125550002')),
    metadata: optional(
      fc.option(fc.dictionary(fc.constantFrom('a', 'b', 'timezone', '__proto__'), fc.constantFrom(1, null, 'x', { y: 1 }))),
    ),
    status: optional(fc.constantFrom(...LEAD_STATUSES)),
    status_detail: optional(fc.constantFrom(null, ...STATUS_DETAILS)),
    lead_type: optional(fc.constantFrom(null, 4, 5)),
    representative: optional(fc.constantFrom(null, 1)),
    external_id: optional(fc.option(text)),
    us_state: optional(fc.constantFrom(null, 'NY', 'CA')),
    lead_source: optional(text),
    sms_dnc: optional(fc.boolean()),
    call_dnc: optional(fc.boolean()),
  },
  { requiredKeys: [] },
)

const client = ({ email, phone_number, metadata, status, status_detail, lead_type, representative, ...lead }: Lead) => ({
  ...{ email, phone_number, metadata: new Map(Object.entries(metadata)), status, status_detail, lead_type, representative },
  ...{
    external_id: lead.external_id,
    us_state: lead.us_state,
    lead_source: lead.lead_source,
    call_dnc: lead.call_dnc,
    sms_dnc: lead.sms_dnc,
  },
})

/** The expected result of an update, independent of the service's code. */
const foldInto = (state: ReturnType<typeof client>, patch: UpdateLead): ReturnType<typeof client> => {
  const sent = Object.fromEntries(Object.entries(patch).filter(([key, value]) => value !== undefined && key !== 'metadata'))
  const isOther = patch.status !== undefined && patch.status !== state.status
  const isMoved = patch.phone_number !== undefined && patch.phone_number !== state.phone_number
  const isOpened = patch.status === undefined && state.status === 'NEW' && state.lead_type === null && (patch.lead_type ?? null) !== null
  return {
    ...state,
    ...((isOther || isOpened) && { status_detail: null }),
    ...(isOpened && { status: 'OPEN' as const }),
    ...sent,
    ...(isMoved && { call_dnc: patch.call_dnc === true, sms_dnc: patch.sms_dnc === true }),
    metadata: new Map([...state.metadata, ...Object.entries(patch.metadata ?? {})]),
  }
}

const sequence = (index: number) => String(index).padStart(4, '0')

describe('any sequence of updates', () => {
  it('any sequence of updates gives the fold of all patches, with a next call exactly if the lead is callable', () => {
    fc.assert(
      fc.property(fc.array(patches, { maxLength: 12 }), (all) => {
        const last = all.reduce<Lead>((lead, patch, index) => update(lead, patch, { accepted: sequence(index) }), sampleLead())
        expect(client(last)).toEqual(all.reduce<ReturnType<typeof client>>(foldInto, client(sampleLead())))
        const isCalled = ['OPEN', 'CALLBACK_TO_TRANSFER'].includes(last.status) && !last.call_dnc && last.lead_type !== null
        expect(last.next_call_time !== null).toBe(isCalled)
      }),
    )
  })

  it('any sequence of deferred updates gives the same result in any order and with repeats', () => {
    const plain = patches.map(({ status_detail: _, status: __, phone_number: ___, ...patch }) => patch)
    const shuffled = fc
      .array(plain, { maxLength: 8 })
      .chain((all) => fc.tuple(fc.constant(all), fc.shuffledSubarray([...all.keys(), ...all.keys()], { minLength: all.length * 2 })))
    fc.assert(
      fc.property(shuffled, ([all, order]) => {
        const make = (lead: Lead, index: number) => update(lead, all[index] ?? {}, { accepted: sequence(index), atOnce: false })
        expect(client(order.reduce(make, sampleLead()))).toEqual(client([...all.keys()].reduce(make, sampleLead())))
      }),
    )
  })

  it('a repeated deferred update changes nothing', () => {
    fc.assert(
      fc.property(patches, (patch) => {
        const late = { atOnce: false }
        expect(updatedLead(update(sampleLead(), patch, late), patch, inputs(late))).toBeUndefined()
      }),
    )
  })
})
