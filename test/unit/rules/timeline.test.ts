import { expect, it } from '@jest/globals'
import { callEntries, leadEntries } from '#shared/leads/rules/timeline.ts'
import { NOON, sampleCall, sampleLead } from '#test/support/samples.ts'

/** Start of an acceptance sequence. */
const acceptedAt = (time: number): string => `${time}-0`

const setTexts = (lead: Parameters<typeof sampleLead>[0]): string[] =>
  leadEntries(sampleLead(lead), []).flatMap(({ text }) => (text.startsWith('set: ') ? [text] : []))

it('the timeline shows a value only if updates alone can have set it', () => {
  const metadata = { city: 'Troy', zip: '12180' }
  const field_times = { 'metadata.city': acceptedAt(NOON), 'metadata.zip': acceptedAt(NOON), lead_type: acceptedAt(NOON) }
  // An earlier call that was reported later.
  const collected_times = { city: NOON - 60_000 }
  expect(setTexts({ metadata, field_times, collected_times, lead_type: 7 })).toEqual([
    'set: lead_type, metadata.city, metadata.zip = "12180"',
  ])
})

it('the timeline says of a later outcome that only a stop in it applies', () => {
  const call = sampleCall({ reported_outcome: 'hung_up', contradictions: [{ time: NOON, outcome: 'do_not_call' }] })
  expect(callEntries(call).at(-1)).toMatchObject({
    text: 'call 1: reported again, as do_not_call: the first outcome stays, only a stop applies',
  })
})
