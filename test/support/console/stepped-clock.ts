import type { Page } from 'playwright-core'
import { eventually } from '../eventually.ts'

/** Opens a page again with a clock that a test can stop. */
export const steppedClock = async (page: Page) => {
  await page.clock.install()
  await page.reload()
  let open = 0
  page.on('request', () => open++)
  page.on('requestfinished', () => open--)
  page.on('requestfailed', () => open--)
  const isAnswered = () => eventually(() => open === 0)
  return {
    /** From here on, time passes only in steps. Otherwise a slow machine would add its own time to them, and polls with it. */
    stop: async (): Promise<void> => {
      await page.clock.pauseAt(await page.evaluate(() => Date.now() + 1000))
      await isAnswered()
    },
    /** An answer that is late only because this machine is busy must not leave out a request. */
    pass: async (milliseconds: number): Promise<void> => {
      await page.clock.runFor(milliseconds)
      await isAnswered()
    },
  }
}
