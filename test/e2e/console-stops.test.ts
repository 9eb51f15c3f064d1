import { describe, expect, it } from '@jest/globals'
import type { Page } from 'playwright-core'
import { keyboardOf } from '#test/support/console/keyboard.ts'
import { HOSTILE, newConsolePhone, uncalledLead } from '#test/support/console/people.ts'
import { steppedClock } from '#test/support/console/stepped-clock.ts'
import { consoleWorld, signInWith } from '#test/support/console/world.ts'
import { until } from '#test/support/eventually.ts'

const { service, visit, enter } = consoleWorld()

const onList = async (phone: string) => (await service().call('GET', `/api/dnc/?phone_number=${encodeURIComponent(phone)}`)).body

const lookUp = async (page: Page, number: string): Promise<void> => {
  await page.getByLabel('Phone number').fill(number)
  await page.getByRole('button', { name: 'Look up' }).click()
}

const confirm = async (page: Page, name: string): Promise<void> => {
  await page.getByRole('dialog').getByRole('button', { name }).click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
}

describe('the do-not-contact list in the console', () => {
  it('a number is looked up in any notation, and is in no place of the console', async () => {
    const phone = newConsolePhone()
    await service().call('POST', '/api/dnc/', { phone_number: phone, sms_dnc: false })
    const page = await enter('stops')
    await lookUp(page, phone.replace('+1202', '(202) '))
    await page.getByRole('heading', { name: `The number ${phone}` }).waitFor()
    await page.getByText('The list has this number: no calls.').waitFor()
    expect(page.url()).toMatch(/\/console\/#\/stops$/)
  })

  it('a stop of a lead is said to stop the number in the whole group, but not to be an entry on the list', async () => {
    const phone = newConsolePhone()
    await uncalledLead(service(), { phone_number: phone, call_dnc: true })
    const page = await enter('stops')
    await lookUp(page, phone)
    await page.getByText('No calls', { exact: true }).waitFor()
    const stop = page.getByText('A lead with this number was stopped, or the person asked for it: no calls.')
    await stop.getByText('This stop applies to the number, in your whole group. The number is not on the list').waitFor()
    expect(await page.getByText('The list does not have this number.').count()).toBe(0)
    await service().call('POST', '/api/dnc/', { phone_number: phone, call_dnc: false })
    await page.getByText('The list has this number: no text messages.').waitFor()
    await stop.waitFor()
  })

  it.each([
    ['Calls only', { call_dnc: true, sms_dnc: false }],
    ['Text messages only', { call_dnc: false, sms_dnc: true }],
    ['Calls and text messages', { call_dnc: true, sms_dnc: true }],
  ])('a stop of the kind "%s" asks first, applies after the confirmation, and changes nothing without it', async (kind, flags) => {
    const phone = newConsolePhone()
    const page = await enter('stops')
    await lookUp(page, phone)
    await page.getByLabel('Stop', { exact: true }).selectOption({ label: kind })
    await page.getByRole('button', { name: 'Put on the list' }).click()
    await page.getByRole('dialog').getByText('Only the operator can lift it.').waitFor()
    await confirm(page, 'Go back')
    expect(await onList(phone)).toMatchObject({ call_dnc: false, sms_dnc: false })
    await page.getByRole('button', { name: 'Put on the list' }).click()
    await confirm(page, 'Put on the list')
    await page.getByRole('status').getByText(`${phone} is on the list`).waitFor()
    expect(await onList(phone)).toMatchObject(flags)
    await page.getByText('The list has this number').waitFor()
  })

  it('a number that does not exist is refused beside the field, and a missing one too', async () => {
    const page = await enter('stops')
    await page.getByRole('button', { name: 'Look up' }).click()
    await page.getByText('Enter a phone number.').waitFor()
    for (const number of ['12', HOSTILE.script]) {
      await lookUp(page, number)
      const field = page.getByLabel('Phone number')
      await page.getByText('Correct the marked fields.').waitFor()
      expect(await field.getAttribute('aria-invalid')).toBe('true')
      expect(await page.locator('#phone_number-errors').textContent()).not.toBe('')
      expect(await page.title()).toBe('Stops – Lead Outreach')
    }
  })
})

describe('the pause in the console', () => {
  it('a pause asks first, shows a banner in every view, and ends after another confirmation', async () => {
    const { otherApiKey: key, otherUserId: id } = service()
    const paused = async () => (await service().call('GET', '/api/users/me/', undefined, key)).body['paused']
    const page = await enter('stops', {}, key)
    await page.getByText('Your calls are not paused.').waitFor()
    await page.getByRole('button', { name: 'Pause all calls' }).click()
    await confirm(page, 'Go back')
    expect(await paused()).toBe(false)
    await page.getByRole('button', { name: 'Pause all calls' }).click()
    await confirm(page, 'Pause all calls')
    const banner = page.getByRole('status').getByText('All your calls are paused.')
    await banner.waitFor()
    expect(await paused()).toBe(true)
    expect(await page.getByRole('button', { name: 'Pause all calls' }).count()).toBe(0)

    for (const view of ['Leads', 'New lead']) {
      await page.getByRole('link', { name: view, exact: true }).click()
      await page.getByRole('heading', { name: view, exact: true }).waitFor()
      expect(await banner.isVisible()).toBe(true)
    }
    await page.getByRole('link', { name: 'Open Stops' }).click()
    await page.getByRole('button', { name: 'Unpause the calls' }).click()
    await confirm(page, 'Unpause the calls')
    await page.getByText('Your calls are not paused.').waitFor()
    await banner.waitFor({ state: 'detached' })
    expect(await paused()).toBe(false)

    // A pause that somebody else begins.
    await service().call('POST', '/api/leads/', { phone_number: newConsolePhone(), timezone: 'Pacific/Honolulu' }, key)
    await service().call('POST', `/api/users/${id}/pause-calls/`, { only_existing_leads: true }, key)
    await page.getByRole('status').getByText('Leads that existed when the pause began are not called.').waitFor()
    await page.getByRole('button', { name: 'Unpause the calls' }).click()
    await confirm(page, 'Unpause the calls')
    await page.getByText('Your calls are not paused.').waitFor()
  })
})

describe('a pause in two tabs', () => {
  /** Lets a test hide the tab, and show it again. */
  const HIDING = `
    let state = 'visible'
    Object.defineProperty(document, 'visibilityState', { get: () => state })
    globalThis.show = (isShown) => { state = isShown ? 'visible' : 'hidden'; document.dispatchEvent(new Event('visibilitychange')) }
  `

  it.each([
    ['is shown again', 'show(true)'],
    ['gets the focus', 'show(true), dispatchEvent(new Event("focus")), dispatchEvent(new Event("focus"))'],
  ])('a tab that %s reads the pause with its next request, and only once', async (_, comeBack) => {
    const { otherApiKey: key, otherUserId: id } = service()
    const page = await visit('stops')
    await page.addInitScript(HIDING)
    const clock = await steppedClock(page)
    await service().call('POST', `/api/users/${id}/pause-calls/`, {}, key)
    await signInWith(page, key)
    const banner = page.getByRole('status').getByText('All your calls are paused.')
    await banner.waitFor()
    await clock.stop()
    const sent: string[] = []
    page.on('request', (request) => sent.push(new URL(request.url()).pathname))
    await page.evaluate('show(false)')
    await service().call('POST', `/api/users/${id}/unpause-calls/`, {}, key)
    await page.evaluate(comeBack)
    await until(
      () => clock.pass(500),
      () => sent.length > 0,
    )
    // The spacing of two requests, and the time in which the page is drawn again.
    for (let step = 0; step < 5; step++) await clock.pass(500)
    expect(sent).toEqual(['/api/users/me/'])
    await banner.waitFor({ state: 'detached' })
  })
})

describe('the keyboard in the view of stops', () => {
  it('a number is put on the list, and all calls are paused and unpaused, with the keyboard alone', async () => {
    const phone = newConsolePhone()
    const page = await enter('leads', {}, service().otherApiKey)
    await page.getByRole('heading', { name: 'Leads', exact: true }).waitFor()
    const { press, focused, tabTo, type } = keyboardOf(page)
    await tabTo('Stops')
    await press('Enter')
    await page.getByRole('heading', { name: 'Stops' }).waitFor()
    expect(await focused()).toBe('Stops')

    await tabTo('Phone number')
    await type(phone)
    await press('Enter')
    await page.getByText('The list does not have this number.').waitFor()
    await tabTo('Stop')
    await type('Text')
    await tabTo('Put on the list')
    await press('Enter')
    await page.getByRole('dialog').waitFor()
    expect(await focused()).toBe('Go back')
    await press('Shift+Tab')
    expect(await focused()).toBe('Put on the list')
    await press('Enter')
    await page.getByText('The list has this number: no text messages.').waitFor()
    expect(await focused()).toBe('Stops')

    for (const verb of ['Pause all calls', 'Unpause the calls']) {
      await tabTo(verb)
      await press('Enter')
      await page.getByRole('dialog').waitFor()
      await press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      expect(await focused()).toBe(verb)
      await press('Enter')
      await page.getByRole('dialog').waitFor()
      await press('Shift+Tab', 'Enter')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      await page.getByRole('button', { name: verb }).waitFor({ state: 'detached' })
      expect(await focused()).toBe('Stops')
    }
  })
})
