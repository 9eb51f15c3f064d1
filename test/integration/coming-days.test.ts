import { beforeAll, describe, expect, it } from '@jest/globals'
import { handler as preview } from '#functions/lead-types/preview.ts'
import { giveName } from '#shared/accounts/names.ts'
import { getLead } from '#shared/leads/lead-store.ts'
import { DAY, HOUR } from '#shared/platform/values/durations.ts'
import { forgetConfiguration } from '#test/support/cache-clock.ts'
import { settingsWorld } from '#test/support/changed-settings.ts'
import { explained } from '#test/support/explained.ts'
import { created, newPhone } from '#test/support/lead-requests.ts'
import { importAnswers } from '#test/support/reassigned.ts'
import { importList } from '#test/support/registries.ts'
import { NOON } from '#test/support/samples.ts'
import { OWNER, request } from '#test/support/world.ts'

const { placeQueued, saveType, change } = settingsWorld()

beforeAll(async () => void (await giveName({ kind: 'USER', keys: ['acme'], id: OWNER })))

/** The next day in UTC: somewhere, it is today. */
const TOMORROW = '2026-11-21'
const ITS_START = '2026-11-21T00:00:00.000000+00:00'

const previewed = async () => (await request(preview, { method: 'GET', path: '/api/lead-types/4/preview/', parameters: { id: '4' } })).body

interface Case {
  readonly gate: string
  readonly field: string
  /** Makes the gate refuse a lead with this phone until its day has come. */
  readonly demand: (phone: string) => Promise<unknown>
}

const CASES: readonly Case[] = [
  {
    gate: 'reassigned',
    field: 'agreed',
    demand: async (phone) => {
      await saveType({ reassigned_numbers: { where: 'everywhere', date_field: 'agreed', creation_counts: false, max_age_days: 31 } })
      await importAnswers([{ phone, date: '2026-11-19', answer: 'no' }])
    },
  },
  {
    gate: 'registry',
    field: 'bought',
    demand: async (phone) => {
      await saveType({
        registries: { lists: ['national'], exemption: 'relationship', relationship_field: 'bought', relationship_days: 540 },
      })
      await importList('national', [phone, '+12129990100'])
    },
  },
]

describe.each(CASES)('a day in the metadata that has not come yet in UTC, for the gate $gate', ({ gate, field, demand }) => {
  const waiting = async (day: string) => {
    const phone_number = newPhone()
    await demand(phone_number)
    forgetConfiguration()
    const { id } = await created({ phone_number, metadata: { [field]: day, timezone: 'America/New_York' } })
    await placeQueued()
    return id
  }

  it('a lead is called when its day has come, and explain and the preview name this time', async () => {
    const id = await waiting(TOMORROW)
    expect(await getLead(id)).toMatchObject({ attempts: 0, due_list: 'CALL', held_by: null, next_call_time: Date.parse(ITS_START) })
    const { gates, ...whole } = await explained(id)
    expect(whole).toMatchObject({ callable: false, next_callable_time: ITS_START })
    expect(gates[gate]).toMatchObject({ passed: false, next_time: ITS_START })
    expect((await explained(id, { at: ITS_START })).callable).toBe(true)
    expect((await previewed()).by_hour).toContainEqual({ hour: ITS_START, leads: expect.any(Number) })
    await change(NOON + 6 * HOUR, async () => {})
    expect(await getLead(id)).toMatchObject({ attempts: 0 })
    await change(Date.parse(ITS_START), async () => {})
    expect(await getLead(id)).toMatchObject({ attempts: 1 })
  })

  it('a lead with a later day is held, so that it does not miss the change of a setting', async () => {
    const id = await waiting('2026-11-22')
    expect(await getLead(id)).toMatchObject({ attempts: 0, due_list: 'HELD' })
    expect(await explained(id)).toMatchObject({ next_callable_time: null })
    await change(NOON + HOUR, () => saveType())
    expect(await getLead(id)).toMatchObject({ attempts: 1 })
  })
})

describe('a day in the metadata that comes within the next hours', () => {
  it('a lead that the gate would refuse on that day too is held', async () => {
    await saveType({ reassigned_numbers: { where: 'everywhere', date_field: 'agreed', creation_counts: false, max_age_days: 31 } })
    forgetConfiguration()
    const { id, phone_number: phone } = await created({ metadata: { agreed: TOMORROW, timezone: 'America/New_York' } })
    await placeQueued()
    expect(await getLead(id)).toMatchObject({ attempts: 0, due_list: 'HELD', held_by: `reassigned ${OWNER}` })
    await change(NOON + DAY, () => importAnswers([{ phone, date: TOMORROW, answer: 'no' }], TOMORROW))
    expect(await getLead(id)).toMatchObject({ attempts: 1 })
  })
})
