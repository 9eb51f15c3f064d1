import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import * as v from 'valibot'
import { api } from '#shared/http/api.ts'
import { booleanField } from '#shared/http/fields/choice.ts'
import { Dictionary, fields } from '#shared/http/fields/field.ts'
import { created } from '#shared/http/reply.ts'
import { CreateLead } from '#shared/leads/api/lead-request.ts'
import { send } from '#test/support/api-event.ts'
import { captureLog } from '#test/support/captured-log.ts'
import { helped } from '#test/support/helped.ts'
import { suiteKey } from '#test/support/suite-key.ts'

captureLog()
suiteKey()
const Authorization = 'Token good'

const create = api({ auth: 'token', body: CreateLead, forms: true }, async ({ body }) => created(body))
const Pause = v.pipe(Dictionary, fields({ only_existing_leads: v.optional(booleanField(), false) }))
const pause = api({ auth: 'token', body: Pause, forms: true }, async ({ body }) => created(body))
const echo = api({ auth: 'token', body: Dictionary, forms: true }, async ({ body }) => created(body))

const URLENCODED = 'application/x-www-form-urlencoded'
const MULTIPART = 'multipart/form-data; boundary=x'
const PHONE = '+12125550001'

const post = (handler: typeof create, body: string | Buffer, type: string) =>
  send(handler, { body, headers: { Authorization, 'Content-Type': type } })

/** A multipart part with a disposition, other headers and a value. */
const part = (disposition: string, value: string, headers = '') =>
  `--x\r\nContent-Disposition: form-data; ${disposition}\r\n${headers}\r\n${value}\r\n`
const multipart = (values: Record<string, string>) =>
  `${Object.entries(values)
    .map(([name, value]) => part(`name="${name}"`, value))
    .join('')}--x--\r\n`

const urlencoded = (values: Record<string, string>) => new URLSearchParams(values).toString()

