import { describe, expect, it } from '@jest/globals'
import type { Page } from 'playwright-core'
import { consoleWorld, has } from '#test/support/console/world.ts'
import { eventually } from '#test/support/eventually.ts'

/** The evening of Thanksgiving Day: after nine in New York, and before nine in Chicago. */
const { service, enter } = consoleWorld({ flags: ['--now', '2026-11-27T02:30:00Z'] })

const tile = (page: Page, code: string) => page.getByRole('button', { name: new RegExp(`^${code} `) })

const rule = (page: Page) => page.getByRole('region', { name: /\([A-Z]{2}\)/ })

const focusedLabel = (page: Page): Promise<string> =>
  page.evaluate("document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent")

const tabTo = async (page: Page, label: RegExp): Promise<void> => {
  for (let tabs = 0; tabs < 90 && !label.test(await focusedLabel(page)); tabs++) await page.keyboard.press('Tab')
  expect(await focusedLabel(page)).toMatch(label)
}

describe('the map of the console', () => {
  it('the map shows every state that the service knows, with the verdict of the service', async () => {
    const { body } = await service().call('GET', '/api/calling-hours/')
    const states = body['states'] as { state: string; name: string; open: boolean; timezones: { open: boolean }[] }[]
    const page = await enter('map')
    await tile(page, 'AL').waitFor()
    const shown: (string | null)[] = []
    for (const button of await page.getByRole('button', { name: /^[A-Z]{2} / }).all()) shown.push(await button.getAttribute('aria-label'))
    const wanted = states.map(({ state, name, open, timezones }) => {
      const kind = open ? 'open' : timezones.some((zone) => zone.open) ? 'partly' : 'closed'
      return `${state} ${kind}, ${name}`
    })
    expect(shown.toSorted()).toEqual(wanted.toSorted())
    expect(new Set(shown.map((label) => label?.slice(3).replace(/,.*/, '')))).toEqual(new Set(['open', 'partly', 'closed']))
    expect(await page.getByRole('region', { name: 'All states' }).getByRole('rowheader').count()).toBe(states.length)
  })

  it('a tile opens the rule of its state, with the reason, the citation and the next opening', async () => {
    const page = await enter('map')
    await tile(page, 'AL').click()
    await rule(page).getByText('there are no calls on Thanksgiving Day.').waitFor()
    await rule(page).getByText('AL (calling rules of 2026-11-25)').waitFor()
    await rule(page).getByText('Ala. Admin. Code r. 770-X-5-.17(1)(b)').waitFor()
    await rule(page).getByText('Fri, Nov 27, 2026, 8:00 AM CST', { exact: true }).waitFor()
    await tile(page, 'SC').click()
    await rule(page).getByText('low: ask your counsel').waitFor()
    await page.getByRole('button', { name: 'Back to the map' }).click()
    await rule(page).waitFor({ state: 'detached' })
  })

  it('the table shows the local time, the window and the next opening of each time zone', async () => {
    const page = await enter('map')
    const row = (text: string) => page.getByRole('row').filter({ hasText: text })
    // The clock of the service goes on while the tests run.
    await row('Hawaii')
      .getByText(/Thu, Nov 26, 4:\d\d PM/)
      .waitFor()
    await row('Hawaii').getByText('open', { exact: true }).waitFor()
    await row('Hawaii').getByText('8:00 AM – 8:59 PM').waitFor()
    await row('America/Los_Angeles')
      .first()
      .getByText(/Thu, Nov 26, 6:\d\d PM/)
      .waitFor()
    await row('Alabama').getByText('none', { exact: true }).waitFor()
    await row('Alabama').getByText('Fri, Nov 27, 8:00 AM').waitFor()
  })

  it('the slider asks about another time when it rests, and its button returns to now', async () => {
    const page = await enter('map')
    await has(tile(page, 'HI'), 'aria-label', 'HI open, Hawaii')
    const asked: string[] = []
    page.on('request', (request) => {
      if (request.url().includes('/calling-hours/?at=')) asked.push(request.url())
    })
    await page.getByLabel('Time to ask about').fill('60')
    await page.getByText('Fri, Nov 27, 2026, 6:30 PM GMT+1').waitFor()
    await has(tile(page, 'AL'), 'aria-label', 'AL open, Alabama')
    expect(new Set(asked).size).toBe(1)
    await page.getByRole('button', { name: 'Now', exact: true }).click()
    await has(tile(page, 'AL'), 'aria-label', 'AL closed, Alabama')
  })

  it('a chosen time is asked about again each minute, and the slider goes on with the clock', async () => {
    const page = await enter('map')
    await page.clock.install()
    await page.reload()
    const slider = page.getByLabel('Time to ask about')
    await slider.fill('60')
    await page.clock.runFor(1000)
    await has(tile(page, 'AL'), 'aria-label', 'AL open, Alabama')
    const asked: string[] = []
    page.on('request', (request) => void asked.push(request.url()))
    await page.clock.runFor(60_000)
    await eventually(() => asked.some((address) => address.includes('/calling-hours/?at=')))
    // An answer would put the clock of the page right.
    await page.route('**/api/**', () => {})
    await page.clock.runFor(15 * 60_000)
    await eventually(async () => Number(await slider.inputValue()) < 60)
  })

  it('the map is used with the keyboard alone', async () => {
    const page = await enter('map')
    await tile(page, 'AK').waitFor()
    await tabTo(page, /^AK /)
    for (const code of ['ME', 'VT', 'NH', 'WA', 'ID']) {
      await page.keyboard.press('Tab')
      expect(await focusedLabel(page)).toMatch(new RegExp(`^${code} `))
    }
    await page.keyboard.press('Enter')
    await rule(page).getByText('Idaho (ID)').waitFor()
    expect(await focusedLabel(page)).toMatch(/^Idaho \(ID\)/)
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await rule(page).waitFor({ state: 'detached' })
    expect(await focusedLabel(page)).toMatch(/^ID /)
    for (let tabs = 0; tabs < 6; tabs++) await page.keyboard.press('Shift+Tab')
    expect(await focusedLabel(page)).not.toMatch(/^[A-Z]{2} /)
    await page.getByLabel('Time to ask about').focus()
    await page.keyboard.press('ArrowRight')
    await has(page.getByLabel('Time to ask about'), 'aria-valuetext', 'Fri, Nov 27, 2026, 3:45 AM GMT+1')
  })
})
