import { describe, expect, it } from '@jest/globals'
import { sentenceInWords } from '#lib/console/parts/api-sentence.ts'
import { closedBecause } from '#shared/calling/rules/hours/closed-because.ts'
import { at, hoursIn } from '../rules/fixtures/hours-in.ts'

/** Some versions of the data write a narrow space before AM. */
const inWords = (text: string): string => sentenceInWords(text).replaceAll('\u202f', ' ')

describe('a sentence of the API in the console', () => {
  it.each([
    [
      'federal: Friday 2026-11-20 22:00 in America/New_York is outside 08:00-21:00. NY: Friday 2026-11-20 22:00 in America/New_York is outside 09:00-24:00.',
      'Federal law: the local time is Fri, Nov 20, 10:00 PM (New York). Calls are allowed only from 8:00 AM to 9:00 PM. New York: the local time is Fri, Nov 20, 10:00 PM (New York). Calls are allowed only from 9:00 AM to 12:00 AM.',
    ],
    [
      'Friday 2026-11-20 20:59 in America/Argentina/Buenos_Aires is the last minute of 08:00-21:00 on Christmas Day.',
      'The local time is Fri, Nov 20, 8:59 PM (Buenos Aires). Calls are allowed from 8:00 AM to 9:00 PM on Christmas Day, but none begins in the last minute.',
    ],
    [
      'AL: Sunday 2026-11-22 12:00 in America/Chicago: there are no calls on a Sunday.',
      'Alabama: the local time is Sun, Nov 22, 12:00 PM (Chicago). There are no calls on a Sunday.',
    ],
    [
      'The local time is inside the calling window. timezone: America/Denver and America/Phoenix are not in NY, the state from us_state: the rules of NY apply by the clock of America/Denver and America/Phoenix.',
      'The local time is inside the calling window. The time zone is not one of New York, the state of the lead. Calls are made by the clock of this time zone, so they may come at night. Correct the one that is wrong.',
    ],
    ['… are not applied. Send a us_state or a zip.', '… are not applied. Add the state or the ZIP code.'],
    ['Not scheduled. Leads in status LOST are not called.', 'The call was not scheduled. Leads with the status “Lost” are not called.'],
    ['Leads in status CLOSED_INCOMPLETE are not called.', 'Leads with the status “Closed, incomplete” are not called.'],
    [
      'The fields email, phone_number, company must make a unique set. Lead 52 has this phone number and email. Update that lead.',
      'Lead 52 already has this phone number and email address. Update that lead.',
    ],
    ['Ensure this field has no more than 102400 bytes of JSON.', 'Ensure this field has no more than 100 KB.'],
    ['Ensure this field has no more than 255 characters.', 'Ensure this field has no more than 255 characters.'],
  ])('%j is shown as %j', (text, shown) => {
    expect(inWords(text)).toBe(shown)
  })

  it.each([
    ['outside the hours', 'CA', '2026-11-20T10:30:00Z', /^The local time is .* Calls are allowed only from /],
    ['in the last minute', 'TX', '2026-11-21T02:59:30Z', /^The local time is .* none begins in the last minute\.$/],
    ['on a holiday', 'LA', '2026-11-26T16:00:00Z', /^The local time is .* There are no calls on Thanksgiving Day\.$/],
    ['on a Sunday', 'LA', '2026-11-22T16:00:00Z', /^The local time is .* There are no calls on a Sunday\.$/],
  ])('what the service says about a call %s is shown by the local clock, without machine times', (_, state, iso, shown) => {
    const details = closedBecause(hoursIn('America/Chicago', [state]), at(iso)).map(({ detail }) => inWords(detail))
    expect(details.length).toBeGreaterThan(0)
    for (const detail of details) {
      expect(detail).toMatch(shown)
      expect(detail).not.toMatch(/\d{4}-\d\d|\d\d:\d\d-|\//)
    }
  })
})
