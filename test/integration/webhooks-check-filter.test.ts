import { beforeAll, describe, expect, it } from '@jest/globals'
import { handler } from '#functions/webhooks/check-filter.ts'
import { saveApiKey } from '#shared/accounts/api-key-store.ts'
import { leadItem } from '#shared/leads/lead-store.ts'
import { callKey } from '#shared/platform/keys.ts'
import { putItem } from '#shared/platform/table/table.ts'
import { suiteTable } from '#test/support/suite-world.ts'
import { aCall, aLead, NOW, OWNER } from '#test/support/webhook-fixtures.ts'
import { KEY, request } from '#test/support/world.ts'

suiteTable()

beforeAll(async () => {
  await saveApiKey(KEY, { user: OWNER, created_time: NOW, revoked_time: null })
  await putItem(leadItem(aLead({ id: 1001, last_chat: '1001-1', attempts: 1 })))
  await putItem({ ...callKey(1001, 1), ...aCall() })
  await putItem(leadItem(aLead({ id: 1002, last_chat: '1002-1' })))
})

const check = async (filter_condition: string, lead_id: number): Promise<boolean> => {
  const { status, body } = await request(handler, {
    method: 'POST',
    path: '/api/webhooks/check-filter/',
    body: { filter_condition, lead_id },
  })
  expect(status).toBe(200)
  return body.matches
}

describe('checking a filter condition against a lead', () => {
  it.each([
    ["last_chat['is_contact'] and last_chat['call_direction'] == 'outbound'", true],
    ["trigger == 'CALL_COMPLETE' and call.call_id == last_chat.call_id", true],
    ["last_chat.outcome == 'COMPLETED' and last_chat.duration_seconds == 58", true],
    ["get('last_chat.started_time') == '2026-11-20T16:00:01.000000+00:00'", true],
    [`sequence == '${'0'.repeat(40)}'`, true],
    ["last_chat.outcome == 'DIAL_BUSY'", false],
    ["has('last_chat.provider_call_id') or has('call.verdicts') or has('call.owner')", false],
  ])('checking a filter condition against a lead uses its completed call: %s', async (condition, matches) => {
    expect(await check(condition, 1001)).toBe(matches)
  })

  it('checking a filter condition treats a missing call as no call', async () => {
    expect(await check("trigger == 'LEAD_CREATED' and last_chat == null and has('call') == false", 1002)).toBe(true)
  })
})