describe.each([
  [URLENCODED, urlencoded],
  [MULTIPART, multipart],
] as const)('a form of type %s', (type, write) => {
  const form = (values: Record<string, string>) => post(create, Buffer.from(write(values)), type)

  it('a form is read as the fields of a lead, from text and from bytes', async () => {
    const values = {
      phone_number: '212 555 0001',
      email: 'ann+1@example.com',
      lead_source: ' wéb & more ',
      representative: '12',
      budget: '5',
    }
    const expected = { phone_number: PHONE, email: 'ann+1@example.com', lead_source: 'wéb & more', representative: 12 }
    for (const body of [write(values), Buffer.from(write(values))]) {
      expect(await post(create, body, type)).toMatchObject({ status: 201, json: { ...expected, metadata: { budget: '5' } } })
    }
  })

  it('a form may have metadata as JSON text', async () => {
    const metadata = { first_name: 'Ann', nested: { list: [1, null] }, order: 'kept' }
    const answer = await form({ phone_number: PHONE, metadata: JSON.stringify(metadata), order: 'not kept', extra: 'x' })
    expect(answer).toMatchObject({ status: 201, json: { metadata: { ...metadata, extra: 'x' } } })
    expect((await form({ phone_number: PHONE, metadata: 'null' })).json.metadata).toBeNull()
  })

  it.each(['{', '', "{'a': 1}", 'text'])(
    'a form with the metadata %j is refused, and its other failing fields are reported too',
    async (metadata) => {
      expect(await form({ email: 'no', metadata })).toMatchObject({
        status: 400,
        json: {
          phone_number: ['This field is required.'],
          email: [helped('Enter a valid email address. …')],
          metadata: ['Value must be valid JSON.'],
        },
      })
    },
  )

  it('a form is refused when its JSON metadata is not a dictionary', async () => {
    expect((await form({ phone_number: PHONE, metadata: '[1]' })).json).toEqual({
      metadata: ['Expected a dictionary of items but got type "list".'],
    })
  })

  it('a form may have blank optional fields, but no blank phone number', async () => {
    const blank = { email: '', status: '', lead_type: '', representative: '', us_state: '', call_schedule_start_time: '' }
    const answer = await form({ phone_number: PHONE, ...blank, min_reengagement_days: '', lead_source: '', call_dnc: '' })
    expect(answer.status).toBe(201)
    expect(answer.json).toEqual({ phone_number: PHONE, email: null, lead_type: null, us_state: null, lead_source: '' })
    expect((await form({ phone_number: '', status: '' })).json).toEqual({ phone_number: ['This field may not be blank.'] })
    expect((await form({})).json).toEqual({ phone_number: ['This field is required.'] })
  })

  it.each([
    ['true', true],
    ['True', true],
    ['1', true],
    ['on', true],
    ['false', false],
    ['False', false],
    ['0', false],
    ['off', false],
    ['', false],
  ])('a form may have %j as a boolean', async (text, only_existing_leads) => {
    expect(await post(pause, write({ only_existing_leads: text }), type)).toMatchObject({ status: 201, json: { only_existing_leads } })
  })

  it('a form is refused when it has another word as a boolean', async () => {
    const answer = await post(pause, write({ only_existing_leads: 'maybe' }), type)
    expect(answer).toMatchObject({ status: 400, json: { only_existing_leads: [helped('Must be a valid boolean. …')] } })
  })

  it('a form may have keys named like built-in properties, which are plain data', async () => {
    const answer = await form({ phone_number: PHONE, __proto__x: '1', constructor: '2', toString: '3' })
    expect(answer.json.metadata).toEqual({ __proto__x: '1', constructor: '2', toString: '3' })
    expect(Object.keys((await post(echo, write(JSON.parse('{"__proto__": "1"}')), type)).json)).toEqual(['__proto__'])
  })

  it('a form may have at most a thousand fields', async () => {
    const many = (count: number) => write(Object.fromEntries(Array.from({ length: count }, (_, index) => [`f${index}`, ''])))
    expect((await post(echo, many(1000), type)).status).toBe(201)
    const answer = await post(echo, many(1001), type)
    expect(answer.status).toBe(400)
    expect(answer.json.detail).toMatch(/orm parse error - More than 1000 fields\.$/)
  })

  it('a form is refused by a route that takes only JSON', async () => {
    const json = api({ auth: 'token', body: Dictionary }, async ({ body }) => created(body))
    expect(await post(json, write({ a: '1' }), type)).toMatchObject({
      status: 415,
      json: { detail: helped(`Unsupported media type "${type}" in request. …`) },
    })
  })

  it('a form carries any text', async () => {
    const key = fc.string({ unit: fc.constantFrom(...'abcdefgh_-. é😀'), minLength: 1 })
    const value = fc.string({ unit: 'grapheme' })
    await fc.assert(
      fc.asyncProperty(fc.dictionary(key, value, { maxKeys: 5, noNullPrototype: true }), async (values) => {
        expect((await post(echo, Buffer.from(write(values)), type)).json).toEqual(values)
      }),
      { numRuns: 200 },
    )
  })
})

