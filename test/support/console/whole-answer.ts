import type { APIResponse, Route } from 'playwright-core'

/** The whole answer to a request of the page. A poll asks only for changes, and the answer 304 has no body. */
export const wholeAnswer = (route: Route): Promise<APIResponse> =>
  route.fetch({ headers: { ...route.request().headers(), 'if-none-match': '' } })
