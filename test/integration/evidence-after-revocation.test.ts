import { describe, expect, it } from '@jest/globals'
import { handler as dispatchDue } from '#functions/workers/dispatch-due.ts'
import type { LeadType } from '#shared/accounts/configuration.ts'
import { saveLeadType } from '#shared/accounts/lead-type-store.ts'
import { callsOf } from '#shared/calling/call-store.ts'
import { MINUTE } from '#shared/platform/values/durations.ts'
import { liftPhone } from '#shared/stops/lift-from-list.ts'
import { forgetConfiguration } from '#test/support/cache-clock.ts'
import { settingsWorld } from '#test/support/changed-settings.ts'
import { setClock } from '#test/support/clock.ts'
import { given, revoked } from '#test/support/consents.ts'
import { explained } from '#test/support/explained.ts'
import { created, leadNow, patch, patched } from '#test/support/lead-requests.ts'
import { importAnswers } from '#test/support/reassigned.ts'
import { importList } from '#test/support/registries.ts'
import { NOON, sampleLeadType } from '#test/support/samples.ts'
import { OTHER_KEY, OWNER } from '#test/support/world.ts'

// Both users share a do-not-contact list.
const { inCall, told, placeQueued, saveType } = settingsWorld('1')

const demand = async (changes: Partial<LeadType>): Promise<void> => {
  await saveType(changes)
  forgetConfiguration()
}
const gate = async (id: number, name: string) => (await explained(id)).gates[name]

const REVOKED = { passed: false, detail: expect.stringMatching(/^The consent to calls was revoked at /) }
const LISTED = { passed: false, detail: expect.stringMatching(/^The phone is on the do-not-call list national/) }
const EXEMPT = { passed: true, detail: expect.stringMatching(/^The metadata field bought has a date/) }
const REVOKED_TO_OTHER = { passed: false, detail: expect.stringMatching(/^The person revoked the consent to calls to another user /) }
const NO_DAY = { passed: false, detail: expect.stringMatching(/^Neither a consent nor a contact/) }

const ZONE = { timezone: 'America/New_York' }
const OTHER_NUMBER = '+12129990155'
const REGISTRY: NonNullable<LeadType['registries']> = {
  lists: ['national'],
  exemption: 'none',
  relationship_field: null,
  relationship_days: 540,
}
const iso = (minutes: number): string => new Date(NOON + minutes * MINUTE).toISOString()

/** The person asks for no more calls. Then the client lifts the stop and opens the lead again. */
const stopAndLift = async ({ lead, call }: { readonly lead: number; readonly call: string }, words: string): Promise<void> => {
  await told(call, 'dnc.requested', { channel: 'call', words }, 30)
  await told(call, 'call.completed', { outcome: 'no_answer' }, 60)
  setClock(NOON + 5 * MINUTE)
  await patched(lead, { call_dnc: false, status: 'OPEN' })
}

const wrongNumber = async (call: string): Promise<void> => {
  await told(call, 'call.completed', { outcome: 'wrong_number' }, 60)
  setClock(NOON + 5 * MINUTE)
}

/** The ids of a lead's calls, an hour later. */
const callsLater = async (lead: number): Promise<string[]> => {
  setClock(NOON + 60 * MINUTE)
  await dispatchDue()
  await placeQueued()
  return (await callsOf(lead)).map(({ call_id }) => call_id)
}

