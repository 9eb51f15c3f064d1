import { describe, expect, it } from '@jest/globals'
import type { Page } from 'playwright-core'
import { verdict } from '#test/support/console/lead-page.ts'
import { uncalledLead } from '#test/support/console/people.ts'
import { SILENT_CALL } from '#test/support/console/seeds.ts'
import { steppedClock } from '#test/support/console/stepped-clock.ts'
import { consoleWorld, signInWith } from '#test/support/console/world.ts'

const { service, visit, requested } = consoleWorld()

const MINUTES = 60

/** The view of a lead, in whose page time passes only in steps. */
const steppedLead = async (id: number) => {
  const page: Page = await visit(`leads/${id}`)
  const clock = await steppedClock(page)
  await signInWith(page, service().apiKey)
  await page.getByLabel('Time to ask about').waitFor()
  await clock.stop()
  const pass = async (seconds: number, step = 1): Promise<void> => {
    for (let passed = 0; passed < seconds; passed += step) await clock.pass(step * 1000)
  }
  const readLead = (): number => requested().filter((address) => address.endsWith(`/api/leads/${id}/`)).length
  return { page, pass, readLead }
}

describe('the requests of the view of a lead', () => {
  it('the view of a lead asks at most once in two seconds, also during a call', async () => {
    const { body } = await service().call('POST', '/api/leads/', { phone_number: SILENT_CALL, us_state: 'CO' })
    const { page, pass } = await steppedLead(body.id)
    await page.getByText('A call to this phone is in progress.').waitFor()
    await pass(20)
    const before = requested().length
    await pass(120)
    expect(requested().length - before).toBeLessThanOrEqual(61)
    expect(requested().length - before).toBeGreaterThan(40)
  })

  it('the banner and the data of a lead show a stop by somebody else soon after each other, and everything else is read once', async () => {
    const { id } = await uncalledLead(service())
    const { page, pass } = await steppedLead(id)
    const rare = (from = 0): string[] =>
      requested()
        .slice(from)
        .filter((address) => /calling-times|dnc|consents/.test(address))
    // They are read again a minute later.
    for (const most = rare().length + 3; rare().length < most; ) await pass(1)
    await pass(10)
    const before = requested().length
    await service().call('PATCH', `/api/leads/${id}/`, { call_dnc: true })
    const isShown = async (): Promise<readonly boolean[]> => [
      `${await page.getByRole('region', { name: 'Data' }).textContent()}`.includes('No calls'),
      `${await verdict(page).textContent()}`.includes('This lead is not called.'),
    ]
    while (!(await isShown()).includes(true)) await pass(1)
    // A turn for the other one, and two for polls that wait already.
    await pass(6)
    expect(await isShown()).toEqual([true, true])
    await pass(10)
    expect(rare(before)).toHaveLength(3)
  })

  it('a page that nobody has used for long follows a change of the lead with the next reading of its checks', async () => {
    const { id } = await uncalledLead(service())
    const { page, pass, readLead } = await steppedLead(id)
    await pass(45 * MINUTES, 10)
    const before = readLead()
    while (readLead() === before) await pass(1)
    // The next reading of the lead that nobody asks for is a minute away.
    await service().call('PATCH', `/api/leads/${id}/`, { status: 'LOST' })
    await pass(25)
    expect(await page.getByRole('region', { name: 'Data' }).textContent()).toMatch(/Status ?Lost/)
    expect(await page.getByRole('region', { name: 'Timeline' }).textContent()).toContain('Its status is “Lost”.')
  })
})
