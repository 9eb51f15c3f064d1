import { describe, expect, it } from '@jest/globals'
import { keyboardOf } from '#test/support/console/keyboard.ts'
import { consoleWorld, has } from '#test/support/console/world.ts'
import { until } from '#test/support/service.ts'

const { service, enter } = consoleWorld()

interface Numbers {
  readonly calls: { readonly total: number }
}

let seeding: Promise<unknown> | undefined
/** Calls to leads of two sources. */
const seeded = () => {
  const seed = async () => {
    for (const [digits, lead_source] of Object.entries({ '0001': 'Partner', '0002': 'Web form', '0006': 'Partner' }))
      await service().call('POST', '/api/leads/', { phone_number: `+1212555${digits}`, timezone: 'America/New_York', lead_source })
    await until(
      async () => (await service().call('GET', '/api/statistics/')).body as unknown as Numbers,
      ({ calls }) => calls.total === 3,
    )
  }
  seeding ??= seed()
  return seeding
}

describe('the way from an outcome to its leads', () => {
  it('an outcome is narrowed to a lead type, a source, a day and an hour, and leads to the leads of the hour, with the keyboard alone', async () => {
    await seeded()
    const page = await enter('calls')
    const { press, focused, tabTo } = keyboardOf(page)
    await page.getByRole('region', { name: 'Calls by source' }).getByRole('row', { name: 'Partner 2' }).waitFor()

    await tabTo('Transferred in the call')
    await press('Enter')
    await page.getByRole('heading', { name: 'Calls by day: Transferred in the call' }).waitFor()
    await page.getByRole('region', { name: 'Calls by lead type' }).getByText('These numbers count the calls with all outcomes.').waitFor()
    await tabTo('Demo campaign')
    await press('Enter')
    await page.waitForURL(/lead_type=\d+/)
    await tabTo('Partner')
    await press('Enter')
    await has(page.getByLabel('Source', { exact: true }), 'value', 'Partner')
    await page.getByRole('row', { name: 'Web form' }).waitFor({ state: 'detached' })
    expect(await focused()).toBe('Partner')
    await has(page.getByLabel('Outcome', { exact: true }), 'value', 'COMPLETED_CLOSED_LIVE_TRANSFER')

    await tabTo('The same as numbers')
    await press('Enter')
    await tabTo('Fri, Nov 20, 2026')
    await press('Enter')
    const hours = page.getByRole('region', { name: 'Calls by hour' })
    await hours.getByText('The hours count the calls with all outcomes.').waitFor()
    await hours.getByText('Choose an hour in the table to list the leads').waitFor()
    await tabTo('The same as numbers')
    await press('Enter')
    await tabTo('16:00')
    await press('Enter')
    await page.getByText(/^Only leads whose last change was on Fri, Nov 20, 2026, from 16:00 to 17:00, in UTC/).waitFor()
    expect(page.url()).toMatch(/#\/leads\?changed=2026-11-20&hour=16&lead_type=\d+$/)
    await page.getByText('3 leads', { exact: true }).waitFor()
  })

  it('two links that are followed one right after the other narrow the calls by both', async () => {
    await seeded()
    const page = await enter('calls')
    await page.getByRole('region', { name: 'Calls by source' }).getByRole('row', { name: 'Partner 2' }).waitFor()
    await page.getByRole('region', { name: 'Calls by lead type' }).getByRole('link', { name: 'Demo campaign' }).waitFor()
    await page.evaluate(`(async () => {
      const follow = (name) => [...document.querySelectorAll('a')].find((link) => link.textContent.includes(name)).click()
      follow('Demo campaign')
      // No event of the browser comes in between.
      for (let turn = 0; turn < 20; turn++) await undefined
      follow('Partner')
    })()`)
    await has(page.getByLabel('Source', { exact: true }), 'value', 'Partner')
    expect(page.url()).toMatch(/lead_type=\d+&lead_source=Partner$/)
  })

  it('an hour of several days leads to no leads, and the hours of a day only where there were calls', async () => {
    await seeded()
    const page = await enter('calls')
    const hours = page.getByRole('region', { name: 'Calls by hour' })
    await hours.getByText('The same as numbers').click()
    await hours.getByRole('row', { name: '16:00' }).waitFor()
    expect(await hours.getByRole('link').count()).toBe(0)
    await page.getByLabel('Period', { exact: true }).selectOption('Today')
    await hours.getByRole('link', { name: '16:00', exact: true }).waitFor()
    expect(await hours.getByRole('link').count()).toBe(1)
  })
})
