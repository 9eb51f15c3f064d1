import { expect, it } from '@jest/globals'
import type { LeadType } from '#shared/accounts/configuration.ts'
import { callsOf } from '#shared/calling/call-store.ts'
import { MINUTE } from '#shared/platform/values/durations.ts'
import { forgetConfiguration } from '#test/support/cache-clock.ts'
import { settingsWorld } from '#test/support/changed-settings.ts'
import { setClock } from '#test/support/clock.ts'
import { given } from '#test/support/consents.ts'
import { explained } from '#test/support/explained.ts'
import { created, patched } from '#test/support/lead-requests.ts'
import { importAnswers } from '#test/support/reassigned.ts'
import { NOON } from '#test/support/samples.ts'

const { inCall, told, placeQueued, saveType } = settingsWorld()

const demand = async (changes: Partial<LeadType>): Promise<void> => {
  await saveType(changes)
  forgetConfiguration()
}
const gate = async (id: number, name: string) => (await explained(id)).gates[name]

it('a wrong number that the end of a call presumes ends the consents, before another lead of the number is called', async () => {
  await demand({ consent_type: 'written' })
  const phone_number = '+12125558801'
  await given(phone_number)
  const { call } = await inCall({ phone_number })
  await told(call, 'call.answered', {}, 10)
  setClock(NOON + MINUTE)
  await told(call, 'call.ended', { presumed_outcome: 'wrong_number' }, 60)
  const other = await created({ phone_number, email: 'other@example.com' })
  await placeQueued()
  expect(await gate(other.id, 'consent')).toMatchObject({
    passed: false,
    detail: expect.stringMatching(/^The consent to calls was revoked at /),
  })
  expect(await callsOf(other.id)).toEqual([])
})

it('a day of contact that is the local day of the wrong number in Guam does not count, but the next day does', async () => {
  await demand({ reassigned_numbers: { where: 'everywhere', date_field: 'contact', creation_counts: false, max_age_days: 31 } })
  // In Guam, it is 09:10 on Saturday, 21 November.
  const reported = Date.parse('2026-11-20T23:10:00Z')
  const phone_number = '+16715558802'
  setClock(reported - 5 * MINUTE)
  await importAnswers([{ phone: phone_number, date: '2026-06-10', answer: 'no' }])
  const fields = { phone_number, us_state: 'GU', timezone: 'Pacific/Guam', contact: '2026-06-10' }
  const { call } = await inCall(fields)
  setClock(reported)
  await told(call, 'call.completed', { outcome: 'wrong_number' }, (reported - NOON) / 1000)
  setClock(Date.parse('2026-11-21T00:30:00Z'))
  const other = await created({ ...fields, email: 'other@example.com', contact: '2026-11-21' })
  await placeQueued()
  expect(await gate(other.id, 'reassigned')).toMatchObject({
    passed: false,
    detail: expect.stringMatching(/^Neither a consent nor a contact/),
  })
  expect(await callsOf(other.id)).toEqual([])
  setClock(Date.parse('2026-11-22T00:30:00Z'))
  await patched(other.id, { metadata: { contact: '2026-11-22' } })
  expect(await gate(other.id, 'reassigned')).toMatchObject({ inputs: { date: '2026-11-22' } })
})
