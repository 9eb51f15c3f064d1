import { describe, expect, it } from '@jest/globals'
import type { LeadType } from '#shared/accounts/configuration.ts'
import { saveLeadType } from '#shared/accounts/lead-type-store.ts'
import { callsOf } from '#shared/calling/call-store.ts'
import { LOOKUPS } from '#shared/ingestion/rules/target-fields.ts'
import { upsertLead } from '#shared/leads/upsert-lead.ts'
import { MINUTE } from '#shared/platform/values/durations.ts'
import { forgetConfiguration } from '#test/support/cache-clock.ts'
import { settingsWorld } from '#test/support/changed-settings.ts'
import { setClock } from '#test/support/clock.ts'
import { explained } from '#test/support/explained.ts'
import { leadNow, patched } from '#test/support/lead-requests.ts'
import { importAnswers } from '#test/support/reassigned.ts'
import { importList } from '#test/support/registries.ts'
import { NOON, sampleLeadType } from '#test/support/samples.ts'
import { OWNER } from '#test/support/world.ts'

const { inCall, told, placeQueued, saveType } = settingsWorld()

const demand = async (changes: Partial<LeadType>): Promise<void> => {
  await saveType(changes)
  forgetConfiguration()
}
const gate = async (id: number, name: string) => (await explained(id)).gates[name]
const ZONE = { timezone: 'America/New_York' }
const PROOF = 'https://example.com/1'
const UNPROVEN = { passed: false, detail: expect.stringContaining('was collected in a call') }

/** A lead from whose call the agent reported data, a minute after the call began. */
const collected = async (data: Record<string, unknown>, fields: Record<string, unknown> = { metadata: ZONE }) => {
  const inProgress = await inCall(fields)
  await told(inProgress.call, 'call.completed', { outcome: 'no_answer', collected: data }, 60)
  setClock(NOON + 5 * MINUTE)
  return inProgress
}

describe('what an agent collected before the lead type named its key', () => {
  it('it proves no consent, until a client sends it', async () => {
    const { lead } = await collected({ proof: PROOF })
    await demand({ consent_field: 'proof' })
    expect((await leadNow(lead)).metadata).toMatchObject({ proof: PROOF })
    expect(await gate(lead, 'consent')).toMatchObject(UNPROVEN)
    setClock(NOON + 30 * MINUTE)
    await placeQueued()
    expect(await callsOf(lead)).toHaveLength(1)
    await patched(lead, { metadata: { proof: PROOF } })
    expect(await gate(lead, 'consent')).toMatchObject({ passed: true })
  })

  it('it proves no consent although a client had sent another value before', async () => {
    const { lead } = await collected({ proof: 'sounded willing' }, { metadata: { proof: PROOF, ...ZONE } })
    await demand({ consent_field: 'proof' })
    expect(await gate(lead, 'consent')).toMatchObject(UNPROVEN)
  })

  it('it proves no consent when the lead moves to another lead type', async () => {
    const { lead } = await collected({ proof: 'sounded willing' })
    await saveLeadType(sampleLeadType({ id: 77, owner: OWNER, consent_field: 'proof' }))
    forgetConfiguration()
    await patched(lead, { lead_type: 77 })
    expect(await gate(lead, 'consent')).toMatchObject(UNPROVEN)
  })

  it('it proves consent once an upsert sends the same value', async () => {
    const { lead, phone } = await collected({ proof: PROOF })
    await demand({ consent_field: 'proof' })
    const input = { phone_number: phone, metadata: { proof: PROOF } }
    const upsert = async () => (await upsertLead(OWNER, input, { lookups: LOOKUPS, several: 'newest', mode: 'upsert' })).action
    expect([await upsert(), await upsert()]).toEqual(['updated', 'unchanged'])
    expect(await gate(lead, 'consent')).toMatchObject({ passed: true })
  })

  it('it exempts from no registry', async () => {
    const { lead, phone } = await collected({ bought: '2026-11-01', proof: PROOF })
    await importList('national', [phone])
    const lists = { lists: ['national'], relationship_days: 540 }
    const exempt = { passed: true, detail: expect.stringMatching(/^The metadata field bought has a date/) }
    const listed = { passed: false, detail: expect.stringMatching(/^The phone is on the do-not-call list national/) }
    await demand({ registries: { ...lists, exemption: 'relationship', relationship_field: 'bought' } })
    expect(await gate(lead, 'registry')).toMatchObject(listed)
    await patched(lead, { metadata: { bought: '2026-11-02' } })
    expect(await gate(lead, 'registry')).toMatchObject(exempt)
    await demand({ consent_field: 'proof', registries: { ...lists, exemption: 'consent', relationship_field: null } })
    expect(await gate(lead, 'registry')).toMatchObject(listed)
  })

  it('it is no day of contact for the reassigned numbers database', async () => {
    const { lead, phone } = await collected({ contact: '2026-06-10' })
    await importAnswers([{ phone, date: '2026-06-10', answer: 'no' }])
    await demand({ reassigned_numbers: { where: 'everywhere', date_field: 'contact', creation_counts: false, max_age_days: 31 } })
    expect(await gate(lead, 'reassigned')).toMatchObject({ passed: false, detail: expect.stringContaining('was collected in a call') })
    await patched(lead, { metadata: { contact: '2026-06-10' } })
    expect(await gate(lead, 'reassigned')).toMatchObject({ passed: true })
  })
})

describe('a report that arrives after a client set the key', () => {
  it('a value that the client set later stays, and remains evidence', async () => {
    const { lead, call } = await inCall({ metadata: ZONE })
    setClock(NOON + 2 * MINUTE)
    await patched(lead, { metadata: { proof: PROOF, roof: 'tiles' } })
    setClock(NOON + 5 * MINUTE)
    const data = { collected: { proof: 'sounded willing', roof: 'slate', age: 5 } }
    await told(call, 'call.data_collected', data, 60)
    const { metadata } = await leadNow(lead)
    expect(metadata).toMatchObject({ proof: PROOF, collected_proof: 'sounded willing', roof: 'tiles', collected_roof: 'slate', age: 5 })
    await demand({ consent_field: 'proof' })
    expect(await gate(lead, 'consent')).toMatchObject({ passed: true })
    await told(call, 'call.data_collected', data, 60)
    expect((await leadNow(lead)).metadata).toEqual(metadata)
  })

  it('a repeat changes nothing', async () => {
    const { lead, call } = await inCall({ metadata: ZONE })
    const data = { collected: { roof: 'slate' } }
    setClock(NOON + MINUTE)
    await told(call, 'call.data_collected', data, 30)
    setClock(NOON + 2 * MINUTE)
    await patched(lead, { metadata: { roof: 'tiles' } })
    const before = await leadNow(lead)
    await told(call, 'call.data_collected', data, 30)
    expect((await leadNow(lead)).metadata).toEqual(before.metadata)
  })

  it('a later report replaces the value, which is no evidence then', async () => {
    const { lead, call } = await inCall({ metadata: ZONE })
    setClock(NOON + MINUTE)
    await patched(lead, { metadata: { proof: PROOF } })
    setClock(NOON + 60 * MINUTE)
    await told(call, 'call.data_collected', { collected: { proof: 'sounded willing' } }, 59 * 60)
    await demand({ consent_field: 'proof' })
    expect((await leadNow(lead)).metadata).toMatchObject({ proof: 'sounded willing' })
    expect(await gate(lead, 'consent')).toMatchObject(UNPROVEN)
  })
})
