import { describe, expect, it } from '@jest/globals'
import type { Page } from 'playwright-core'
import { newConsolePhone, uncalledLead } from '#test/support/console/people.ts'
import { steppedClock } from '#test/support/console/stepped-clock.ts'
import { consoleWorld, signInWith } from '#test/support/console/world.ts'
import { eventually } from '#test/support/eventually.ts'

const { service, visit, enter } = consoleWorld()

const LOST = 'The service does not answer.'

describe('the security policy of the console', () => {
  it('no injected script, style, frame, form or request to another host gets through', async () => {
    const page = await visit()
    const blocked: string[] = await page.evaluate(`new Promise((resolve) => {
      const found = new Set()
      const wanted = 9
      document.addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI }) => {
        found.add(effectiveDirective + ' ' + blockedURI.replace(/[?#].*/, ''))
        if (found.size === wanted) resolve([...found])
      })
      const add = (name, attributes, text = '') => {
        const element = Object.assign(document.createElement(name), attributes)
        element.textContent = text
        document.body.append(element)
        return element
      }
      add('script', {}, 'globalThis.taken = true')
      add('script', { src: 'https://evil.example.com/a.js' })
      add('style', {}, 'body { display: none }')
      add('link', { rel: 'stylesheet', href: 'https://evil.example.com/a.css' })
      add('iframe', { src: 'https://evil.example.com/' })
      add('img', { src: 'https://evil.example.com/a.png' })
      document.body.insertAdjacentHTML('beforeend', '<p onclick="globalThis.taken = true" id="trap">x</p>')
      document.getElementById('trap').click()
      fetch('https://evil.example.com/').catch(() => {})
      const form = add('form', { action: 'https://evil.example.com/', method: 'post' })
      form.submit()
    })`)
    expect(blocked.map((text) => text.split(' ')[0]).toSorted()).toEqual(
      [
        ...['connect-src', 'form-action', 'frame-src', 'img-src', 'script-src-attr', 'script-src-elem', 'script-src-elem'],
        ...['style-src-elem', 'style-src-elem'],
      ].toSorted(),
    )
    expect(await page.evaluate('globalThis.taken ?? false')).toBe(false)
  })
})

describe('a console without a network', () => {
  it('the loss of the network shows a banner, loses nothing, and ends by itself', async () => {
    const { phone_number } = await uncalledLead(service())
    const page = await enter('leads')
    await page.getByText(`${phone_number}`).waitFor()
    await page.context().setOffline(true)
    await page.getByRole('alert').getByText(LOST).waitFor()
    expect(await page.getByText(`${phone_number}`).isVisible()).toBe(true)
    await page.context().setOffline(false)
    await page.getByText(LOST).waitFor({ state: 'detached' })
  })

  it('a form that cannot be sent keeps its content, says so, and creates only one lead when it is sent again', async () => {
    const page = await enter('leads/new')
    const phone = newConsolePhone()
    await page.getByLabel('Phone number').fill(phone)
    await page.getByLabel('Time zone').fill('Pacific/Honolulu')
    // The answer is lost, but the lead is created.
    let lost = 0
    await page.route('**/api/leads/', async (route) => {
      if (route.request().method() !== 'POST' || lost >= 4) return route.fallback()
      lost++
      await route.fetch()
      await route.abort()
    })
    await page.getByRole('button', { name: 'Create the lead' }).click()
    // Other requests are answered.
    await page.getByRole('alert').getByText('The service answers again. What you typed is still here.').waitFor()
    expect(lost).toBe(4)
    expect(await page.getByLabel('Phone number').inputValue()).toBe(phone)
    // The form polls nothing. Still, the banner ends.
    await page.getByText(LOST).waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Create the lead' }).click()
    await page.getByText(/Lead \d+ is created\./).waitFor()
    const { body } = await service().call('GET', `/api/leads/?phone_number=${encodeURIComponent(phone)}`)
    expect(body['count']).toBe(1)
  })
})

