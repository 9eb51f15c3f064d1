import { beforeAll, expect, it } from '@jest/globals'
import { handler as create } from '#functions/leads/create.ts'
import { saveLeadType } from '#shared/accounts/lead-type-store.ts'
import { callWorld } from '#test/support/agent-calls.ts'
import { newPhone } from '#test/support/lead-requests.ts'
import { sampleLeadType } from '#test/support/samples.ts'
import { OWNER, request } from '#test/support/world.ts'

callWorld()

const CHECKING = 41

beforeAll(async () => {
  const reassigned_numbers = { where: 'law' as const, date_field: 'agreed', creation_counts: false, max_age_days: 31 }
  await saveLeadType(sampleLeadType({ owner: OWNER, id: CHECKING, reassigned_numbers }))
})

it.each([
  [{ consent: { typ: 'oral', time: '2026-11-20T15:30:00Z' } }, 'similar_field;field="metadata.consent";hint="consent.type"'],
  [{ consent_type: 'oral' }, 'similar_field;field="metadata.consent_type";hint="consent.type"'],
  [{ lead_type: CHECKING, agreed: '10 June' }, 'unreadable_day;field="metadata.agreed"'],
  [{ lead_type: CHECKING, agreed: '2026-06-10', consent: 'yes' }, undefined],
])('a created lead gets a warning of a consent that is not recorded, and of a day that cannot be read: %j', async (sent, warning) => {
  const body = { phone_number: newPhone(), us_state: 'NY', ...sent }
  const answer = await request(create, { method: 'POST', path: '/api/leads/', body })
  expect(answer).toMatchObject({ status: 201 })
  expect(answer.headers['X-Warnings']).toBe(warning)
})
