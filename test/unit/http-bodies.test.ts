import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import * as v from 'valibot'
import { api } from '#shared/http/api.ts'
import { Dictionary, fields } from '#shared/http/fields/field.ts'
import { integerField } from '#shared/http/fields/number.ts'
import { charField } from '#shared/http/fields/text.ts'
import { created } from '#shared/http/reply.ts'
import { CreateLead } from '#shared/leads/api/lead-request.ts'
import { CreateSubscription } from '#shared/webhooks/api/create-subscription.ts'
import { send } from '#test/support/api-event.ts'
import { captureLog } from '#test/support/captured-log.ts'
import { helped } from '#test/support/helped.ts'
import { suiteKey } from '#test/support/suite-key.ts'

const lines = captureLog()
suiteKey()
const Authorization = 'Token good'

const Body = v.pipe(Dictionary, fields({ name: charField({ maxLength: 5 }), size: v.optional(integerField({ min: 1 })) }))
const echo = api({ auth: 'token', body: Body }, async ({ user, body }) => created({ user: user.id, ...body }))

describe('a request body', () => {
  const post = (body: unknown, contentType?: string | null) =>
    send(echo, {
      body,
      headers: { Authorization, ...(contentType !== null && { 'content-type': contentType ?? 'application/json' }) },
    })

  it.each([
    ['application/json', '{"name":"é"}'],
    ['APPLICATION/JSON; charset=UTF-8', '{"name":"é"}'],
    ['application/json', Buffer.from('{"name":"é"}')],
  ])('a request body is read as JSON when its media type is %s', async (type, body) => {
    expect(await post(body, type)).toMatchObject({ status: 201, json: { name: 'é' } })
  })

  it.each(['{', '{"name" 1}', "{'name': 1}", '{"name": NaN}', ' '])('a request body is refused as invalid JSON: %j', async (text) => {
    const answer = await post(text)
    expect(answer.status).toBe(400)
    expect(answer.json.detail).toMatch(/^JSON parse error - /)
  })

  it.each(['text/plain', 'application/xml; charset=utf-8', 'application/jsonx', 'multipart/form-data; boundary=x', ''])(
    'a request body is refused when its media type is %j',
    async (type) => {
      const answer = await post('{"name":"a"}', type)
      expect(answer).toMatchObject({ status: 415, json: { detail: helped(`Unsupported media type "${type}" in request. …`) } })
    },
  )

  it.each([
    [
      '{"name":"a"}',
      'text/plain',
      'Unsupported media type "text/plain" in request. The body is JSON. Send the header "Content-Type: application/json".',
    ],
    ['name=a', 'text/plain', 'Unsupported media type "text/plain" in request. Only application/json is accepted.'],
    [
      '{"name":"a"}',
      null,
      'Unsupported media type "" in request. The header "Content-Type" is missing. The body is JSON. Send the header "Content-Type: application/json".',
    ],
    ['hello', null, 'Unsupported media type "" in request. The header "Content-Type" is missing. Only application/json is accepted.'],
  ])('the error for a wrong media type names the right one: %j of type %j', async (body, type, detail) => {
    expect(await post(body, type)).toMatchObject({ status: 415, json: { detail } })
  })

  it('a request body needs a media type, unless it is empty and counts as an empty dictionary', async () => {
    expect(await post('{}', null)).toMatchObject({ status: 415, json: { detail: helped('Unsupported media type "" in request. …') } })
    const missing = { status: 400, json: { name: ['This field is required.'] } }
    expect(await post('', null)).toMatchObject(missing)
    expect(await post('', 'text/plain')).toMatchObject(missing)
    expect(await post(undefined, null)).toMatchObject(missing)
  })

  it.each([
    ['[]', 'Invalid data. Expected a dictionary, but got list.'],
    ['"a"', 'Invalid data. Expected a dictionary, but got str.'],
    ['1', 'Invalid data. Expected a dictionary, but got int.'],
    ['1.5', 'Invalid data. Expected a dictionary, but got float.'],
    ['true', 'Invalid data. Expected a dictionary, but got bool.'],
    ['null', 'No data provided'],
  ])('a request body must be a dictionary, not %s', async (text, message) => {
    expect(await post(text)).toMatchObject({ status: 400, json: { non_field_errors: [message] } })
  })

  it('a request body has all its problems reported in field order', async () => {
    const answer = await post({ size: 0, name: 'too long\0' })
    expect(answer.status).toBe(400)
    expect(JSON.stringify(answer.json)).toBe(
      JSON.stringify({
        name: ['Ensure this field has no more than 5 characters.', 'Null characters are not allowed.'],
        size: ['Ensure this value is greater than or equal to 1.'],
      }),
    )
  })

  it('a request body may have 4 MB, but no more', async () => {
    const padded = (bytes: number) => '{"name":"a"}'.padEnd(bytes)
    expect(await post(padded(4 * 1024 * 1024))).toMatchObject({ status: 201 })
    const answer = await post(padded(4 * 1024 * 1024 + 1))
    expect(answer).toMatchObject({ status: 413, json: { detail: 'Request body is larger than 4194304 bytes.' } })
    expect((await post(Buffer.alloc(4 * 1024 * 1024 + 1))).status).toBe(413)
  })

  it('a request body is refused unless it is UTF-8', async () => {
    const answer = await post(Buffer.from([0x22, 0xff, 0x22]))
    expect(answer.status).toBe(400)
    expect(answer.json.detail).toMatch(/^JSON parse error - 'utf-8' codec can't decode/)
  })
})

describe('a handler that reads JSON', () => {
  const handlers = [CreateLead, CreateSubscription].map((body) => api({ auth: 'token', body }, async (request) => created(request.body)))
  const key = fc.constantFrom(
    ...['phone_number', 'email', 'metadata', 'status', 'lead_type', 'representative', 'external_id', 'us_state'],
    ...[
      ...['lead_source', 'call_schedule_start_time', 'min_reengagement_days', 'call_dnc', 'url', 'trigger', 'method', 'filter_condition'],
      ...['headers', '__proto__', 'constructor', 'toString', 'x'],
    ],
  )
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom('\ud800', '\0', '+12125550001', 'https://{{a}}', '2026-11-20T00:00Z', '9'.repeat(1001)),
  )
  const value = fc.oneof(fc.jsonValue(), text, fc.double(), fc.object({ key, maxDepth: 4 }))

  it('a handler that reads JSON answers any JSON with 201 or 400', async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.dictionary(key, value), fc.jsonValue()), fc.nat(1), async (body, which) => {
        const answer = await send(handlers[which]!, {
          body: JSON.stringify(body),
          headers: { Authorization, 'Content-Type': 'application/json' },
        })
        if (answer.status !== 201 && answer.status !== 400) throw new Error(`${answer.status}: ${lines.join('')}`)
      }),
      { numRuns: 500 },
    )
  })

  it('a handler that reads JSON answers random text with 400', async () => {
    const json = fc.array(fc.constantFrom(...'{}[]:,"\\u0d8-1e.tn \n'), { maxLength: 40 }).map((characters) => characters.join(''))
    await fc.assert(
      fc.asyncProperty(json, async (body) => {
        const answer = await send(handlers[0]!, { body, headers: { Authorization, 'Content-Type': 'application/json' } })
        expect(answer.status).toBe(400)
      }),
      { numRuns: 500 },
    )
  })

  it.each(['['.repeat(1_000_000), '{"a":'.repeat(500_000), `${'['.repeat(200_000)}1234567890123456789${']'.repeat(200_000)}`])(
    'a handler that reads JSON answers deeply nested JSON with 400',
    async (body) => {
      for (const text of [
        body,
        `{"phone_number":${body}}`,
        `{"metadata":${body}}`,
        `{"status":${'['.repeat(100_000)}${']'.repeat(100_000)}}`,
      ]) {
        const answer = await send(handlers[0]!, { body: text, headers: { Authorization, 'Content-Type': 'application/json' } })
        expect(answer.status).toBe(400)
      }
    },
  )
})
