import { describe, expect, it } from '@jest/globals'
import { compilePattern, compilePatterns } from '#lib/local/events/pattern.ts'

const event = {
  source: 'lead-outreach',
  'detail-type': 'LEAD_CREATED',
  detail: {
    lead: { status: 'NEW', attempts: 2, email: null, tags: ['a', 'b'] },
    calls: [
      { outcome: 'voicemail', seconds: 9 },
      { outcome: 'no_answer', seconds: 0 },
    ],
  },
}

describe('an event pattern', () => {
  it.each([
    [{ source: ['lead-outreach'], 'detail-type': ['LEAD_CLOSED', 'LEAD_CREATED'] }],
    [{ detail: { lead: { status: ['NEW'], attempts: [2] } } }],
    [{ detail: { lead: { email: [null] } } }],
    [{ detail: { lead: { tags: ['b'] } } }],
    [{ 'detail-type': [{ prefix: 'LEAD_' }] }],
    [{ 'detail-type': [{ suffix: '_CREATED' }] }],
    [{ source: [{ 'equals-ignore-case': 'LEAD-Outreach' }] }],
    [{ detail: { lead: { phone: [{ exists: false }], status: [{ exists: true }] } } }],
    [{ detail: { lead: { status: [{ 'anything-but': 'OLD' }] } } }],
    [{ detail: { lead: { status: [{ 'anything-but': ['OLD', 'CLOSED'] }] } } }],
    [{ detail: { lead: { status: [{ 'anything-but': { prefix: 'OL' } }] } } }],
    [{ detail: { lead: { attempts: [{ numeric: ['>', 1, '<=', 2] }] } } }],
    [{ detail: { calls: { outcome: ['no_answer'], seconds: [0] } } }],
    [{}],
  ])('an event matches the pattern %j', (pattern) => expect(compilePattern(pattern)(event)).toBe(true))

  it.each([
    [{ source: ['other'] }],
    [{ source: ['lead-outreach'], 'detail-type': ['LEAD_CLOSED'] }],
    [{ detail: { lead: { attempts: ['2'] } } }],
    [{ detail: { lead: { status: [{ 'anything-but': ['NEW'] }] } } }],
    [{ detail: { lead: { phone: [{ 'anything-but': 'x' }] } } }],
    [{ detail: { lead: { phone: [{ exists: true }] } } }],
    [{ detail: { lead: [{ exists: true }] } }],
    [{ detail: { lead: { attempts: [{ numeric: ['<', 2] }] } } }],
    [{ detail: { calls: { outcome: ['no_answer'], seconds: [9] } } }],
    [{ source: [] }],
  ])('an event does not match the pattern %j', (pattern) => expect(compilePattern(pattern)(event)).toBe(false))

  it.each([
    [{ $or: [{ source: ['a'] }] }],
    [{ source: [{ wildcard: 'a*' }] }],
    [{ source: 'lead-outreach' }],
    [{ source: [{ cidr: '10.0.0.0/24' }] }],
  ])('an unsupported event pattern is refused, not ignored: %j', (pattern) =>
    expect(() => compilePattern(pattern)).toThrow(/is not understood/),
  )

  it('an event pattern matches if any alternative matches, and an empty list matches everything', () => {
    expect(compilePatterns([{ source: ['other'] }, { source: ['lead-outreach'] }])(event)).toBe(true)
    expect(compilePatterns([{ source: ['other'] }])(event)).toBe(false)
    expect(compilePatterns([])(event)).toBe(true)
  })
})
