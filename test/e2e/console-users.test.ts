import { describe, expect, it } from '@jest/globals'
import type { Page } from 'playwright-core'
import { holdRequests } from '#test/support/console/held-requests.ts'
import { keyboardOf } from '#test/support/console/keyboard.ts'
import { newConsolePhone, uncalledLead } from '#test/support/console/people.ts'
import { consoleWorld, signInWith } from '#test/support/console/world.ts'
import { eventually } from '#test/support/eventually.ts'

const { service, enter, requested } = consoleWorld()

const banner = (page: Page) => page.getByRole('complementary', { name: 'Chosen user' })

const chooseDemo = async (page: Page): Promise<void> => {
  await page.getByRole('link', { name: 'Users' }).click()
  await page.getByRole('button', { name: `Work for this user: Demo, ${service().userId}` }).click()
  await banner(page).waitFor()
}

const asStaff = (at: string) => enter(at, {}, service().staffApiKey)

describe('staff in the console', () => {
  it('the header has one line for staff at a width of 1280 and 1200 pixels, also with a long name', async () => {
    const page = await asStaff('now')
    const user = (name: string) => page.evaluate(`document.querySelector('.user bdi').textContent = ${JSON.stringify(name)}`)
    for (const [width, name] of [
      [1280, 'Staff'],
      [1200, 'A very long name of somebody who works for the operator of this service'],
    ] as const) {
      await page.setViewportSize({ width, height: 900 })
      await user(name)
      const tops = "[...document.querySelectorAll('header > p, header nav a, header > button')].map((part) => part.getBoundingClientRect())"
      expect(await page.evaluate(`Math.max(...${tops}.map(({ top }) => top)) < Math.min(...${tops}.map(({ bottom }) => bottom))`)).toBe(
        true,
      )
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width)
    }
  })

  it('staff find a user, see and create as this user, and return, with the keyboard alone', async () => {
    const { phone_number } = await uncalledLead(service())
    const page = await asStaff('now')
    const { press, tabTo, type } = keyboardOf(page)
    await tabTo('Users')
    await press('Enter')
    await page.getByRole('heading', { name: 'Users' }).waitFor()
    await tabTo('Search')
    await type('nobody at all')
    await page.getByText('No user has such a name or id.').waitFor()
    await press('ControlOrMeta+A')
    await type('demo')
    await page.getByText('Users: 1').waitFor()
    await tabTo(`Work for this user: Demo, ${service().userId}`)
    await press('Enter')
    await banner(page).getByText(`Demo (user ${service().userId}).`).waitFor()
    await tabTo('Leads')
    await press('Enter')
    await page.getByText(`${phone_number}`).waitFor()

    await tabTo('New lead')
    await press('Enter')
    await page.getByLabel('Phone number').waitFor()
    const phone = newConsolePhone()
    await tabTo('Phone number')
    await type(phone)
    await tabTo('Time zone')
    await type('Pacific/Honolulu')
    await tabTo('Create the lead')
    await press('Enter')
    await page.getByText(/Lead \d+ is created\./).waitFor()
    const { body } = await service().call('GET', `/api/leads/?phone_number=${encodeURIComponent(phone)}`)
    expect(body['count']).toBe(1)

    await page.reload()
    await banner(page).waitFor()
    await tabTo('Back to your own user')
    await press('Enter')
    await banner(page).waitFor({ state: 'detached' })
    await page.getByText('There are no leads yet.').waitFor()
    expect(await page.evaluate('sessionStorage.length')).toBe(1)
  })

  it('every view names the chosen user, and no address does', async () => {
    const page = await asStaff('now')
    await chooseDemo(page)
    for (const link of await page.getByRole('navigation', { name: 'Views' }).getByRole('link').all()) {
      await link.click()
      await banner(page).getByText('Demo').waitFor()
    }
    // The health of the service is still there for the staff member.
    await page.getByRole('link', { name: 'Health' }).click()
    await page.getByRole('rowheader', { name: 'Calls', exact: true }).waitFor()
    const names = [`user=${service().userId}`, `users/${service().userId}`, 'Demo']
    for (const address of [...requested(), page.url()]) expect(names.filter((name) => address.includes(name))).toEqual([])
    expect(await page.evaluate('localStorage.length')).toBe(0)
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByLabel('API key').waitFor()
    expect(await page.evaluate('sessionStorage.length')).toBe(0)
  })

  it('an answer for the former user that comes late is not shown', async () => {
    const { phone_number } = await uncalledLead(service())
    const page = await asStaff('now')
    const held: (() => Promise<void>)[] = []
    await page.route('**/api/leads/?*', async (route) => {
      if (route.request().headers()['x-act-as-user'] === undefined) return route.fallback()
      const response = await route.fetch()
      // The page may have given it up meanwhile.
      held.push(() => route.fulfill({ response }).catch(() => {}))
    })
    await chooseDemo(page)
    await page.getByRole('link', { name: 'Leads', exact: true }).click()
    await eventually(() => held.length > 0)
    await page.getByRole('button', { name: 'Back to your own user' }).click()
    await page.getByText('There are no leads yet.').waitFor()
    for (const release of held) await release()
    await page.getByText('There are no leads yet.').waitFor()
    expect(await page.getByText(`${phone_number}`).count()).toBe(0)
    await page.getByRole('link', { name: 'Now' }).click()
    await page.getByRole('link', { name: 'Leads', exact: true }).click()
    await page.getByText('There are no leads yet.').waitFor()
    expect(await page.getByText(`${phone_number}`).count()).toBe(0)
  })

  it('the way back to the own user asks for nothing of the other user with the own rights', async () => {
    const { id } = await uncalledLead(service())
    const page = await asStaff('now')
    await chooseDemo(page)
    await page.evaluate(`location.hash = '#/leads/${id}'`)
    await page.getByRole('heading', { name: 'The checks before a call' }).waitFor()
    const asked: string[] = []
    page.on('request', (request) => {
      if (request.headers()['x-act-as-user'] === undefined) asked.push(request.url())
    })
    await page.getByRole('button', { name: 'Back to your own user' }).click()
    await page.getByText('There are no leads yet.').waitFor()
    expect(asked.filter((address) => address.includes(`/leads/${id}/`))).toEqual([])
  })

  it('the choice of a user that is answered after the view was left changes nothing', async () => {
    const page = await asStaff('users')
    const asked = await holdRequests(page, (request) => request.headers()['x-act-as-user'] !== undefined)
    await page.getByRole('button', { name: `Work for this user: Demo, ${service().userId}` }).click()
    const request = await asked.first()
    await page.getByRole('link', { name: 'New lead' }).click()
    await page.getByLabel('First name').fill('Grace')
    const answered = page.waitForEvent('requestfinished', (one) => one === request.request())
    await request.continue()
    await answered
    await page.getByLabel('Last name').fill('Hopper')
    expect(await page.getByLabel('First name').inputValue()).toBe('Grace')
    expect(await banner(page).count()).toBe(0)
  })

  it('a staff member whose key ends continues for the same user with another key, and another user does not', async () => {
    const page = await asStaff('now')
    await chooseDemo(page)
    await page.getByRole('link', { name: 'Leads', exact: true }).click()
    const refuseOnce = () =>
      page.route('**/api/leads/?*', (route) => route.fulfill({ status: 401, json: { detail: 'Invalid token.' } }), { times: 1 })
    await refuseOnce()
    await page.getByText('The API key is not valid any more').waitFor()
    await signInWith(page, service().staffApiKey)
    await banner(page).getByText('Demo').waitFor()
    await refuseOnce()
    await page.getByText('The API key is not valid any more').waitFor()
    await signInWith(page, service().otherApiKey)
    await page.getByText('Signed in as Other').waitFor()
    expect(await banner(page).count()).toBe(0)
    expect(await page.evaluate('sessionStorage.length')).toBe(1)
  })

  it.each(['Users', 'Health'])('the chosen user who signs in after a staff member does not see the view %s', async (name) => {
    const page = await asStaff('now')
    await chooseDemo(page)
    await page.getByRole('link', { name }).click()
    await page.getByRole('heading', { name, exact: true }).waitFor()
    await page.getByRole('table').waitFor()
    await page.route('**/api/users/me/', (route) => route.fulfill({ status: 401, json: { detail: 'Invalid token.' } }), { times: 1 })
    await page.getByText('The API key is not valid any more').waitFor()
    await signInWith(page, service().apiKey)
    await page.getByText('Signed in as Demo').waitFor()
    await page.getByRole('heading', { name: 'Now', exact: true }).waitFor()
    await page.evaluate(`location.hash = '#/${name.toLowerCase()}'`)
    await page.getByText(`${name} is for staff.`).waitFor()
    expect(await page.getByRole('table').count()).toBe(0)
  })
})
