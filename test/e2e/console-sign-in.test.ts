import { dirname } from 'node:path'
import { AxeBuilder } from '@axe-core/playwright'
import { describe, expect, it } from '@jest/globals'
import type { Page } from 'playwright-core'
import { whenFocused } from '#test/support/console/keyboard.ts'
import { ask, confirm } from '#test/support/console/lead-page.ts'
import { uncalledLead } from '#test/support/console/people.ts'
import { consoleWorld, signInWith } from '#test/support/console/world.ts'
import { opsProcess } from '#test/support/ops-process.ts'
import { until } from '#test/support/service.ts'

const { service, visit, enter, requested } = consoleWorld()

const navigation = (page: Page) => page.getByRole('navigation', { name: 'Views' })

/** Everything that the browser keeps: storage of the tab, storage that outlives the tab, and cookies. */
const keptBy = async (page: Page) => ({
  tab: await page.evaluate('JSON.stringify(sessionStorage)'),
  lasting: await page.evaluate('JSON.stringify(localStorage)'),
  cookies: await page.context().cookies(),
})

const ops = async (...args: readonly string[]): Promise<string> => {
  const { code, out, err } = await opsProcess(dirname(service().operatorFile), args)
  if (code !== 0) throw new Error(err)
  return out
}

describe('the link that the start prints', () => {
  it('the link signs in once, leaves no code and no key in the address, and says so when it is used again', async () => {
    const { consoleUrl, apiKey } = service()
    const page = await visit()
    await page.goto('about:blank')
    await page.goto(consoleUrl)
    await navigation(page).waitFor()
    await page.getByText('Signed in as Demo').waitFor()
    await page.getByRole('heading', { name: 'Leads', exact: true }).waitFor()
    expect(page.url()).not.toContain('code')
    expect(requested().join('\n')).not.toContain(apiKey)

    const other = await visit()
    await other.goto('about:blank')
    await other.goto(consoleUrl)
    await other.getByText('This link was used before, or is too old.').waitFor()
    expect(await navigation(other).count()).toBe(0)
  })
})