describe('after a person revoked the consent to calls, and the stop was lifted', () => {
  it('the older consent that another user of the list recorded does not count either, but a later one does', async () => {
    await demand({ consent_type: 'written' })
    await saveLeadType(sampleLeadType({ owner: 2, consent_type: 'written' }))
    const phone_number = '+12125557001'
    await given(phone_number)
    await given(phone_number, {}, OTHER_KEY)
    const inProgress = await inCall({ phone_number })
    const { id } = await created({ phone_number }, OTHER_KEY)
    await stopAndLift(inProgress, 'I revoke my consent to all of you')
    expect(await patch(id, { call_dnc: false }, OTHER_KEY)).toMatchObject({ status: 200 })
    expect((await explained(id, {}, OTHER_KEY)).gates['consent']).toMatchObject(REVOKED_TO_OTHER)
    expect(await callsLater(id)).toEqual([])
    await given(phone_number, { time: iso(59) }, OTHER_KEY)
    await placeQueued()
    expect((await callsOf(id)).map(({ call_id }) => call_id)).toEqual([`${id}-1`])
    await saveLeadType(sampleLeadType({ owner: 2 }))
  })

  it('the older consent that another user of the list recorded does not count when the operator takes the number off the list', async () => {
    await saveLeadType(sampleLeadType({ owner: 2, consent_type: 'written' }))
    forgetConfiguration()
    const phone_number = '+12125557002'
    await given(phone_number, {}, OTHER_KEY)
    const { id } = await created({ phone_number }, OTHER_KEY)
    await revoked(phone_number, { how: 'by letter' })
    await liftPhone({ owner: OWNER, phoneNumber: phone_number, channels: ['call', 'sms'] }, 'A mistake.')
    expect((await explained(id, {}, OTHER_KEY)).gates['consent']).toMatchObject(REVOKED_TO_OTHER)
    await saveLeadType(sampleLeadType({ owner: 2 }))
  })

  it('a later consent of a weaker type counts, if it is enough', async () => {
    await saveLeadType(sampleLeadType({ owner: 2, consent_type: 'written' }))
    forgetConfiguration()
    const phone_number = '+12125557004'
    await given(phone_number, { type: 'written_seller', seller: 'Example Ltd' }, OTHER_KEY)
    const { id } = await created({ phone_number }, OTHER_KEY)
    setClock(NOON + MINUTE)
    await revoked(phone_number, { time: iso(4) })
    await liftPhone({ owner: OWNER, phoneNumber: phone_number, channels: ['call', 'sms'] }, 'A mistake.')
    setClock(NOON + 3 * MINUTE)
    await given(phone_number, { time: iso(2) }, OTHER_KEY)
    expect((await explained(id, {}, OTHER_KEY)).gates['consent']).toMatchObject({ passed: true })
    await saveLeadType(sampleLeadType({ owner: 2 }))
  })

  it('a weaker consent of a later time counts, although a stronger one of an earlier time was recorded before it', async () => {
    await saveLeadType(sampleLeadType({ owner: 2, consent_type: 'oral' }))
    forgetConfiguration()
    const phone_number = '+12125557904'
    const { id } = await created({ phone_number }, OTHER_KEY)
    setClock(NOON + 10 * MINUTE)
    await given(phone_number, { type: 'written_seller', seller: 'Example Ltd', time: iso(1) }, OTHER_KEY)
    await given(phone_number, { type: 'oral', time: iso(6) }, OTHER_KEY)
    // Reported late.
    await revoked(phone_number, { time: iso(3) })
    await liftPhone({ owner: OWNER, phoneNumber: phone_number, channels: ['call', 'sms'] }, 'A mistake.')
    expect((await explained(id, {}, OTHER_KEY)).gates['consent']).toMatchObject({ passed: true, detail: 'The phone has an oral consent.' })
    await saveLeadType(sampleLeadType({ owner: 2 }))
  })

  it('an earlier revocation that is reported late does not bring back what a later one ended', async () => {
    await demand({ consent_type: 'written' })
    const phone_number = '+12125557003'
    const { id } = await created({ phone_number })
    setClock(NOON + 10 * MINUTE)
    await given(phone_number, { time: iso(3) })
    await revoked(phone_number, { time: iso(6) }, OTHER_KEY)
    await revoked(phone_number, { time: iso(1) }, OTHER_KEY)
    await liftPhone({ owner: OWNER, phoneNumber: phone_number, channels: ['call', 'sms'] }, 'A mistake.')
    expect(await gate(id, 'consent')).toMatchObject(REVOKED_TO_OTHER)
  })

  it('a proof in the metadata counts again only with a consent recorded since', async () => {
    await demand({ consent_field: 'proof' })
    const inProgress = await inCall({ metadata: { proof: 'https://example.com/1', ...ZONE } })
    const { lead, phone } = inProgress
    expect(await gate(lead, 'consent')).toMatchObject({ passed: true })
    await stopAndLift(inProgress, 'I revoke my consent')
    expect(await gate(lead, 'consent')).toMatchObject(REVOKED)
    expect(await callsLater(lead)).toEqual([`${lead}-1`])
    await given(phone, { time: iso(59) })
    expect(await gate(lead, 'consent')).toMatchObject({ passed: true })
    await placeQueued()
    expect(await callsOf(lead)).toHaveLength(2)
  })

  it('an older date of business exempts from a registry no more, but a later one does', async () => {
    await demand({ registries: { ...REGISTRY, exemption: 'relationship', relationship_field: 'bought' } })
    await importList('national', ['+12129990100'])
    const inProgress = await inCall({ metadata: { bought: '2026-10-01', ...ZONE } })
    const { lead, phone } = inProgress
    await importList('national', ['+12129990100', phone])
    forgetConfiguration()
    expect(await gate(lead, 'registry')).toMatchObject(EXEMPT)
    await stopAndLift(inProgress, 'Never call me again')
    expect(await gate(lead, 'registry')).toMatchObject(LISTED)
    expect(await callsLater(lead)).toEqual([`${lead}-1`])
    setClock(NOON + 2 * 24 * 60 * MINUTE)
    await patched(lead, { metadata: { bought: iso(24 * 60).slice(0, 10) } })
    expect(await gate(lead, 'registry')).toMatchObject(EXEMPT)
  })
})

