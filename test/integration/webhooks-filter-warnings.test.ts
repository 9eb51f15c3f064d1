import { beforeAll, describe, expect, it } from '@jest/globals'
import { handler as check } from '#functions/webhooks/check-filter.ts'
import { handler as subscribe } from '#functions/webhooks/create.ts'
import { handler as update } from '#functions/webhooks/update.ts'
import { saveApiKey } from '#shared/accounts/api-key-store.ts'
import { suiteTable } from '#test/support/suite-world.ts'
import { NOW, OWNER } from '#test/support/webhook-fixtures.ts'
import { KEY, request } from '#test/support/world.ts'

suiteTable()

beforeAll(() => saveApiKey(KEY, { user: OWNER, created_time: NOW, revoked_time: null }))

const UNQUOTED = 'status == OPEN'
const QUOTED = "status == 'OPEN'"
const WARNING = 'unknown_filter_field;field="OPEN";hint="\'OPEN\'"'

const created = (filter_condition: string) =>
  request(subscribe, {
    method: 'POST',
    path: '/api/webhooks/',
    body: { url: 'https://example.com/hook', trigger: 'LEAD_CREATED', filter_condition },
  })

describe('a filter that compares with text without quotes', () => {
  it('a subscription whose filter compares with text without quotes is saved with a warning that quotes it', async () => {
    expect(await created(UNQUOTED)).toMatchObject({ status: 201, headers: { 'X-Warnings': WARNING }, body: { filter_condition: UNQUOTED } })
    expect((await created(QUOTED)).headers).not.toHaveProperty('X-Warnings')
  })

  it('an update of a subscription warns of text without quotes in a filter that it sends', async () => {
    const { body } = await created(QUOTED)
    const patch = (fields: object) =>
      request(update, { method: 'PATCH', path: `/api/webhooks/${body.id}/`, parameters: { id: `${body.id}` }, body: fields })
    expect(await patch({ filter_condition: UNQUOTED })).toMatchObject({ status: 200, headers: { 'X-Warnings': WARNING } })
    expect((await patch({ method: 'PUT' })).headers).not.toHaveProperty('X-Warnings')
  })

  it('checking a filter warns of text without quotes, which does not match', async () => {
    const checked = (filter_condition: string) =>
      request(check, { method: 'POST', path: '/api/webhooks/check-filter/', body: { filter_condition, payload: { status: 'OPEN' } } })
    expect(await checked(UNQUOTED)).toMatchObject({ status: 200, headers: { 'X-Warnings': WARNING }, body: { matches: false } })
    const { headers, body } = await checked(QUOTED)
    expect({ warnings: headers['X-Warnings'], body }).toEqual({ warnings: undefined, body: { matches: true } })
  })
})
