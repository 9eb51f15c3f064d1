import { describe, expect, it } from '@jest/globals'
import type { Page } from 'playwright-core'
import { holdRequests } from '#test/support/console/held-requests.ts'
import { newConsolePhone, uncalledLead } from '#test/support/console/people.ts'
import { SILENT_CALL } from '#test/support/console/seeds.ts'
import { consoleWorld, has, signInWith } from '#test/support/console/world.ts'
import { until } from '#test/support/service.ts'

const { service, visit, enter } = consoleWorld()

const navigation = (page: Page) => page.getByRole('navigation', { name: 'Views' })

/** Another tab of the same browser. */
const secondTab = async (page: Page, at: string, key: string): Promise<Page> => {
  const second = await page.context().newPage()
  await second.goto(`${service().url}/console/#/${at}`)
  await signInWith(second, key)
  await navigation(second).waitFor()
  return second
}

describe('two tabs of the console', () => {
  it('what one tab changes shows in the other without a reload, and an old question there does no harm', async () => {
    const { id } = await uncalledLead(service())
    const first = await enter(`leads/${id}`)
    await first.getByRole('button', { name: 'Cancel the calls' }).click()
    await first.getByRole('dialog').waitFor()
    // Once the first tab knows of the change, it closes the question.
    const reads = await holdRequests(first, (request) => request.method() === 'GET' && request.url().endsWith(`/leads/${id}/`))
    const second = await secondTab(first, `leads/${id}`, service().apiKey)
    await second.getByRole('button', { name: 'Cancel the calls' }).click()
    await second.getByRole('dialog').getByRole('button', { name: 'Cancel the calls' }).click()
    await second.getByText('The calls are cancelled.').waitFor()

    await first.bringToFront()
    await first.getByRole('dialog').getByRole('button', { name: 'Cancel the calls' }).click()
    await first.getByText('The calls are cancelled.').waitFor()
    await reads.release()
    await first.getByRole('button', { name: 'Reopen' }).waitFor()
    await second.bringToFront()
    await second.getByRole('button', { name: 'Reopen' }).click()
    await second.getByRole('dialog').getByRole('button', { name: 'Reopen' }).click()
    await second.getByText('The lead is open again.').waitFor()
    await first.bringToFront()
    await first.getByRole('button', { name: 'Cancel the calls' }).waitFor()
  })

  it('two tabs work for two users, and the sign-out of one leaves the other signed in', async () => {
    await uncalledLead(service(), { first_name: 'Firstly' })
    const first = await enter('leads')
    const second = await secondTab(first, 'leads', service().otherApiKey)
    await second.getByText('Signed in as Other').waitFor()
    await second.getByText('There are no leads yet.').waitFor()
    await second.getByRole('button', { name: 'Sign out' }).click()
    await second.getByText('You are signed out.').waitFor()
    await first.bringToFront()
    await first.reload()
    await first.getByText('Firstly').waitFor()
    await first.getByText('Signed in as Demo').waitFor()
  })
})

describe('a computer whose clock is wrong', () => {
  it.each([-24, 24])('a clock that is %s hours ahead changes no time that the console shows or asks about', async (hours) => {
    const running = service()
    await running.call('POST', '/api/leads/', { phone_number: SILENT_CALL, us_state: 'CO' })
    const { id } = await uncalledLead(running)
    const page = await visit()
    await page.clock.install({ time: Date.parse('2026-11-20T16:00:00Z') + hours * 3_600_000 })
    await page.reload()
    await signInWith(page, running.apiKey)
    await navigation(page).waitFor()
    const go = (place: string) => page.evaluate(`location.hash = '#/${place}'`)

    await go(`leads/${id}`)
    const slider = page.getByLabel('Time to ask about')
    await slider.waitFor()
    expect(await slider.getAttribute('aria-valuetext')).toMatch(/^Fri, Nov 20, 2026, 6:\d\d AM HST\. The clock allows no call/)
    await page.getByRole('button', { name: 'Next opening' }).click()
    await has(slider, 'aria-valuetext', 'Fri, Nov 20, 2026, 8:00 AM HST. The clock allows a call at this time.')
    await page.getByLabel('Time in Pacific/Honolulu').fill('2026-11-20T08:30')
    await page.getByRole('button', { name: 'Schedule', exact: true }).click()
    await page.getByRole('region', { name: 'Schedule a call' }).getByText('Fri, Nov 20, 2026, 8:30 AM HST').first().waitFor()
    expect((await running.call('GET', `/api/leads/${id}/`)).body.next_call_time).toMatch(/^2026-11-20T18:30:00/)

    await go('now')
    const calls = page.getByRole('region', { name: 'Calls in progress' })
    await calls.getByRole('link').first().waitFor()
    // The call began less than an hour ago.
    const shown = await until(
      () =>
        calls
          .getByText(/^[\d,]+ (s|seconds?)$/)
          .first()
          .textContent(),
      (text) => text !== null,
    )
    expect(Number(`${shown}`.replaceAll(/\D/g, ''))).toBeLessThan(3600)

    await go('map')
    await page.getByText(/^Your time: Fri, Nov 20, 2026, 5:\d\d PM/).waitFor()
    await go('calls?days=1')
    await page.getByRole('region', { name: 'Summary' }).getByText('Fri, Nov 20, 2026', { exact: true }).waitFor()
  })
})

