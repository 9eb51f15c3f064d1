import { describe, expect, it } from '@jest/globals'
import { isMentioned, mentionOffsets, mentionsOf } from '#shared/domain/person/mention.ts'
import { redacted } from '#shared/domain/person/redact.ts'

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
  ])('%s', (text) => {
    expect(isMentioned(NUMBER, text)).toBe(true)
  })

  it.each(['+12125550002', '72125550001', '21255500012', '00000000000000212555000100', '212 555 00 01', '2026-11-20T16:00:00.123Z'])(
    'not %s',
    (text) => {
      expect(isMentioned(NUMBER, text)).toBe(false)
    },
  )

  it('of other countries', () => {
    const british = mentionsOf('+442079460018')
    for (const text of ['+442079460018', '+44 20 7946 0018', '020 7946 0018', '+44 (0)20 7946 0018', '00442079460018']) {
      expect([text, isMentioned(british, text)]).toEqual([text, true])
    }
    for (const text of ['2079460018', '+442079460019', '442079460018123']) expect([text, isMentioned(british, text)]).toEqual([text, false])
  })

  it.each([1, 3, 7, 64, 1000])('in bytes, however they are cut: %i at a time', async (size) => {
    const text = `${'x'.repeat(300)}212-555-0001\n${'é'.repeat(200)}+12125550001${'9'.repeat(200)} 2125550001`
    const bytes = Buffer.from(text)
    const found = (await mentionOffsets(NUMBER, cut(bytes, size))).toSorted((a, b) => a - b)
    expect(found).toEqual([300, bytes.length - 10])
  })

  it('in UTF-16', async () => {
    expect(await mentionOffsets(NUMBER, cut(Buffer.from('a;2125550001;b', 'utf16le'), 9))).not.toEqual([])
  })

  it('are taken out of texts, numbers, keys and JSON', () => {
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
})
