import { expect, it } from '@jest/globals'
import type { PersonItem } from '#lib/ops/person/person-items.ts'
import { eraseText, reportOf } from '#lib/ops/person/report.ts'
import type { SoughtPerson } from '#lib/ops/person/sought.ts'
import type { Survey } from '#lib/ops/person/survey.ts'

const sought: SoughtPerson = {
  ...{ phoneNumber: '+12125550001', mentions: /2125550001/, owner: undefined, users: [], hash: 'h' },
  ...{ leads: new Set(), rows: new Map(), phonePks: new Set(), everywhere: true },
}

const item = (type: PersonItem['type'], fate: PersonItem['fate'], id = 0): PersonItem => ({
  ...{ type, fate, key: { pk: `P#${id}`, sk: `S#${id}` }, item: { id } },
})

const ITEMS = [
  ...[item('delivery', 'remove'), item('pointer', 'remove'), item('lead', 'person', 12), item('call', 'remove'), item('lead', 'person', 7)],
  ...[item(undefined, 'leave', 2), item(undefined, 'leave', 1)],
]

it('an erasure report has the same order however the table was read', () => {
  const told = (items: readonly PersonItem[], groups: readonly string[]) => {
    const survey: Survey = { items, uploads: [] }
    const stops = groups.map((dnc_group) => ({ dnc_group, call_dnc: true, sms_dnc: false }))
    const report = reportOf(survey, sought, { stops, letters: { about: 0, unseen: 0 }, recordFiles: null, unexported: [], erased: false })
    return { json: JSON.stringify(report), text: eraseText(report) }
  }
  const one = told(ITEMS, ['a', 'b'])
  expect(told(ITEMS.toReversed(), ['b', 'a'])).toEqual(one)
  expect(one.text).toMatch(/^To be erased: 2 leads, 1 call, 1 pointer, 1 delivery\.\n/)
  expect(JSON.parse(one.json)).toMatchObject({ lead_ids: [7, 12], left: ['P#1 S#1', 'P#2 S#2'] })
})
