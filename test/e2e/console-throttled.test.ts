import { describe, expect, it } from '@jest/globals'
import { newConsolePhone } from '#test/support/console/people.ts'
import { consoleWorld, signInWith } from '#test/support/console/world.ts'

const { service, visit, enter } = consoleWorld()

describe('a console with too many requests', () => {
  it('the answer 429 shows a banner, is not asked again before Retry-After, and ends by itself', async () => {
    const page = await visit()
    const times: number[] = []
    await page.route('**/api/leads/?*', async (route) => {
      times.push(performance.now())
      if (times.length > 1) return route.fallback()
      await route.fulfill({ status: 429, headers: { 'Retry-After': '3' }, json: { detail: 'Request was throttled.' } })
    })
    await signInWith(page, service().apiKey)
    await page.getByText('Your user has sent too many requests.').waitFor()
    await page.getByText('Your user has sent too many requests.').waitFor({ state: 'detached' })
    await page.getByRole('region', { name: 'List of leads' }).getByText(/lead/).first().waitFor()
    expect(times[1]! - times[0]!).toBeGreaterThanOrEqual(2990)
  })

  it('the banner says until when reads wait after the answer 429, and its button reads at once', async () => {
    const page = await visit()
    let refused = 0
    await page.route('**/api/leads/?*', async (route) => {
      if (refused++ > 0) return route.fallback()
      await route.fulfill({ status: 429, headers: { 'Retry-After': '7200' }, json: { detail: 'Request was throttled.' } })
    })
    await signInWith(page, service().apiKey)
    const banner = page.getByRole('alert').filter({ hasText: 'Your user has sent too many requests.' })
    await banner.getByText(/The console reads the data again at Fri, Nov 20, 7:\d\d:\d\d PM\./).waitFor()
    // An answer to another request does not end the wait.
    await page.waitForResponse('**/api/users/me/')
    await banner.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('region', { name: 'List of leads' }).getByText(/lead/).first().waitFor()
    expect(refused).toBe(2)
    expect(await banner.count()).toBe(0)
  })

  it('the banner about too many requests does not stay for the next user', async () => {
    const page = await visit('webhooks')
    await page.route('**/api/webhooks/?*', (route) =>
      route.fulfill({ status: 429, headers: { 'Retry-After': '7200' }, json: { detail: 'Request was throttled.' } }),
    )
    await signInWith(page, service().apiKey)
    const banner = page.getByText('Your user has sent too many requests.')
    await banner.waitFor()
    await page.unrouteAll()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await signInWith(page, service().otherApiKey)
    await page.getByRole('heading', { name: 'Now', exact: true }).waitFor()
    expect(await banner.count()).toBe(0)
  })

  it('a change that gets the answer 429 is repeated after Retry-After, and made once', async () => {
    const page = await enter('leads/new')
    const phone = newConsolePhone()
    await page.getByLabel('Phone number').fill(phone)
    await page.getByLabel('Time zone').fill('Pacific/Honolulu')
    const times: number[] = []
    await page.route('**/api/leads/', async (route) => {
      if (route.request().method() !== 'POST') return route.fallback()
      times.push(performance.now())
      if (times.length > 2) return route.fallback()
      await route.fulfill({ status: 429, headers: { 'Retry-After': '2' }, json: { detail: 'Request was throttled.' } })
    })
    await page.getByRole('button', { name: 'Create the lead' }).click()
    await page.getByText('Your user has sent too many requests.').waitFor()
    await page.getByText(/Lead \d+ is created\./).waitFor()
    expect(times).toHaveLength(3)
    for (const [before, after] of [times.slice(0, 2), times.slice(1)]) expect(after! - before!).toBeGreaterThanOrEqual(1990)
    const { body } = await service().call('GET', `/api/leads/?phone_number=${encodeURIComponent(phone)}`)
    expect(body['count']).toBe(1)
  })

  it('a change that waits for its repeat is not made any more after the sign-out', async () => {
    const page = await visit('leads/new')
    await page.clock.install()
    await page.reload()
    await signInWith(page, service().apiKey)
    await page.getByLabel('Phone number').fill('(202) 555-0198')
    let sent = 0
    await page.route('**/api/leads/', (route) => {
      sent++
      return route.fulfill({ status: 429, headers: { 'Retry-After': '30' }, json: { detail: 'Request was throttled.' } })
    })
    await page.getByRole('button', { name: 'Create the lead' }).click()
    await page.getByText('Your user has sent too many requests.').waitFor()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByText('You are signed out.').waitFor()
    for (let minute = 0; minute < 3; minute++) await page.clock.runFor(60_000)
    await signInWith(page, service().apiKey)
    await page.getByRole('heading', { name: 'New lead' }).waitFor()
    expect(sent).toBe(1)
  })

  it('a change that keeps getting the answer 429 says so, and the form keeps its content', async () => {
    const page = await enter('leads/new')
    await page.getByLabel('Phone number').fill('(202) 555-0197')
    await page.route('**/api/leads/', (route) =>
      route.request().method() === 'POST'
        ? route.fulfill({ status: 429, headers: { 'Retry-After': '3600' }, json: { detail: 'Request was throttled.' } })
        : route.fallback(),
    )
    await page.getByRole('button', { name: 'Create the lead' }).click()
    await page.getByRole('alert').getByText('Request was throttled.').waitFor()
    expect(await page.getByLabel('Phone number').inputValue()).toBe('(202) 555-0197')
    expect(await page.getByRole('button', { name: 'Create the lead' }).isEnabled()).toBe(true)
  })
})
