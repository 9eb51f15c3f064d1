import { afterAll, afterEach, beforeAll } from '@jest/globals'
import type { Browser, BrowserContext, BrowserContextOptions, Locator, Page } from 'playwright-core'
import { eventually } from '../eventually.ts'
import { type Service, startService } from '../service.ts'
import { startBrowser } from './browser.ts'

/** Milliseconds that a condition in the page may take. Long, because machines can be slow and busy. */
const PATIENCE = 120_000

export interface ConsoleWorld {
  readonly service: () => Service
  /** A new tab of a fresh browser profile, where nobody is signed in. `at`: place in the console, such as `leads/new`. */
  readonly visit: (at?: string, options?: BrowserContextOptions) => Promise<Page>
  /** The same, signed in. `key`: by default, the first user's. */
  readonly enter: (at?: string, options?: BrowserContextOptions, key?: string) => Promise<Page>
  /** Every address that the tabs of this test have asked for. */
  readonly requested: () => readonly string[]
}

export const signInWith = async (page: Page, key: string): Promise<void> => {
  await page.getByLabel('API key').fill(key)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

interface ConsoleWorldOptions {
  /** Options of the local service. */
  readonly flags?: readonly string[]
  /** Called with each new user of the browser, before its first tab. */
  readonly prepare?: (context: BrowserContext) => Promise<void>
}

/** The local service and a browser, for all tests of a suite. */
export const consoleWorld = ({ flags = ['--now', '2026-11-20T16:00:00Z'], prepare }: ConsoleWorldOptions = {}): ConsoleWorld => {
  let service: Service
  let browser: Browser
  const contexts: BrowserContext[] = []
  const requested: string[] = []

  beforeAll(async () => {
    service = await startService(['--memory', '--port', '0', ...flags])
    browser = await startBrowser()
  })
  afterEach(async () => {
    requested.length = 0
    const ended = contexts.splice(0)
    // An answer may be on its way to a route.
    await Promise.all(ended.map((context) => context.unrouteAll({ behavior: 'ignoreErrors' })))
    await Promise.all(ended.map((context) => context.close()))
  })
  afterAll(async () => {
    await browser?.close()
    await service?.end()
  })

  const visit = async (at = '', options: BrowserContextOptions = {}): Promise<Page> => {
    const context = await browser.newContext({ timezoneId: 'Europe/Berlin', viewport: { width: 1280, height: 900 }, ...options })
    contexts.push(context)
    context.setDefaultTimeout(PATIENCE)
    await prepare?.(context)
    context.on('request', (request) => requested.push(request.url()))
    const page = await context.newPage()
    await page.goto(`${service.url}/console/${at === '' ? '' : `#/${at}`}`)
    return page
  }

  return {
    service: () => service,
    visit,
    enter: async (at, options, key = service.apiKey) => {
      const page = await visit(at, options)
      await signInWith(page, key)
      await page.getByRole('navigation', { name: 'Views' }).waitFor()
      return page
    },
    requested: () => requested,
  }
}

/** Waits until an element of the page has a value or an attribute. */
export const has = (element: Locator, name: string, wanted: string): Promise<void> =>
  eventually(async () => wanted === (await (name === 'value' ? element.inputValue() : element.getAttribute(name))))