describe('an outage of the service', () => {
  const UNKNOWN = 'It is not known whether the change was made.'

  it('after an outage, a form keeps what was typed, and says like the banner that the service answers again', async () => {
    const page = await enter('leads/new')
    const phone = newConsolePhone()
    await page.getByLabel('Phone number').fill(phone)
    await page.getByLabel('Time zone').fill('Pacific/Honolulu')
    await page.context().setOffline(true)
    await page.getByRole('button', { name: 'Create the lead' }).click()
    await page.getByText(UNKNOWN).waitFor()
    expect(await page.getByText(LOST).isVisible()).toBe(true)
    await page.context().setOffline(false)
    await page.getByText('The service answers again.').waitFor()
    expect(await page.getByText(LOST).count()).toBe(0)
    expect(await page.getByText(UNKNOWN).count()).toBe(0)
    expect(await page.getByLabel('Phone number').inputValue()).toBe(phone)
    await page.getByRole('button', { name: 'Create the lead' }).click()
    await page.getByText(/Lead \d+ is created\./).waitFor()
    expect(await page.getByText('The service answers again.').count()).toBe(0)
  })

  it('after an outage, a question whose answer was lost still says that the result is not known', async () => {
    const { id } = await uncalledLead(service())
    const page = await enter(`leads/${id}`)
    await page.getByRole('button', { name: 'Do not contact' }).click()
    await page.context().setOffline(true)
    const question = page.getByRole('dialog')
    await question.getByRole('button', { name: 'Do not contact' }).click()
    await question.getByText(UNKNOWN).waitFor()
    await page.context().setOffline(false)
    await question.getByText('It is not known whether your change was made.').waitFor()
    expect(await page.getByText(LOST).count()).toBe(0)
  })
})

describe('the polling of the console', () => {
  /** The paths that a page asks the API for from now on. */
  const counted = (page: Page) => {
    const sent: string[] = []
    page.on('request', (request) => {
      const { pathname } = new URL(request.url())
      if (pathname.startsWith('/api/')) sent.push(pathname)
    })
    return sent
  }

  /** Lets a test hide the tab, and show it again: `show(false)`. */
  const HIDING = `
    let state = 'visible'
    Object.defineProperty(document, 'visibilityState', { get: () => state })
    globalThis.show = (isShown) => { state = isShown ? 'visible' : 'hidden'; document.dispatchEvent(new Event('visibilitychange')) }
  `

  /** Keeps when the page asks for what, by its own clock. */
  const RECORDING = `
    const ask = fetch
    globalThis.asked = []
    globalThis.fetch = (address, init) => {
      asked.push({ at: performance.now(), path: new URL(address).pathname })
      return ask(address, init)
    }
  `

  it('a view that stays open sends at most one request in two seconds, and reads more often what changes more often', async () => {
    const { id } = await uncalledLead(service())
    const page = await visit(`leads/${id}`)
    await page.addInitScript(RECORDING)
    const clock = await steppedClock(page)
    await signInWith(page, service().apiKey)
    await page.getByRole('heading', { name: 'The checks before a call' }).waitFor()
    await page.locator('[aria-busy=false]', { has: page.getByRole('heading', { name: 'Timeline' }) }).waitFor()
    await clock.stop()
    await page.evaluate('asked.length = 0')
    const sent = () => page.evaluate<{ at: number; path: string }[]>('asked')
    while ((await sent()).length < 7) await clock.pass(500)
    const found = await sent()
    expect(found.slice(1).filter(({ at }, before) => at - found[before]!.at < 1999)).toEqual([])
    const ofLead = found.map(({ path }) => path).filter((path) => path !== '/api/users/me/')
    const parts = ['', 'calls/', 'explain/'].map((part) => `/api/leads/${id}/${part}`)
    expect([...new Set(ofLead.slice(0, 6))].toSorted()).toEqual(parts)
  })

  it.each([
    ['leads', 'List of leads'],
    ['now', 'Leads that come next'],
  ])('a hidden tab sends nothing, and reads again when it is shown: %s', async (at, region) => {
    const page = await visit(at)
    await page.clock.install()
    await page.addInitScript(HIDING)
    await page.reload()
    await signInWith(page, service().apiKey)
    await page.getByRole('region', { name: region }).getByText(/lead/i).last().waitFor()
    await page.evaluate('show(false)')
    const sent = counted(page)
    for (let minute = 0; minute < 10; minute++) await page.clock.runFor(60_000)
    expect(sent).toEqual([])
    await page.evaluate('show(true)')
    await eventually(() => sent.length > 0)
  })

  it('a hidden tab does not try again and again to resume its session', async () => {
    const page = await enter('leads')
    await page.clock.install()
    await page.addInitScript(HIDING)
    await page.route('**/api/users/me/', (route) => route.fulfill({ status: 503, headers: { 'Retry-After': '60' }, json: {} }))
    await page.reload()
    await page.getByText('The console tries again to sign you in').waitFor()
    await page.evaluate('show(false)')
    const sent = counted(page)
    for (let minute = 0; minute < 10; minute++) await page.clock.runFor(60_000)
    expect(sent).toEqual([])
    await page.unrouteAll()
    await page.evaluate('show(true)')
    await page.getByRole('navigation', { name: 'Views' }).waitFor()
  })
})
