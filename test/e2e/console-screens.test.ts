import { mkdirSync } from 'node:fs'
import { AxeBuilder } from '@axe-core/playwright'
import { describe, expect, it } from '@jest/globals'
import type { Page } from 'playwright-core'
import { consoleViews } from '#test/support/console/views.ts'
import { consoleWorld } from '#test/support/console/world.ts'

/** `SCREENS=docs/console` keeps pictures of each view. */
const FOLDER = process.env['SCREENS']

const SMALL = { width: 360, height: 800 }
const SIZES = { wide: { width: 1280, height: 900 }, phone: { width: 390, height: 844 } } as const

const CASES = (['light', 'dark'] as const).flatMap((colorScheme) => (['wide', 'phone'] as const).map((size) => ({ colorScheme, size })))

const keepPicture = async (page: Page, name: string): Promise<void> => {
  if (FOLDER === undefined) return
  mkdirSync(FOLDER, { recursive: true })
  await page.screenshot({ path: `${FOLDER}/${name}.png`, fullPage: true })
}

/** The faults that axe finds, and by how much the page scrolls sideways. */
const faultsOf = async (page: Page) => {
  const { violations } = await new AxeBuilder({ page }).analyze()
  const sideways = await page.evaluate(() => {
    // biome-ignore lint/suspicious/noExplicitAny: the tests do not know the types of browsers
    const root = (globalThis as any).document.documentElement
    return Math.max(0, root.scrollWidth - root.clientWidth)
  })
  return { violations: violations.map(({ id, nodes }) => ({ id, nodes: nodes.map(({ html }) => html) })), sideways }
}

/** Words of tables that are broken over two lines, although they are short. */
const brokenWords = (page: Page): Promise<unknown> =>
  page.evaluate(`(() => {
    const broken = []
    const texts = [...document.querySelectorAll('th, td')].map((cell) => document.createTreeWalker(cell, NodeFilter.SHOW_TEXT))
    for (const walker of texts)
      while (walker.nextNode())
        for (const { 0: word, index } of walker.currentNode.data.matchAll(/[\\w.]{1,12}(?![\\w.])/g)) {
          const range = document.createRange()
          range.setStart(walker.currentNode, index)
          range.setEnd(walker.currentNode, index + word.length)
          if (new Set([...range.getClientRects()].map(({ top }) => top)).size > 1) broken.push(word)
        }
    return broken
  })()`)

describe('the lists of leads and files on a small phone', () => {
  const world = consoleWorld()

  it.each(['leads', 'uploads'])('long statuses in the list of %s push no column out of the screen, and break no word', async (list) => {
    const running = world.service()
    await running.call('POST', '/api/leads/bulk-create/', { leads: [{ phone_number: '+4915112345678', status: 'SCHEDULE_COMPLETED' }] })
    await running.call('POST', '/api/ingestion/upload/', { source: running.uploadSource, filename: 'bad.csv', dry_run: true })
    const page = await world.enter(list, { viewport: SMALL })
    await page
      .getByRole('cell', { name: list === 'leads' ? 'Appointment booked' : 'Waiting for the file' })
      .first()
      .waitFor()
    expect({
      broken: await brokenWords(page),
      width: await page.evaluate('document.documentElement.scrollWidth'),
      isTableTooWide: await page.evaluate(
        `[...document.querySelectorAll('table')].some((table) => table.offsetWidth > table.closest('section').clientWidth - ${list === 'leads' ? 16 : 24})`,
      ),
    }).toEqual({ broken: [], width: SMALL.width, isTableTooWide: false })
  })
})

describe('the console of a user who has nothing', () => {
  const { service, enter } = consoleWorld()

  it.each([
    ['now', 'No calls are in progress.'],
    ['leads', 'There are no leads yet.'],
    ['calls', 'There were no calls in this period.'],
    ['uploads', 'You have sent no files in the last 90 days.'],
    ['webhooks', 'There are no subscriptions yet.'],
  ])('the view %s has no fault that axe finds and does not scroll sideways while it is empty', async (place, said) => {
    const page = await enter(place, {}, service().otherApiKey)
    await page.getByText(said).first().waitFor()
    for (const { colorScheme, size } of CASES) {
      await page.emulateMedia({ colorScheme })
      await page.setViewportSize(SIZES[size])
      expect({ colorScheme, size, ...(await faultsOf(page)) }).toEqual({ colorScheme, size, violations: [], sideways: 0 })
    }
  })

  it('the view of a lead without a call has no fault that axe finds', async () => {
    const { body } = await service().call('POST', '/api/leads/', { phone_number: '+12025550177', status: 'LOST' })
    const page = await enter(`leads/${body.id}`)
    await page.getByText('There was no call to this lead yet.').waitFor()
    expect(await faultsOf(page)).toEqual({ violations: [], sideways: 0 })
  })
})

describe('the tables with many columns on a small phone', () => {
  const views = consoleViews(consoleWorld()).filter(({ name }) => ['calls', 'health', 'map'].includes(name))

  it.each(views.map((view) => [view.name, view] as const))('the tables of the view %s stay in their section', async (name, view) => {
    const page = await view.open()
    await page.setViewportSize(SMALL)
    expect({
      sideways: (await faultsOf(page)).sideways,
      // Names of time zones are too long for a column.
      broken: name === 'map' ? [] : await brokenWords(page),
      isTableTooWide: await page.evaluate(
        "[...document.querySelectorAll('table')].some((table) => table.offsetWidth > table.closest('section').clientWidth - 16)",
      ),
    }).toEqual({ sideways: 0, broken: [], isTableTooWide: false })
  })
})

describe('every view of the console', () => {
  it.each(consoleViews(consoleWorld()).map((view) => [view.name, view] as const))(
    'the view %s of the console has no fault that axe finds and does not scroll sideways, light and dark, wide and on a phone',
    async (name, view) => {
      const page = await view.open()
      for (const { colorScheme, size } of CASES) {
        await page.emulateMedia({ colorScheme })
        await page.setViewportSize(SIZES[size])
        expect({ colorScheme, size, ...(await faultsOf(page)) }).toEqual({ colorScheme, size, violations: [], sideways: 0 })
        if (name !== 'question') await keepPicture(page, `${name}-${size}-${colorScheme}`)
      }
    },
  )
})
