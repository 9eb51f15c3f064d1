import type { Page, Request, Route } from 'playwright-core'
import { eventually } from '../eventually.ts'

/** Holds some requests of a page to the API until the test answers them. */
export const holdRequests = async (page: Page, isHeld: (request: Request) => boolean) => {
  const held: Route[] = []
  let isReleased = false
  await page.route('**/api/**', (route) => (!isReleased && isHeld(route.request()) ? void held.push(route) : route.fallback()))
  return {
    /** The first of them, once the page has sent it. */
    first: async (): Promise<Route> => {
      await eventually(() => held.length > 0)
      return held[0]!
    },
    /** Lets all of them pass, and those to come. */
    release: async (): Promise<void> => {
      isReleased = true
      await Promise.all(held.splice(0).map((route) => route.fallback()))
    },
  }
}
