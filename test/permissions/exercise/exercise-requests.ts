import { routes } from '#lib/routes.ts'
import { inLanes } from '#shared/platform/lanes.ts'
import type { Service } from '#test/support/service.ts'

/** Most requests that one write of the rate limit covers. The next request needs another write. */
const PAYMENT = 100
const LANES = 3

const NOBODY = '999999999'
const methodsAndPaths = (service: Service) =>
  routes
    .filter(({ auth }) => auth === 'token' || auth === 'ingestion')
    .map(({ method, path }) => ({
      method,
      path: path.replace('{id}', path.includes('ingest-lead') ? service.ingestId : NOBODY).replaceAll(/\{\w+\}/g, NOBODY),
    }))

/** A field that names what does not exist. Some functions then read what there is. */
const UNKNOWN: Readonly<Record<string, unknown>> = { '/api/ingestion/upload/': { source: 'none', filename: 'leads.csv' } }

const ask = async ({ url, apiKey }: Service, method: string, path: string, key?: string): Promise<void> => {
  const headers = { authorization: `Token ${apiKey}`, 'content-type': 'application/json', ...(key && { 'idempotency-key': key }) }
  const { status } = await fetch(`${url}${path}`, {
    method,
    headers,
    ...(method !== 'GET' && { body: JSON.stringify(UNKNOWN[path] ?? {}) }),
  })
  if (status >= 500) throw new Error(`${method} ${path} was answered ${status}.`)
}

/**
 * Sends each client function enough requests that its rate limit writes. Posts repeat an `Idempotency-Key`, so that answers are stored.
 * Most requests change nothing.
 */
export const exerciseRequests = async (service: Service): Promise<void> => {
  await inLanes(LANES, methodsAndPaths(service), async ({ method, path }) => {
    // One after the other, because a second sandbox would write its own rate limit.
    for (let count = 0; count <= PAYMENT; count++) await ask(service, method, path)
    if (method !== 'POST') return
    for (let count = 0; count < 2; count++) await ask(service, method, path, `once ${path}`)
  })
}