describe('the sign-in of the console', () => {
  it('a wrong key is refused with a sentence, and is not kept', async () => {
    const page = await visit()
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByText('Enter the API key.').waitFor()
    await page.context().setOffline(true)
    await signInWith(page, 'lok_wrong')
    await page.getByText('The service did not answer. Check your network, and try again.').waitFor()
    expect(await page.getByText('tries again by itself').count()).toBe(0)
    // A browser refuses to send such a character, with an error like that of a lost network.
    await signInWith(page, 'lok_\u200bwrong')
    await page.getByText('The service does not know this API key').waitFor()
    await page.context().setOffline(false)
    await signInWith(page, 'lok_wrong')
    await page.getByText('The service does not know this API key').waitFor()
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Sign in')
    expect(await keptBy(page)).toEqual({ tab: '{}', lasting: '{}', cookies: [] })
  })

  it('the field for the key hides its characters, and asks browsers and password managers neither to fill it nor to keep the key', async () => {
    const page = await visit()
    const field = page.getByLabel('API key')
    await field.fill('lok_hidden')
    expect(await page.evaluate("getComputedStyle(document.querySelector('#api-key')).webkitTextSecurity")).toBe('disc')
    const kept = ['type', 'autocomplete', 'name', 'data-1p-ignore', 'data-bwignore', 'data-lpignore', 'data-form-type']
    expect(await Promise.all(kept.map((name) => field.getAttribute(name)))).toEqual(['text', 'off', null, 'true', 'true', 'true', 'other'])
    expect(await page.locator('input[type=password]').count()).toBe(0)
  })

  it('the key lasts for a reload, but not for another tab, nor after the sign-out', async () => {
    const page = await enter()
    await page.reload()
    await navigation(page).waitFor()
    const second = await page.context().newPage()
    await second.goto(page.url())
    await second.getByRole('heading', { name: 'Sign in' }).waitFor()

    const { tab, lasting, cookies } = await keptBy(page)
    expect(tab).toContain(service().apiKey)
    expect({ lasting, cookies }).toEqual({ lasting: '{}', cookies: [] })
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByText('You are signed out.').waitFor()
    expect(await keptBy(page)).toEqual({ tab: '{}', lasting: '{}', cookies: [] })
    await page.reload()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  })

  it('a reload that must wait for the service says until when, and another key signs in meanwhile', async () => {
    const page = await enter('leads')
    const headers = { 'Retry-After': '7200', Date: 'Fri, 20 Nov 2026 16:00:00 GMT' }
    await page.route('**/api/users/me/', (route) => route.fulfill({ status: 429, headers, json: {} }))
    await page.reload()
    await page.getByText('The console tries again to sign you in at Fri, Nov 20, 7:00 PM.').waitFor()
    await page.unroute('**/api/users/me/')
    await signInWith(page, service().otherApiKey)
    await page.getByText('Signed in as Other').waitFor()
  })

  it('the console works below the path of a stage', async () => {
    await uncalledLead(service(), { first_name: 'Staged' })
    const page = await visit()
    await page.route('**/prod/**', (route) => route.continue({ url: route.request().url().replace('/prod/', '/') }))
    await page.goto(`${service().url}/prod/console/`)
    await signInWith(page, service().apiKey)
    await page.getByText('Staged').waitFor()
    expect(
      requested()
        .filter((address) => address.includes('/api/'))
        .every((address) => address.includes('/prod/api/')),
    ).toBe(true)
  })

  it('the key is in no address and in no log', async () => {
    const page = await enter()
    await page.getByRole('table').or(page.getByText('There are no leads yet.')).first().waitFor()
    expect(requested().length).toBeGreaterThan(3)
    expect(requested().filter((address) => address.includes('lok_'))).toEqual([])
    expect(requested().filter((address) => !address.startsWith(service().url))).toEqual([])
    expect(service().log()).toContain('/api/users/me')
    expect(service().log()).not.toContain(service().apiKey)
  })

  it('a key that is revoked while a question is open lets another key be entered', async () => {
    const running = service()
    const { key, id } = JSON.parse(await ops('keys', 'issue', `${running.userId}`, '--json'))
    const lead = await uncalledLead(running)
    const page = await enter(`leads/${lead.id}`, {}, key)
    await page.getByRole('button', { name: 'Do not contact' }).click()
    await page.getByRole('dialog').waitFor()
    await ops('keys', 'revoke', id)
    // The next poll finds that the key is gone.
    await page.getByText('The API key is not valid any more').waitFor()
    await signInWith(page, running.apiKey)
    await navigation(page).waitFor()
    await page.getByRole('heading', { name: `Lead ${lead.id}`, exact: true }).waitFor()
    expect(await page.getByRole('dialog').count()).toBe(0)
  })

  it('after the next sign-in, the console tells the same user, and no other, that a change failed because the key had ended', async () => {
    const lead = await uncalledLead(service())
    for (const [key, told] of [
      [service().apiKey, 1],
      [service().otherApiKey, 0],
    ] as const) {
      const page = await enter(`leads/${lead.id}`)
      await page.route('**/api/leads/*/', (route) =>
        route.request().method() === 'PATCH' ? route.fulfill({ status: 401, json: { detail: 'Invalid token.' } }) : route.fallback(),
      )
      await ask(page, 'Do not contact')
      await confirm(page, 'Do not contact')
      await page.getByText('The API key is not valid any more').waitFor()
      await signInWith(page, key)
      await navigation(page).waitFor()
      await page.getByRole('heading', { name: told === 1 ? `Lead ${lead.id}` : 'Now', exact: true }).waitFor()
      expect(await page.getByRole('status').getByText('The API key ended during your last change.').count()).toBe(told)
      expect(await page.getByRole('dialog').count()).toBe(0)
    }
  })

  it('a key that is revoked during the work leads back to the sign-in, and everything typed is still there afterwards', async () => {
    const running = service()
    const { key, id } = JSON.parse(await ops('keys', 'issue', `${running.userId}`, '--json'))
    await uncalledLead(running)
    const page = await enter('leads/new', {}, key)
    await page.getByLabel('Phone number').fill('(202) 555-0199')
    await page.getByLabel('First name').fill('Grace')
    await ops('keys', 'revoke', id)
    // The key works for some seconds more.
    await until(
      () => running.call('GET', '/api/users/me/', undefined, key),
      ({ status }) => status === 401,
    )
    await page.getByRole('button', { name: 'Create the lead' }).click()
    await page.getByText('The API key is not valid any more').waitFor()
    expect(await navigation(page).isVisible()).toBe(false)
    expect((await keptBy(page)).tab).toBe('{}')
    const { violations } = await new AxeBuilder({ page }).analyze()
    expect(violations.map(({ id }) => id)).toEqual([])
    expect(await page.title()).toBe('Sign in – Lead Outreach')

    await signInWith(page, running.apiKey)
    await navigation(page).waitFor()
    await whenFocused(page, 'New lead')
    expect(await page.getByLabel('Phone number').inputValue()).toBe('(202) 555-0199')
    expect(await page.getByLabel('First name').inputValue()).toBe('Grace')
    await page.getByRole('button', { name: 'Create the lead' }).click()
    await page.getByText(/Lead \d+ is created\./).waitFor()
  })

  it('after a sign-out, another user begins with the view Now, and the same user where the work ended', async () => {
    const running = service()
    const lead = await uncalledLead(running)
    const page = await enter(`leads/${lead.id}`)
    await page.getByRole('button', { name: 'Sign out' }).click()
    await signInWith(page, running.apiKey)
    await page.getByRole('heading', { name: `Lead ${lead.id}`, exact: true }).waitFor()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await signInWith(page, running.otherApiKey)
    await page.getByRole('heading', { name: 'Now', exact: true }).waitFor()
    expect(page.url()).not.toContain(`leads/${lead.id}`)
  })

  it('nothing of one user is shown to another who signs in after the end of a key', async () => {
    const running = service()
    const { key, id } = JSON.parse(await ops('keys', 'issue', `${running.userId}`, '--json'))
    await uncalledLead(running, { first_name: 'Secretive' })
    const page = await enter('leads', {}, key)
    await page.getByText('Secretive').waitFor()
    await ops('keys', 'revoke', id)
    await page.getByText('The API key is not valid any more').waitFor()
    await signInWith(page, running.otherApiKey)
    await page.getByText('Signed in as Other').waitFor()
    await page.getByRole('heading', { name: 'Now', exact: true }).waitFor()
    expect(await page.getByText('Secretive').count()).toBe(0)
    await navigation(page).getByRole('link', { name: 'Leads', exact: true }).click()
    await page.getByText('There are no leads yet.').waitFor()
    expect(await page.getByText('Secretive').count()).toBe(0)
  })
})
