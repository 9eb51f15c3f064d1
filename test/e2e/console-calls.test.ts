import { describe, expect, it } from '@jest/globals'
import type { Page } from 'playwright-core'
import { keyboardOf } from '#test/support/console/keyboard.ts'
import { leadTypeName, uncalledLead } from '#test/support/console/people.ts'
import { consoleWorld, has } from '#test/support/console/world.ts'
import { until } from '#test/support/service.ts'

const { service, enter, requested } = consoleWorld()

interface Numbers {
  readonly calls: { readonly total: number; readonly contacts: number; readonly transfers: number }
  readonly leads: { readonly by_status: { readonly LOST: number } }
}

const statistics = async (query = ''): Promise<Numbers> =>
  (await service().call('GET', `/api/statistics/${query}`)).body as unknown as Numbers

let seeding: Promise<void> | undefined
/** Calls with different outcomes, and leads of two sources. */
const seeded = (): Promise<void> => {
  const seed = async () => {
    const running = service()
    for (const [digits, lead_source] of Object.entries({ '0001': 'Partner', '0002': 'Web form', '0003': 'Web form', '0006': 'Partner' }))
      await running.call('POST', '/api/leads/', { phone_number: `+1212555${digits}`, timezone: 'America/New_York', lead_source })
    await until(statistics, ({ calls, leads }) => calls.total === 4 && leads.by_status.LOST === 1)
  }
  seeding ??= seed()
  return seeding
}

const opened = async (at = 'calls'): Promise<Page> => {
  await seeded()
  const page = await enter(at)
  await page.getByRole('region', { name: 'Summary' }).waitFor()
  return page
}

const summary = (page: Page) => page.getByRole('region', { name: 'Summary' })