describe('a network that is gone for a minute', () => {
  it('the loss of the network for a minute loses nothing, is asked about less and less often, and ends by itself', async () => {
    const phone = newConsolePhone()
    await uncalledLead(service(), { phone_number: phone })
    const page = await visit('leads')
    await page.clock.install()
    await page.reload()
    await signInWith(page, service().apiKey)
    await page.getByText(phone).waitFor()
    await page.getByRole('link', { name: 'New lead' }).click()
    await page.getByLabel('First name').fill('Grace')
    await page.getByLabel('Phone number').fill('(202) 555-0198')

    let tries = 0
    page.on('request', () => tries++)
    await page.context().setOffline(true)
    for (let second = 0; second < 60; second++) await page.clock.runFor(1000)
    await page.getByRole('alert').getByText('The service does not answer.').waitFor()
    expect(await page.getByLabel('First name').inputValue()).toBe('Grace')
    expect(tries).toBeGreaterThan(0)
    expect(tries).toBeLessThanOrEqual(30)

    await page.context().setOffline(false)
    const gone = () => page.getByText('The service does not answer.').count()
    await until(
      async () => {
        await page.clock.runFor(1000)
        return gone()
      },
      (count) => count === 0,
    )
    expect(await page.getByLabel('Phone number').inputValue()).toBe('(202) 555-0198')
    await page.getByRole('link', { name: 'Leads', exact: true }).click()
    await page.getByText(phone).waitFor()
  })
})

describe('an answer that comes after its form was left', () => {
  const subscriptionFor = async (page: Page, path: string): Promise<void> => {
    await page.getByLabel('URL').fill(`http://127.0.0.1:9/${path}`)
    await page.getByLabel('Lead created', { exact: true }).check()
  }

  it.each([
    [
      'lead',
      'leads',
      'Phone number',
      (page: Page) => page.getByLabel('Phone number').fill(newConsolePhone()),
      /^New lead: Lead \d+ is created/,
    ],
    ['subscription', 'webhooks', 'URL', (page: Page) => subscriptionFor(page, 'first'), /^New subscription: The subscription is created/],
  ])('the late answer about a new %s names the form, and keeps what is typed for the next one', async (_, list, field, fill, told) => {
    const page = await enter(`${list}/new`)
    await fill(page)
    const asked = await holdRequests(page, (request) => request.method() === 'POST')
    await page.getByRole('button', { name: /^Create the/ }).click()
    const request = await asked.first()
    await page.evaluate(`location.hash = '#/stops'`)
    await page.getByRole('heading', { name: 'Stops', exact: true }).waitFor()
    await page.evaluate(`location.hash = '#/${list}/new'`)
    await page.getByLabel(field).fill('the next one')
    await request.continue()
    await page.getByRole('status').getByText(told).waitFor()
    expect(await page.getByLabel(field).inputValue()).toBe('the next one')
  })
})

describe('a list of leads that the API refuses', () => {
  it('a user with more than ten lead types chooses one before the list of the leads that changed last', async () => {
    const page = await enter('stops')
    await page.route('**/lead-types/?*', async (route) => {
      const json = await (await route.fetch()).json()
      await route.fulfill({ json: { ...json, count: 11 } })
    })
    const { body: user } = await service().call('GET', '/api/users/me/')
    await page.goto(`${service().url}/console/#/calls`)
    await page.getByText('You have more than 10 lead types.').waitFor()
    const changed = page.getByRole('link', { name: 'List the leads whose last change was in this period' })
    expect(await changed.count()).toBe(0)
    await page.getByLabel('Lead type').selectOption(`${user['default_lead_type']}`)
    await changed.waitFor()
  })

  it('a list of too many lead types names the field, and says what to choose', async () => {
    const page = await enter('stops')
    await page.route('**/api/leads/?*', (route) => route.fulfill({ status: 400, json: { lead_type: ['You have too many lead types.'] } }))
    await page.goto(`${service().url}/console/#/leads?changed=2026-11-19`)
    await page.getByRole('alert').getByText('Lead type: You have too many lead types.').waitFor()
    await page.getByText('Choose one status here, or a lead type in the view Calls.').waitFor()
  })
})