describe('a form', () => {
  it('a form keeps the last value of a repeated field', async () => {
    expect((await post(echo, 'a=1&b=2&a=3', URLENCODED)).json).toEqual({ a: '3', b: '2' })
    expect((await post(echo, `${part('name="a"', '1')}${part('name="a"', '2')}--x--`, MULTIPART)).json).toEqual({ a: '2' })
  })

  it('a form is read in the charset that its header names', async () => {
    expect((await post(echo, 'a=%E9', `${URLENCODED}; charset=iso-8859-1`)).json).toEqual({ a: 'é' })
    expect((await post(echo, 'a=%C3%A9', `${URLENCODED}; charset=UTF-8`)).json).toEqual({ a: 'é' })
    expect((await post(echo, 'a=%C3%A9', `${URLENCODED}; charset=none-such`)).json).toEqual({ a: 'é' })
  })

  it('a multipart form may quote its boundary, declare the types of its parts and have text around them', async () => {
    const body = `before\r\n${part('name="a"', '1', 'Content-Type: text/plain; charset=utf-8\r\n')}--x--\r\nafter`
    for (const type of [MULTIPART, 'Multipart/Form-Data; charset=utf-8; boundary="x"'])
      expect((await post(echo, body, type)).json).toEqual({ a: '1' })
  })

  it('a multipart form ignores its files and keeps its fields', async () => {
    const body = `${part('name="phone_number"; filename="x.txt"', PHONE, 'Content-Type: text/plain\r\n')}${part('name="a"', '1')}--x--\r\n`
    expect((await post(echo, body, MULTIPART)).json).toEqual({ a: '1' })
  })

  it.each([
    ['multipart/form-data', '--x--', 'Invalid boundary in multipart: None'],
    [MULTIPART, 'no form', 'Unexpected end of multipart data.'],
    [MULTIPART, '--y--\r\n', 'Unexpected end of multipart data.'],
    [MULTIPART, part('name="a"', '1'), 'Unexpected end of multipart data.'],
    [MULTIPART, '--x\r\nContent-Disposition: form-data; name="a"', 'Unexpected end of multipart data.'],
    [MULTIPART, part('name="a"; filename="b"', '1'), 'Unexpected end of multipart data.'],
  ])('a malformed form is refused: %s %j', async (type, body, reason) => {
    expect(await post(echo, body, type)).toMatchObject({ status: 400, json: { detail: `Multipart form parse error - ${reason}` } })
  })

  it('a form is answered with 201 or 400 whatever it contains', async () => {
    const piece = fc.constantFrom(
      ...[
        '--x',
        '--x--',
        '\r\n',
        '\n',
        'Content-Disposition: form-data',
        '; name="a"',
        '; name=',
        '; filename="',
        '"',
        ':',
        '\0',
        'é',
        '=',
        '&',
      ],
      ...['Content-Transfer-Encoding: base64', 'Content-Type: application/json', '%', '%e9', '+'],
    )
    const type = fc.constantFrom(URLENCODED, MULTIPART, 'multipart/form-data; boundary=', 'multipart/form-data; boundary="\r"')
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 30 }), type, async (pieces, contentType) => {
        expect([201, 400]).toContain((await post(echo, pieces.join(''), contentType)).status)
      }),
      { numRuns: 2000 },
    )
  })
})

describe('JSON', () => {
  it('JSON is read in the charset that its header names', async () => {
    const bytes = Buffer.from('{"a": "é"}', 'latin1')
    expect((await post(echo, bytes, 'application/json; charset=iso-8859-1')).json).toEqual({ a: 'é' })
    expect((await post(echo, bytes, 'application/json')).status).toBe(400)
    expect((await post(echo, Buffer.from('{"a": "é"}'), 'application/json; charset="none-such"')).json).toEqual({ a: 'é' })
  })
})

describe('a body that is called a form and is JSON', () => {
  it.each([
    [`{"phone_number": "${PHONE}"}`, URLENCODED, 'Form'],
    [` \n [{"phone_number": "${PHONE}"}]`, URLENCODED, 'Form'],
    [`{"phone_number": "${PHONE}"}`, 'multipart/form-data', 'Multipart form'],
  ])('a JSON body that is called a form is refused with the right content type: %j as %s', async (body, type, kind) => {
    const detail = `${kind} parse error - The body is JSON, not a form. Send the header "Content-Type: application/json".`
    expect(await post(create, body, type)).toMatchObject({ status: 400, json: { detail } })
  })

  it.each(['{"phone_number"', '{a}=1', '[0]=1'])('a form that looks like JSON is read as a form when it is not JSON: %j', async (body) => {
    expect(await post(echo, body, URLENCODED)).toMatchObject({ status: 201 })
  })

  it('a body that is neither JSON nor a form is refused with the accepted types', async () => {
    const detail =
      'Unsupported media type "text/csv" in request. Accepted are application/json, application/x-www-form-urlencoded and multipart/form-data.'
    expect(await post(create, 'a,b', 'text/csv')).toMatchObject({ status: 415, json: { detail } })
  })
})
