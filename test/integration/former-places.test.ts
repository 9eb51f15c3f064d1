import { describe, expect, it } from '@jest/globals'
import { getLead } from '#shared/leads/lead-store.ts'
import { HOUR, MINUTE } from '#shared/platform/values/durations.ts'
import { delistLitigator } from '#shared/stops/litigator-store.ts'
import { forgetConfiguration } from '#test/support/cache-clock.ts'
import { settingsWorld } from '#test/support/changed-settings.ts'
import { setClock } from '#test/support/clock.ts'
import { explained } from '#test/support/explained.ts'
import { created, newPhone } from '#test/support/lead-requests.ts'
import { listLitigator } from '#test/support/litigators.ts'
import { importList } from '#test/support/registries.ts'
import { NOON } from '#test/support/samples.ts'

const { place, queued, told, saveType, change } = settingsWorld()

const NOTHING = async (): Promise<void> => {}

/** Sweeps when the next call of the lead is due, and in the two hours after it. @returns this time */
const sweepWhenDue = async (id: number): Promise<number> => {
  const due = (await getLead(id))!.next_call_time!
  for (const hours of [0, 1, 2]) await change(due + hours * HOUR, NOTHING)
  return due
}

/** A lead with a planned second call, which an agent now places in New York. */
const movedFrom = async (state: string) => {
  const { id, phone_number } = await created({ phone_number: newPhone(), timezone: undefined, metadata: { property_state: state } })
  await place(await queued())
  expect(await getLead(id)).toMatchObject({ attempts: 1 })
  // The call falls silent, and the next one is planned. Then a report comes late.
  setClock(NOON + 11 * MINUTE)
  await place([{ type: 'watch', call_id: `${id}-1` }])
  await queued()
  await told(`${id}-1`, 'call.data_collected', { collected: { us_state: 'NY' } }, 700)
  expect(await getLead(id)).toMatchObject({ us_state: 'NY', attempts: 1, former_place: expect.stringContaining(state) })
  return { id, phone_number }
}

const registries = (lists: string[]) => ({ lists, exemption: 'none' as const, relationship_field: null, relationship_days: 540 })

interface Case {
  readonly gate: string
  readonly state: string
  readonly demand: (phone: string) => Promise<unknown>
}

const CASES: readonly Case[] = [
  {
    gate: 'registry',
    state: 'TX',
    demand: async (phone) => {
      await importList('state:TX', ['+15129990100', phone])
      await importList('state:NY', ['+12129990100'])
      await saveType({ registries: registries(['state:TX', 'state:NY']) })
    },
  },
  { gate: 'consent', state: 'TX', demand: () => saveType({ consent_by_state: { TX: 'written' } }) },
  {
    gate: 'reassigned',
    state: 'ME',
    demand: () => saveType({ reassigned_numbers: { where: 'law', date_field: null, creation_counts: false, max_age_days: 31 } }),
  },
]

describe('a lead whose place an agent has collected', () => {
  it.each(CASES)(
    'a lead whose place an agent has collected is called when the gate $gate refuses only its former place',
    async ({ gate, state, demand }) => {
      const { id, phone_number } = await movedFrom(state)
      await demand(phone_number)
      forgetConfiguration()
      expect((await explained(id)).gates[gate]).toMatchObject({ passed: false })
      await sweepWhenDue(id)
      expect((await getLead(id))!.attempts).toBeGreaterThan(1)
      expect((await explained(id)).gates[gate]).toMatchObject({ passed: true })
    },
  )

  it('a lead whose place an agent has collected is held by the list of its new place, even if the former list refuses first', async () => {
    const { id, phone_number } = await movedFrom('TX')
    await importList('state:TX', ['+15129990100', phone_number])
    await importList('state:NY', ['+12129990100', phone_number])
    await saveType({ registries: registries(['state:TX', 'state:NY']) })
    forgetConfiguration()
    await sweepWhenDue(id)
    expect(await getLead(id)).toMatchObject({ attempts: 1, due_list: 'HELD', held_by: 'registry state:NY' })
  })

  it('a lead whose place an agent has collected is called after another hold, although the former list has its number', async () => {
    const { id, phone_number } = await movedFrom('TX')
    await listLitigator(phone_number)
    const due = await sweepWhenDue(id)
    expect(await getLead(id)).toMatchObject({ attempts: 1, due_list: 'HELD', held_by: expect.stringMatching(/^litigator /) })
    await importList('state:TX', ['+15129990100', phone_number])
    await saveType({ registries: registries(['state:TX']) })
    await change(due + 3 * HOUR, () => delistLitigator(phone_number))
    expect(await getLead(id)).toMatchObject({ attempts: 2 })
  })
})
