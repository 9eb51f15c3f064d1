import { describe, expect, it } from '@jest/globals'
import type { DynamoDBRecord } from 'aws-lambda'
import fc from 'fast-check'
import { storedCall } from '#shared/calling/call-store.ts'
import { leadItem } from '#shared/leads/lead-store.ts'
import { callKey } from '#shared/platform/keys.ts'
import { HOUR } from '#shared/platform/values/durations.ts'
import { type CountedItems, countedItems, countItems, differencesIn } from '#test/support/counted-items.ts'
import { NOON, sampleCall, sampleLead } from '#test/support/samples.ts'
import { countBatch, streamRecord } from '#test/support/stream-records.ts'
import { suiteTable } from '#test/support/suite-world.ts'

suiteTable()

const SOURCES = ['', 'web', ' web ', 'fair', 'x'.repeat(90)]
const ofLead = fc.record({
  status: fc.constantFrom('NEW', 'OPEN', 'CLOSED', 'LOST'),
  lead_type: fc.constantFrom(null, 4, 5),
  lead_source: fc.constantFrom(...SOURCES),
})
const ofCall = fc.record({
  outcome: fc.constantFrom(null, 'DIAL_BUSY', 'COMPLETED_CLOSED_LIVE_TRANSFER', 'COMPLETED'),
  is_contact: fc.constantFrom(null, true, false),
  unknown_time: fc.constantFrom(null, NOON),
  refused_time: fc.constantFrom(null, null, NOON),
  attempt: fc.constantFrom(1, 2, 12),
})
/** The items of a lead or a call, one after the other. */
const history = fc.oneof(
  fc.record({ kind: fc.constant('lead' as const), day: fc.nat(2), states: fc.array(ofLead, { minLength: 1, maxLength: 5 }) }),
  fc.record({ kind: fc.constant('call' as const), day: fc.nat(30), states: fc.array(ofCall, { minLength: 1, maxLength: 5 }) }),
)
type History = typeof history extends fc.Arbitrary<infer T> ? T : never

/** Deliveries: each takes records by their places, so that they repeat, change their order and are cut differently. */
const deliveries = fc.array(fc.array(fc.nat(), { minLength: 1, maxLength: 30 }), { maxLength: 8 })

const itemsOf = (made: History, owner: number, id: number) => {
  if (made.kind === 'lead') {
    const created_time = NOON + made.day * 24 * HOUR
    return made.states.map((state) => leadItem(sampleLead({ ...state, id, owner, created_time })))
  }
  return made.states.map(({ outcome, ...state }) => {
    const completed_time = outcome === null ? null : NOON
    const call = sampleCall({ ...state, outcome, completed_time, owner, lead: id, lead_source: 'web', intent_time: NOON + made.day * HOUR })
    return { ...callKey(id, 1), ...storedCall(call) }
  })
}

const ofOwner = (numbers: CountedItems['stored'], owner: number): CountedItems['stored'] =>
  Object.fromEntries(Object.entries(numbers).filter(([name]) => name.startsWith(`${owner} | `)))

let owner = 0

describe('statistics', () => {
  it('statistics equal a count over the last items, whatever the order, the repeats and the batches of the stream', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(history, { minLength: 1, maxLength: 12 }), deliveries, fc.boolean(), async (histories, planned, atOnce) => {
        owner++
        const items = histories.map((made, index) => itemsOf(made, owner, index + 1))
        const removed = items.filter((_, index) => index % 3 === 2)
        const records = [
          ...items.flatMap((states) => states.map((after, index) => streamRecord(states[index - 1], after))),
          ...removed.map((states) => streamRecord(states.at(-1), undefined)),
        ]
        const batches: DynamoDBRecord[][] = [...planned.map((places) => places.map((place) => records[place % records.length]!)), records]
        if (atOnce) await Promise.all(batches.map(countBatch))
        else for (const batch of batches) await countBatch(batch)
        const sources = { pk: `STATS#${owner}`, sk: 'SOURCES', sources: new Set(SOURCES.map((source) => source.trim().slice(0, 60))) }
        const { expected } = countItems([...items.filter((states) => !removed.includes(states)).map((states) => states.at(-1)!), sources])
        const { stored } = await countedItems()
        expect(differencesIn({ expected, stored: ofOwner(stored, owner) })).toEqual([])
      }),
      { numRuns: 30 },
    )
  })
})
