import { describe, expect, it } from '@jest/globals'
import { leadsAsked, leadsPlace, listQuery } from '#lib/console/leads/list-query.ts'

const askedFor = (place: string) => leadsAsked(new URLSearchParams(place.split('?')[1]))

const DAYS = { from: '2026-11-14', to: '2026-11-20' }
const DAY = { from: '2026-11-20', to: '2026-11-20' }
const ALL = { status: undefined, created: undefined, changed: undefined, hour: undefined, leadType: undefined }

describe('the place of a list of leads in the console', () => {
  it.each([
    ['leads', {}],
    ['leads?status=LOST', { status: 'LOST' }],
    ['leads?created=2026-11-20', { created: DAY }],
    ['leads?created=2026-11-14..2026-11-20', { created: DAYS }],
    ['leads?changed=2026-11-20&hour=16&lead_type=4', { changed: DAY, hour: 16, leadType: 4 }],
    ['leads?status=OPEN&changed=2026-11-14..2026-11-20&lead_type=4', { status: 'OPEN', changed: DAYS, leadType: 4 }],
  ] as const)('the place %s asks for the leads that it names', (place, asked) => {
    expect(leadsPlace(asked)).toBe(place)
    expect(askedFor(place)).toEqual({ ...ALL, ...asked })
  })

  it('a period includes its last day', () => {
    expect(listQuery(askedFor('leads?changed=2026-11-14..2026-11-20'), new URLSearchParams())).toMatchObject({
      modified_time_after: '2026-11-14',
      modified_time_before: '2026-11-20T23:59:59.999Z',
    })
  })

  it('an hour of a day begins and ends with its first and its last millisecond', () => {
    expect(listQuery(askedFor('leads?changed=2026-11-20&hour=7'), new URLSearchParams())).toMatchObject({
      modified_time_after: '2026-11-20T07:00:00Z',
      modified_time_before: '2026-11-20T07:59:59.999Z',
    })
  })

  it.each(['changed=2026-11-20&hour=24', 'changed=2026-11-20&hour=x', 'changed=2026-11-14..2026-11-20&hour=7', 'hour=7'])(
    'the hour in the address ?%s is ignored',
    (query) => {
      expect(askedFor(`leads?${query}`).hour).toBeUndefined()
    },
  )

  it.each(['2026-13-45', '2026-11-20..2026-11-14', '2026-11-20..', '2026-11-20..x', '2026-11-18..2026-11-19..2026-11-20'])(
    'the period %p in an address is ignored',
    (text) => {
      expect(askedFor(`leads?changed=${text}`)).toEqual(ALL)
    },
  )
})
