import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { beforeAll, describe, expect, it } from '@jest/globals'
import { built } from '#test/support/built.ts'

let handler: (event: unknown, context: unknown) => Promise<{ statusCode: number; headers: Record<string, string>; body: string }>

beforeAll(async () => {
  const { bundles } = await built()
  handler = (await import(pathToFileURL(join(bundles, 'docs-page/index.mjs')).href)).handler
})

const ask = (path: string, file?: string) =>
  handler(
    {
      httpMethod: 'GET',
      path,
      headers: {},
      pathParameters: file === undefined ? null : { file },
      requestContext: { requestId: 'r', domainName: 'api.example.com', path: `/prod${path}` },
    },
    { awsRequestId: 'r' },
  )

/** Where a browser finds an address of the page. */
const addressOf = (page: string, address: string): string =>
  address.startsWith('data:')
    ? address
    : new URL(address, `https://api.example.com/prod${page}`).href.replace('https://api.example.com', '')

describe('GET /api/docs/', () => {
  it.each(['/api/docs/', '/api/docs'])('the page with the API documentation is served under its stage at %s', async (path) => {
    const { statusCode, headers, body } = await ask(path)
    expect(statusCode).toBe(200)
    expect(headers).toMatchObject({ 'Content-Type': 'text/html; charset=utf-8', 'X-Request-Id': 'r', 'X-Content-Type-Options': 'nosniff' })
    expect(body).toContain('data-schema="/prod/api/schema/"')
    expect([...body.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address = '']) => addressOf(path, address))).toEqual([
      'data:,',
      expect.stringMatching(/^\/prod\/api\/docs\/swagger-ui\.css\?v=/),
      expect.stringMatching(/^\/prod\/api\/docs\/swagger-ui-bundle\.js\?v=/),
    ])
  })

  it('the page with the API documentation allows no other host and no other script', async () => {
    const { headers } = await ask('/api/docs/')
    const policy = headers['Content-Security-Policy'] ?? ''
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("connect-src 'self'")
    expect(policy).toMatch(/script-src 'self' 'sha256-[\w+/]+='/)
    expect(policy).not.toMatch(/https?:|\*|unsafe-eval/)
  })

  it.each([
    ['swagger-ui.css', 'text/css; charset=utf-8', 100_000],
    ['swagger-ui-bundle.js', 'text/javascript; charset=utf-8', 1_000_000],
    ['LICENSE', 'text/plain; charset=utf-8', 10_000],
    ['NOTICE', 'text/plain; charset=utf-8', 10],
  ])('the page with the API documentation serves its file %s', async (file, type, least) => {
    const answer = await ask(`/api/docs/${file}`, file)
    expect(answer).toMatchObject({
      statusCode: 200,
      headers: { 'Content-Type': type, 'Cache-Control': expect.stringContaining('immutable') },
    })
    expect(answer.body.length).toBeGreaterThan(least)
    // The whole answer of a function, as JSON.
    expect(JSON.stringify(answer).length).toBeLessThan(6_000_000)
  })

  it.each(['index.mjs', '../docs-page/index.mjs', 'assets.json', '__proto__', ''])(
    'the page with the API documentation answers 404 for the file %j',
    async (file) => {
      expect(await ask('/api/docs/x', file)).toMatchObject({ statusCode: 404, body: '{"detail":"Not found."}' })
    },
  )
})
