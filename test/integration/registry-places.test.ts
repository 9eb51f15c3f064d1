import { expect, it } from '@jest/globals'
import { getLead } from '#shared/leads/lead-store.ts'
import { forgetConfiguration } from '#test/support/cache-clock.ts'
import { settingsWorld } from '#test/support/changed-settings.ts'
import { explained } from '#test/support/explained.ts'
import { created } from '#test/support/lead-requests.ts'
import { importList } from '#test/support/registries.ts'

const { placeQueued, saveType } = settingsWorld()

const expectRefused = async (state: string, phone_number: string, timezone: string): Promise<void> => {
  const list = `state:${state}`
  await importList(list, [phone_number])
  await saveType({ registries: { lists: [list], exemption: 'none', relationship_field: null, relationship_days: 540 } })
  forgetConfiguration()
  const { id } = await created({ phone_number, us_state: null, metadata: { timezone } })
  await placeQueued()
  expect((await explained(id)).gates['registry']).toMatchObject({ passed: false, detail: expect.stringContaining(list) })
  expect(await getLead(id)).toMatchObject({ attempts: 0 })
}

it.each([
  ['IN', '+12125550142', 'America/New_York'],
  ['IN', '+12125550143', 'US/Eastern'],
  ['IN', '+12125550144', 'EST'],
  ['MI', '+12125550145', 'America/New_York'],
  ['ID', '+12125550146', 'America/Denver'],
  ['MP', '+16715550147', 'Pacific/Guam'],
])('a lead of which only the time zone is known is not called against the list of a state with this clock: %s, %s, %s', expectRefused)

it('a lead of which only the time zone is known is not called against the list of the state of its area code', () =>
  expectRefused('TX', '+15125550148', 'America/Los_Angeles'))
