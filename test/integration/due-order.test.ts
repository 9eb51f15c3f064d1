import { describe, expect, it } from '@jest/globals'
import { dueOf } from '#shared/backlog/due-leads.ts'
import { dueAt, dueKeys, leadKey } from '#shared/platform/keys.ts'
import { putItem } from '#shared/platform/table/table.ts'
import { NOON } from '#test/support/samples.ts'
import { suiteTable } from '#test/support/suite-world.ts'

const OWNER = 7

suiteTable()

describe('the due leads of an owner', () => {
  it('leads that are due at one instant are taken from all lists in turn', async () => {
    await Promise.all(
      dueKeys(OWNER).flatMap((key, list) =>
        [1, 2, 3].map((place) => putItem({ ...leadKey(10 * list + place), due_key: key, due_at: dueAt(NOON, 1, OWNER) })),
      ),
    )
    const first = await dueOf(OWNER, 0, NOON + 1, dueKeys(OWNER).length)
    expect(first.map(({ lead }) => Math.floor(lead / 10))).toEqual(dueKeys(OWNER).map((_, list) => list))
  })
})