describe('after the agent reported a wrong number', () => {
  it('a proof in the metadata of another lead of the number does not count', async () => {
    await demand({ consent_field: 'proof' })
    const fields = { phone_number: '+12125557913', metadata: { proof: 'https://example.com/1', ...ZONE } }
    const { call } = await inCall(fields)
    const other = await created({ ...fields, email: 'other@example.com' })
    await wrongNumber(call)
    expect(await gate(other.id, 'consent')).toMatchObject(REVOKED)
    expect(await callsLater(other.id)).toEqual([])
  })

  it('an older day of contact on another lead of the number does not count for the reassigned numbers database', async () => {
    await demand({ reassigned_numbers: { where: 'everywhere', date_field: 'contact', creation_counts: false, max_age_days: 31 } })
    const phone_number = '+12125557713'
    await importAnswers([{ phone: phone_number, date: '2026-06-10', answer: 'no' }])
    const fields = { phone_number, metadata: { contact: '2026-06-10', ...ZONE } }
    const { call } = await inCall(fields)
    const other = await created({ ...fields, email: 'other@example.com' })
    expect(await gate(other.id, 'reassigned')).toMatchObject({ passed: true })
    await wrongNumber(call)
    expect(await gate(other.id, 'reassigned')).toMatchObject(NO_DAY)
    expect(await callsLater(other.id)).toEqual([])
  })
})

describe('a lead that gets another phone number', () => {
  it('a proof in the metadata that is older than the number does not count, until it is sent again', async () => {
    await demand({ consent_field: 'proof' })
    const { id, phone_number } = await created({ metadata: { proof: 'https://example.com/1', ...ZONE } })
    await patched(id, { phone_number })
    expect(await gate(id, 'consent')).toMatchObject({ passed: true })
    await patched(id, { phone_number: OTHER_NUMBER })
    expect(await gate(id, 'consent')).toMatchObject({
      passed: false,
      detail: expect.stringContaining('before the lead got its phone number'),
    })
    await placeQueued()
    expect(await leadNow(id)).toMatchObject({ next_call_time: null })
    await patched(id, { metadata: { proof: 'https://example.com/1' } })
    expect(await gate(id, 'consent')).toMatchObject({ passed: true })
    expect(await callsLater(id)).toEqual([`${id}-1`])
  })

  it('a proof that comes with the number counts', async () => {
    await demand({ consent_field: 'proof' })
    const { id } = await created({ metadata: { proof: 'https://example.com/1', ...ZONE } })
    await patched(id, { phone_number: '+12129990156', metadata: { proof: 'https://example.com/1' } })
    expect(await gate(id, 'consent')).toMatchObject({ passed: true })
  })

  it('an older day of contact does not count for the reassigned numbers database', async () => {
    await demand({ reassigned_numbers: { where: 'everywhere', date_field: 'contact', creation_counts: false, max_age_days: 31 } })
    await importAnswers([{ phone: '+12129990157', date: '2026-06-10', answer: 'no' }])
    const { id } = await created({ metadata: { contact: '2026-06-10', ...ZONE } })
    await patched(id, { phone_number: '+12129990157' })
    expect(await gate(id, 'reassigned')).toMatchObject(NO_DAY)
  })
})
