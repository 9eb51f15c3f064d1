import { describe, expect, it } from '@jest/globals'
import { formatInTimeZone } from 'date-fns-tz'
import fc from 'fast-check'
import { formatCreatedAt, formatInstant, formatOptional } from '#shared/platform/values/time.ts'

const AT = Date.parse('2026-11-20T16:00:00.123Z')
const ZONES = ['UTC', 'America/New_York', 'America/St_Johns', 'Asia/Kathmandu', 'Australia/Lord_Howe', 'Europe/London', 'Pacific/Apia']
const instants = fc.integer({ min: Date.parse('1971-01-01T00:00:00Z'), max: Date.parse('2099-12-31T00:00:00Z') })

describe('shown datetimes', () => {
  it('shown datetimes have six fraction digits and a numeric offset', () => {
    expect(formatInstant(AT)).toBe('2026-11-20T16:00:00.123000+00:00')
    expect(formatInstant(AT, 'America/New_York')).toBe('2026-11-20T11:00:00.123000-05:00')
    expect(formatInstant(AT, 'America/St_Johns')).toBe('2026-11-20T12:30:00.123000-03:30')
    expect(formatOptional(null)).toBeNull()
    expect(formatCreatedAt(AT)).toBe('11/20/2026 16:00')
    expect(formatCreatedAt(AT, 'Asia/Kathmandu')).toBe('11/20/2026 21:45')
  })

  it('shown datetimes match another library and parse back to the same instant', () => {
    fc.assert(
      fc.property(instants, fc.constantFrom(...ZONES), (instant, zone) => {
        expect(formatInstant(instant, zone)).toBe(formatInTimeZone(instant, zone, "yyyy-MM-dd'T'HH:mm:ss.SSS'000'xxx"))
        expect(Date.parse(formatInstant(instant, zone))).toBe(instant)
      }),
      { numRuns: 1000 },
    )
  })
})
