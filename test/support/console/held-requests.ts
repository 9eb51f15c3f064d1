import type { Page, Request, Route } from 'playwright-core'
import { eventually } from '../eventually.ts'

/** Holds some requests of a page to the API until the test answers them. */
export const holdRequests = async (page: Page, isHeld: (request: Request) => boolean) => {
  const held: Route[] = []
  await page.route('**/api/**', (route) => (isHeld(route.request()) ? void held.push(route) : route.fallback()))
  return {
    /** The first of them, once the page has sent it. */
    first: async (): Promise<Route> => {
      await eventually(() => held.length > 0)
      return held[0]!
    },
  }
}
