import { describe, expect, it } from '@jest/globals'
import * as v from 'valibot'
import { allToLookAt, forgetRun, markForRun } from '#shared/backlog/marks.ts'
import { leadHolder } from '#shared/backlog/rules/holders.ts'
import { getLead } from '#shared/leads/lead-store.ts'
import { now } from '#shared/platform/clock.ts'
import { BREAKERS, breakerKey, dueAt } from '#shared/platform/keys.ts'
import { inLanes } from '#shared/platform/lanes.ts'
import { getItem, putItem } from '#shared/platform/table/table.ts'
import { DAY, MINUTE } from '#shared/platform/values/durations.ts'
import { forgetConfiguration } from '#test/support/cache-clock.ts'
import { settingsWorld } from '#test/support/changed-settings.ts'
import { giveConsent, given } from '#test/support/consents.ts'
import { dieAfter } from '#test/support/die-after.ts'
import { created } from '#test/support/lead-requests.ts'
import { NOON } from '#test/support/samples.ts'

const { change, placeQueued, saveType } = settingsWorld()

/** A lead that waits for a consent. */
const waiting = async () => {
  await saveType({ consent_type: 'written' })
  forgetConfiguration()
  const lead = await created()
  await placeQueued()
  expect(await getLead(lead.id)).toMatchObject({ attempts: 0, due_list: 'HELD' })
  return lead
}

const Marked = v.object({ due_key: v.optional(v.string()) })

/** The partition of the due index with a lead's mark. */
const partitionOf = async (lead: number) => (await getItem(Marked, breakerKey(leadHolder(lead))))?.due_key

const markInFormer = (lead: number) => putItem({ ...breakerKey(leadHolder(lead)), due_key: BREAKERS, due_at: dueAt(NOON, 0, 0) })

const sweepAfter = (minutes: number) => change(NOON + minutes * MINUTE, async () => {})

/** The first write marks the lead, and the second one records the consent. */
const RECORDED = 2

describe('marks of leads', () => {
  it('a consent whose run dies leaves a mark apart from those of agents, and the sweep calls the lead', async () => {
    const lead = await waiting()
    expect(await dieAfter(RECORDED, () => giveConsent(lead.phone_number))).toBe(true)
    expect(await partitionOf(lead.id)).toMatch(/^MARKED#\d+$/)
    await sweepAfter(1)
    expect(await getLead(lead.id)).toMatchObject({ attempts: 1, held_by: null })
    await sweepAfter(5)
    expect(await allToLookAt(now() + DAY, 1000)).toEqual([])
    expect(await partitionOf(lead.id)).toBeUndefined()
  })

  it('the marks of many leads are spread over sixteen partitions, are all found, and go when their runs end', async () => {
    const leads = Array.from({ length: 160 }, (_, index) => 7_000_000 + index)
    await inLanes(20, leads, (lead) => markForRun(leadHolder(lead), NOON))
    expect(new Set(await inLanes(20, leads, partitionOf))).toEqual(new Set(Array.from({ length: 16 }, (_, shard) => `MARKED#${shard}`)))
    const found = (await allToLookAt(NOON + DAY, 1000)).map(({ agent }) => agent)
    expect(found.toSorted()).toEqual(leads.map(leadHolder).toSorted())
    expect(await allToLookAt(NOON + DAY, 32)).toHaveLength(32)
    await inLanes(20, leads, (lead) => forgetRun(leadHolder(lead), NOON))
    expect(await allToLookAt(NOON + DAY, 1000)).toEqual([])
  })
})

describe('marks of leads that an earlier version put among those of agents', () => {
  it('the sweep calls the lead of a mark of an earlier version, and removes the mark', async () => {
    const lead = await waiting()
    expect(await dieAfter(RECORDED, () => giveConsent(lead.phone_number))).toBe(true)
    await markInFormer(lead.id)
    await sweepAfter(1)
    expect(await getLead(lead.id)).toMatchObject({ attempts: 1, held_by: null })
    await sweepAfter(5)
    expect(await partitionOf(lead.id)).toBeUndefined()
  })

  it('a consent moves the mark of an earlier version, and removes it after its lead is planned', async () => {
    const lead = await waiting()
    await markInFormer(lead.id)
    expect(await dieAfter(1, () => giveConsent(lead.phone_number))).toBe(true)
    expect(await partitionOf(lead.id)).toMatch(/^MARKED#\d+$/)
    await given(lead.phone_number)
    await sweepAfter(5)
    expect(await getLead(lead.id)).toMatchObject({ attempts: 1 })
    expect(await allToLookAt(now() + DAY, 1000)).toEqual([])
  })
})
