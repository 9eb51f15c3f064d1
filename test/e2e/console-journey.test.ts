import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { Page } from 'playwright-core'
import { csvFile, fact, goodRow, send, tenMistakes, whenDone } from '#test/support/console/upload-files.ts'
import { consoleWorld } from '#test/support/console/world.ts'
import { type Receiver, startReceiver } from '#test/support/receiver.ts'

const { service, visit } = consoleWorld()

let status = 500
let receiver: Receiver
beforeAll(async () => {
  receiver = await startReceiver({ respond: () => ({ status }) })
})
afterAll(() => receiver?.close())

const go = async (page: Page, link: string, heading = link): Promise<void> => {
  await page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name: link, exact: true }).click()
  await page.getByRole('heading', { name: heading, exact: true }).waitFor()
}

describe('a new user of the console', () => {
  it('a new user creates a lead, learns why it is not called, corrects a file, resends a webhook and stops a person, from the printed link on', async () => {
    const page = await visit()
    await page.goto('about:blank')
    await page.goto(service().consoleUrl)

    // A webhook whose destination fails.
    await go(page, 'Webhooks')
    await page.getByRole('link', { name: 'New subscription' }).first().click()
    await page.getByLabel('URL').fill(receiver.url)
    await page.getByLabel('Lead created', { exact: true }).check()
    await page.getByRole('button', { name: 'Create the subscription' }).click()
    await page.getByRole('heading', { name: /^Subscription \d+$/ }).waitFor()

    // A lead, and why it is not called.
    await go(page, 'New lead')
    await page.getByLabel('Phone number').fill('(808) 555-0123')
    await page.getByLabel('State').selectOption('Hawaii')
    await page.getByRole('button', { name: 'Create the lead' }).click()
    const verdict = page.getByRole('region', { name: 'Whether this lead is called' })
    await verdict.getByText('This lead is called later.').waitFor()
    await verdict.getByText(/^Calling hours: .*Calls are allowed only from/).waitFor()
    await verdict.getByText('Fri, Nov 20, 2026, 8:00 AM HST').waitFor()
    const lead = page.url()

    // A file with ten mistakes, and its correction by the report.
    await go(page, 'Uploads')
    await send(page, csvFile(tenMistakes('j'), 'people.csv'))
    await whenDone(page)
    const report = page.getByRole('region', { name: 'Rejected rows' })
    await report.getByText('The phone number entered is not valid.').first().waitFor()
    const lines = await report.getByRole('rowheader').allTextContents()
    expect([...new Set(lines)]).toEqual(['2', '3', '4', '5', '6', '7', '8', '9', '10', '11'])
    const messages = await report.getByRole('row').locator('td:last-child').allTextContents()
    expect(new Set(messages).size).toBeGreaterThanOrEqual(7)
    await page.getByRole('link', { name: 'Send another file' }).click()
    await send(
      page,
      csvFile(
        Array.from({ length: 10 }, (_, at) => goodRow(`j-${at + 1}`)),
        'people.csv',
      ),
    )
    await whenDone(page)
    expect(await fact(page, 'Created').textContent()).toBe('10')
    await report.waitFor({ state: 'detached' })

    // The webhook that failed.
    await go(page, 'Now')
    const row = page.getByRole('row').filter({ hasText: receiver.url })
    await row.getByText(/ for another attempt$/).waitFor()
    await row.getByRole('link').click()
    await page.getByText('Answer 500').first().waitFor()
    status = 200
    const delivery = page.getByRole('row').filter({ hasText: 'Answer 500' }).last()
    const id = await delivery.getByRole('link', { name: /^Lead \d+$/ }).textContent()
    await delivery.getByRole('button', { name: 'Resend' }).click()
    await page.getByText('The delivery will be sent again.').waitFor()
    await page
      .getByRole('row')
      .filter({ hasText: `${id}` })
      .getByText('Delivered')
      .waitFor()

    // A person who wants no more calls.
    await go(page, 'Leads')
    await page.getByLabel('Value').fill('808-555-0123')
    await page.getByRole('button', { name: 'Look up' }).click()
    await page.getByText('1 lead', { exact: true }).waitFor()
    await page.getByRole('rowheader').getByRole('link').click()
    await page.getByRole('button', { name: 'Do not contact' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Do not contact' }).click()
    await verdict.getByText(/^Do not contact: /).waitFor()
    expect(page.url()).toBe(lead)
    expect((await service().call('GET', `/api/leads/${/\d+$/.exec(lead)}/`)).body).toMatchObject({ call_dnc: true, sms_dnc: true })
  })
})
