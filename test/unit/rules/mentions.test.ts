import { describe, expect, it } from '@jest/globals'
import { isMentioned, isMentionedIn, mentionsOf } from '#shared/erasure/rules/mention.ts'
import { containsMention, redacted } from '#shared/erasure/rules/redact.ts'

const NUMBER = mentionsOf('+12125550001')

async function* cut(bytes: Buffer, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

describe('mentions of a phone number', () => {
  it.each([
    '+12125550001',
    '2125550001',
    '12125550001',
    '0012125550001',
    '01112125550001',
    'PERSON#1#+12125550001',
    '(212) 555-0001',
    '+1 (212) 555-0001',
    '1-212-555-0001',
    '212.555.0001',
    '212\u2013555\u20130001',
    '212\u00a0555\u00a00001',
    '"2125550001","x"',
    '{"phone":2125550001}',
    '%2B12125550001',
    'tel:+1-212-555-0001;ext=5',
    '212 \u2013 555 \u2013 0001',
    '\uff12\uff11\uff12\uff15\uff15\uff15\uff10\uff10\uff10\uff11',
    '\uff0b\uff11\uff08\u0662\u0661\u0662\uff09 555\uff0d0001',
    '212 555 00 01',
    '21 25 55 00 01',
    '%28212%29%20555-0001',
    '2.125550001E9',
    '2.125550001e+09',
  ])('a phone number is found in %s', (text) => {
    expect(isMentioned(NUMBER, text)).toBe(true)
  })

  it.each([
    '+12125550002',
    '72125550001',
    '21255500012',
    '\uff1712125550001',
    '2125550001\u0662',
    '00000000000000212555000100',
    '21,25,55,00,01',
    '2026-11-20T16:00:00.123Z',
  ])('a phone number is not found in %s', (text) => {
    expect(isMentioned(NUMBER, text)).toBe(false)
  })

  it('a phone number that ends in zeros is found in a text with the number in spreadsheet notation', () => {
    const round = mentionsOf('+12125550100')
    for (const text of ['2.1255501E9', '2.1255501E+09', '1.21255501E+10']) expect([text, isMentioned(round, text)]).toEqual([text, true])
    for (const text of ['2.1255501E8', '2.1255501', '2.12555012E9']) expect([text, isMentioned(round, text)]).toEqual([text, false])
  })

  it('phone numbers of other countries are found', () => {
    const british = mentionsOf('+442079460018')
    for (const text of ['+442079460018', '+44 20 7946 0018', '020 7946 0018', '+44 (0)20 7946 0018', '00442079460018']) {
      expect([text, isMentioned(british, text)]).toEqual([text, true])
    }
    for (const text of ['2079460018', '+442079460019', '442079460018123']) expect([text, isMentioned(british, text)]).toEqual([text, false])
  })

  it.each([1, 3, 7, 64, 1000])('a phone number is found in bytes cut into chunks of any size: %i at a time', async (size) => {
    const among = (mention: string) => Buffer.from(`${'x'.repeat(300)}\u00e9${mention}${'\u2013'.repeat(200)}`)
    for (const mention of ['212-555-0001', '212 \u2013 555 \u2013 0001', ' \uff12\uff11\uff125550001'])
      expect([mention, await isMentionedIn(NUMBER, cut(among(mention), size))]).toEqual([mention, true])
    for (const longer of ['2125550001234', 'a,21255500012345', '12342125550001'])
      expect([longer, await isMentionedIn(NUMBER, cut(among(longer), size))]).toEqual([longer, false])
    for (const edge of ['2125550001', '2125550001x', 'x2125550001'])
      expect([edge, await isMentionedIn(NUMBER, cut(Buffer.from(edge), size))]).toEqual([edge, true])
  })

  it('a phone number is found in Windows-1252', async () => {
    const bytes = Buffer.from('M\u00fcller;212 \x96 555 \x96 0001\n', 'latin1')
    expect(await isMentionedIn(NUMBER, cut(bytes, 5))).toBe(true)
  })

  it('a phone number is found in UTF-16', async () => {
    expect(await isMentionedIn(NUMBER, cut(Buffer.from('a;2125550001;b', 'utf16le'), 9))).toBe(true)
  })

  it('a phone number is removed from texts, sets, keys and JSON', () => {
    const item = {
      text: 'Call 212-555-0001 or +12125550001.',
      json: '{"a":2125550001,"b":["(212) 555-0001",1.5],"+12125550001":true}',
      set: new Set(['2125550001', 'x']),
      number: 5,
    }
    expect(redacted(NUMBER, item)).toEqual({
      text: 'Call erased or erased.',
      json: '{"a":null,"b":["erased",1.5],"erased":true}',
      set: new Set(['erased', 'x']),
      number: 5,
    })
  })

  it.each(['{"parts":["212","555","0001"]}', '{"a":212,"b":5550001}', '{"path":"C:\\\\212"}'])(
    'mere look-alikes of a phone number in JSON are no mentions: %s',
    (json) => {
      expect(containsMention(NUMBER, { json })).toBe(false)
      expect(redacted(NUMBER, { json })).toEqual({ json })
    },
  )

  it('a phone number is found behind JSON escapes', () => {
    const json = '{"a": "212\\n555\\u20130001", "b": [1e3]}'
    expect(containsMention(NUMBER, json)).toBe(true)
    expect(redacted(NUMBER, json)).toBe('{"a":"erased","b":[1000]}')
  })

  it('a phone number stays under keys marked to be kept', () => {
    const json = '{"phone_number":"+12125550001","metadata":{"phone_number":"2125550001"}}'
    expect(redacted(NUMBER, json, { kept: ['phone_number'] })).toBe('{"phone_number":"+12125550001","metadata":{"phone_number":"erased"}}')
    expect(redacted(NUMBER, '{ "phone_number": "2125550001" }', { kept: ['phone_number'] })).toBe('{ "phone_number": "2125550001" }')
  })

  it.each([1, 20, 100, 3_000, 50_000])('a phone number is removed from JSON nested %d levels deep', (depth) => {
    const nested = (text: string) => `${'['.repeat(depth)}${text}${']'.repeat(depth)}`
    const item = { text: nested('"2125550001"'), within: JSON.stringify({ text: nested('"2125550001"') }), other: nested('"\\\\"') }
    expect(containsMention(NUMBER, item)).toBe(true)
    expect(containsMention(NUMBER, { other: item.other })).toBe(false)
    expect(redacted(NUMBER, item)).toEqual({
      text: nested('"erased"'),
      within: JSON.stringify({ text: nested('"erased"') }),
      other: item.other,
    })
  })
})