describe('the calls in the console', () => {
  it('the calls show their rates, and what each rate divides', async () => {
    const page = await opened()
    const { calls } = await statistics()
    expect(calls).toMatchObject({ total: 4, transfers: 1 })
    await summary(page).getByText('Thu, Oct 22, 2026 – Fri, Nov 20, 2026 (30 days)').waitFor()
    await summary(page).getByText('Calls from the person count too.', { exact: true }).waitFor()
    await summary(page).getByText(`Calls that reached a person ÷ calls that rang: ${calls.contacts} ÷ 4`).waitFor()
    await summary(page).getByText('Calls with a live transfer ÷ calls that rang: 1 ÷ 4').waitFor()
    await summary(page).getByText('25.0 %', { exact: true }).first().waitFor()
    const outcomes = page.getByRole('region', { name: 'Calls by outcome' })
    await outcomes.getByRole('row', { name: 'Transferred in the call 1 25.0 %' }).waitFor()
    await outcomes.getByRole('row', { name: 'No answer 1 25.0 %' }).waitFor()
  })

  it('the calls are read only once when they are opened with the usual period', async () => {
    await opened()
    expect(requested().filter((address) => address.includes('/api/statistics/'))).toHaveLength(1)
  })

  it('the calls by day and hour are columns, with the same numbers in a table', async () => {
    const page = await opened()
    for (const [name, row] of [
      ['Calls by day', /^Fri, Nov 20, 2026 4 /],
      ['Calls by hour', /^16:00 5:00 PM 4$/],
    ] as const) {
      const chart = page.getByRole('region', { name })
      await chart.getByText('The highest column stands for 4 calls.').waitFor()
      await chart.getByText('The same as numbers').click()
      await chart.getByRole('row', { name: row }).waitFor()
    }
  })

  it('the calls of today, of a source and of a lead type are chosen, and the browser goes back through the choices', async () => {
    const page = await opened()
    await page.getByLabel('Period', { exact: true }).selectOption('Today')
    await summary(page).getByText('Fri, Nov 20, 2026', { exact: true }).waitFor()
    await page.getByLabel('Source', { exact: true }).selectOption('Partner')
    await summary(page).getByText('Calls with a live transfer ÷ calls that rang: 1 ÷ 2').waitFor()
    const asked = page.waitForRequest(/from=2026-11-20&to=2026-11-20&lead_type=\d+&lead_source=Partner$/)
    await page.getByLabel('Lead type', { exact: true }).selectOption({ index: 1 })
    await asked
    await page.goBack()
    await page.goBack()
    await summary(page).getByText('Calls with a live transfer ÷ calls that rang: 1 ÷ 4').waitFor()
    await has(page.getByLabel('Source', { exact: true }), 'value', '')
    await has(page.getByLabel('Period', { exact: true }), 'value', '1')
  })

  it('the days of a custom period are checked before they are asked about', async () => {
    const page = await opened('calls?days=7')
    await summary(page).getByText('Sat, Nov 14, 2026 – Fri, Nov 20, 2026 (7 days)').waitFor()
    await page.getByLabel('Period', { exact: true }).selectOption('From – to')
    await has(page.getByLabel('From', { exact: true }), 'value', '2026-11-14')
    const show = page.getByRole('button', { name: 'Show' })
    for (const [from, message] of [
      ['', 'Choose a day.'],
      ['2026-11-21', 'The period ends before it begins.'],
      ['2026-08-20', 'A period has at most 92 days. This one has 93.'],
    ] as const) {
      await page.getByLabel('From', { exact: true }).fill(from)
      await show.click()
      await page.getByText(message).waitFor()
    }
    await page.getByLabel('From', { exact: true }).fill('2026-11-19')
    await show.click()
    await summary(page).getByText('Thu, Nov 19, 2026 – Fri, Nov 20, 2026 (2 days)').waitFor()
  })

  it('a wrong address says what is wrong with it', async () => {
    await seeded()
    const page = await enter('calls?from=2026-01-01&to=2026-11-20')
    await page.getByRole('alert').getByText('Ensure the period has no more than 92 days.').waitFor()
    await page.evaluate("location.hash = '#/calls?from=2026-11-20&to=2026-11-01'")
    await page.getByRole('alert').getByText(/^To: /).waitFor()
  })

  it('a source without numbers of its own leads to the numbers of all such sources', async () => {
    const page = await opened()
    const refusal = { lead_source: ['Only the first 50 lead sources are counted by name.'] }
    await page.route(/lead_source=Fifty-first/, (route) => route.fulfill({ status: 400, json: refusal }))
    await page.evaluate("location.hash = '#/calls?lead_source=Fifty-first'")
    await page.getByRole('alert').getByText('Source: Only the first 50 lead sources are counted by name.').waitFor()
    expect(await page.getByRole('button', { name: 'Try again' }).count()).toBe(0)
    await page.getByRole('link', { name: 'Choose (other)' }).click()
    await summary(page).waitFor()
  })

  it('a column narrows the period to its day', async () => {
    const page = await opened()
    const [column] = (await page.getByRole('region', { name: 'Calls by day' }).locator('svg a').all()).slice(-1)
    await column!.click()
    await summary(page).getByText('Fri, Nov 20, 2026', { exact: true }).waitFor()
    expect(page.url()).toContain('#/calls?from=2026-11-20&to=2026-11-20')
  })

  it('the calls by attempt add up to all calls', async () => {
    const page = await opened()
    await page.getByRole('region', { name: 'Calls by attempt' }).getByRole('row', { name: '1 4 100.0 %' }).waitFor()
  })

  it('an outcome shows its own days', async () => {
    const page = await opened()
    const days = page.getByRole('region', { name: /^Calls by day/ })
    await days.getByText('The outcomes of each day as numbers').click()
    await days.getByRole('row', { name: 'Fri, Nov 20, 2026 Transferred in the call 1' }).waitFor()
    await days.getByRole('link', { name: 'No answer' }).click()
    await page.getByRole('heading', { name: 'Calls by day: No answer' }).waitFor()
    await has(page.getByLabel('Outcome', { exact: true }), 'value', 'DIAL_NO_ANSWER')
    await days.getByText('The highest column stands for 1 call.').waitFor()
    await days.getByText('The same as numbers').click()
    await days.getByRole('row', { name: 'Fri, Nov 20, 2026 1 25.0 %' }).waitFor()
    await page.getByLabel('Outcome', { exact: true }).selectOption('All outcomes')
    await page.getByRole('heading', { name: 'Calls by day', exact: true }).waitFor()
    await page.getByRole('region', { name: 'Calls by outcome' }).getByRole('link', { name: 'No answer' }).click()
    await page.getByRole('heading', { name: 'Calls by day: No answer' }).waitFor()
  })

  it('a day leads to the leads that were created on it, and to those that changed last on it', async () => {
    const page = await opened('calls?from=2026-11-20&to=2026-11-20')
    const day = { after: '2026-11-20', before: '2026-11-20T23:59:59.999Z' }
    for (const [kind, link, note] of [
      ['created_time', 'List the leads that were created in this period', 'Only leads that were created on Fri, Nov 20, 2026'],
      ['modified_time', 'List the leads whose last change was in this period', 'Only leads whose last change was on Fri, Nov 20, 2026'],
    ] as const) {
      await page.getByRole('link', { name: link }).click()
      await page.getByText(note).waitFor()
      const { body } = await service().call('GET', `/api/leads/?${kind}_after=${day.after}&${kind}_before=${day.before}`)
      expect(body['count']).toBeGreaterThanOrEqual(4)
      await page.getByText(`${body['count']} leads`, { exact: true }).waitFor()
      if (kind === 'created_time') await page.goBack()
    }
    await page.getByLabel('Status', { exact: true }).selectOption('LOST')
    await page.getByText('1 lead', { exact: true }).waitFor()
    expect(page.url()).toMatch(/#\/leads\?status=LOST&changed=2026-11-20$/)
    const { body: user } = await service().call('GET', '/api/users/me/')
    await page.goto(`${service().url}/console/#/leads?changed=2026-11-19&lead_type=${user['default_lead_type']}`)
    await page.getByText(`Only leads of the lead type ${await leadTypeName(service(), user['default_lead_type'])}.`).waitFor()
    await page.getByText('There are no such leads.').waitFor()
    await page.getByRole('link', { name: 'Show all leads' }).click()
    await page.getByRole('table').waitFor()
    await page.goto(`${service().url}/console/#/leads?changed=2026-13-45`)
    await page.getByRole('table').waitFor()
    expect(await page.getByText('Only leads').count()).toBe(0)
  })

  it('a period leads to the leads that were created in it, and to those that changed last in it', async () => {
    await seeded()
    const page = await enter('calls?days=7')
    for (const [link, note] of [
      ['List the leads that were created in this period', 'Only leads that were created from Sat, Nov 14, 2026 to Fri, Nov 20, 2026'],
      [
        'List the leads whose last change was in this period',
        'Only leads whose last change was from Sat, Nov 14, 2026 to Fri, Nov 20, 2026',
      ],
    ] as const) {
      await page.getByRole('link', { name: link }).click()
      await page.getByText(note).waitFor()
      await page.getByRole('table').waitFor()
      if (link.includes('created')) await page.goBack()
    }
    expect(page.url()).toMatch(/#\/leads\?changed=2026-11-14\.\.2026-11-20$/)
  })

  it('a status opens the list of its leads, whatever was looked up before', async () => {
    await seeded()
    const page = await enter('leads')
    await page.getByLabel('Value').fill('(202) 555-9999')
    await page.getByRole('button', { name: 'Look up' }).click()
    await page.getByText('No lead was found.').waitFor()
    await page.getByRole('link', { name: 'Calls' }).click()
    await page.getByRole('link', { name: 'Lost' }).click()
    await page.getByText('1 lead', { exact: true }).waitFor()
    await has(page.getByLabel('Status', { exact: true }), 'value', 'LOST')
  })

  it('a lead source with hostile characters is a choice like any other', async () => {
    const lead_source = '"><img src=x>&days=1'
    await uncalledLead(service(), { lead_source })
    await until(statistics, (numbers) => JSON.stringify(numbers).includes('img'))
    const page = await opened()
    await page.getByLabel('Source', { exact: true }).selectOption(lead_source)
    await summary(page).getByText('Calls with a live transfer ÷ calls that rang: 0 ÷ 0').waitFor()
    await page.getByText('There were no calls in this period.').waitFor()
    await has(page.getByLabel('Period', { exact: true }), 'value', '30')
    expect(await page.locator('img').count()).toBe(0)
  })

  it('a day and a status are reached with the keyboard alone', async () => {
    const page = await opened()
    const { press, focused, tabTo } = keyboardOf(page)
    await tabTo('Period')
    await press('ArrowUp')
    await summary(page).getByText('Sat, Nov 14, 2026 – Fri, Nov 20, 2026 (7 days)').waitFor()
    await tabTo('The same as numbers')
    await press('Enter')
    await tabTo('Fri, Nov 20, 2026')
    await press('Enter')
    await summary(page).getByText('Fri, Nov 20, 2026', { exact: true }).waitFor()
    expect(await focused()).toBe('Fri, Nov 20, 2026')
    await tabTo('Lost')
    await press('Enter')
    await page.getByRole('heading', { name: 'Leads', exact: true }).waitFor()
    await page.getByText('1 lead', { exact: true }).waitFor()
  })
})
