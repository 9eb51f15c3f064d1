import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { gzipSync } from 'node:zlib'
import { beforeAll, describe, expect, it } from '@jest/globals'
import { presignPut } from '#shared/platform/bucket/bucket.ts'
import { built } from '#test/support/built.ts'

let handler: (event: unknown, context: unknown) => Promise<{ statusCode: number; headers: Record<string, string>; body: string }>
let folder: string

/** As the stack names it. */
const ORIGIN = 'https://uploads-1.s3.eu-west-1.amazonaws.com'

beforeAll(async () => {
  process.env['UPLOADS_ORIGIN'] = ORIGIN
  const { bundles } = await built()
  folder = join(bundles, 'console-page')
  handler = (await import(pathToFileURL(join(folder, 'index.mjs')).href)).handler
})

const ask = (path: string, file?: string, v?: string) =>
  handler(
    {
      httpMethod: 'GET',
      path,
      headers: {},
      pathParameters: file === undefined ? null : { file },
      multiValueQueryStringParameters: v === undefined ? null : { v: [v] },
      requestContext: { requestId: 'r', domainName: 'api.example.com', path: `/prod${path}` },
    },
    { awsRequestId: 'r' },
  )

/** The files of the page, as a browser finds them from its address. */
const filesOf = (path: string, body: string): URL[] =>
  [...body.matchAll(/(?:src|href)="([^"]+)"/g)]
    .map(([, address = '']) => new URL(address, `https://api.example.com/prod${path}`))
    .filter(({ protocol }) => protocol !== 'data:')

describe('GET /console/', () => {
  it.each(['/console/', '/console'])('the console is served under its stage at %s, with files that carry a hash', async (path) => {
    const { statusCode, headers, body } = await ask(path)
    expect(statusCode).toBe(200)
    expect(headers).toMatchObject({
      'Content-Type': 'text/html; charset=utf-8',
      'Cache-Control': 'no-cache',
      'X-Content-Type-Options': 'nosniff',
      'Referrer-Policy': 'no-referrer',
    })
    expect(filesOf(path, body).map(({ href }) => href)).toEqual([
      expect.stringMatching(/^https:\/\/api\.example\.com\/prod\/console\/console\.css\?v=[0-9a-f]{16}$/),
      expect.stringMatching(/^https:\/\/api\.example\.com\/prod\/console\/console\.js\?v=[0-9a-f]{16}$/),
    ])
  })

  it('the console allows no other host but the bucket for files, no inline script and no inline style', async () => {
    const { headers, body } = await ask('/console/')
    expect(headers['Content-Security-Policy']).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self' https://uploads-1.s3.eu-west-1.amazonaws.com; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    )
    expect(body).not.toMatch(/<script(?![^>]* src=)|<style| style=| on\w+=/)
  })

  it('the console may ask the host to which the SDK signs URLs', async () => {
    Object.assign(process.env, {
      ...{ UPLOADS_BUCKET: 'uploads-1', AWS_REGION: 'eu-west-1', AWS_ACCESS_KEY_ID: 'AKIAEXAMPLE', AWS_SECRET_ACCESS_KEY: 'secret' },
    })
    expect(new URL(await presignPut('uploads/1/a.csv')).origin).toBe(ORIGIN)
  })

  it('a browser keeps the files of the console, unless they are of another version', async () => {
    const { body } = await ask('/console/')
    for (const { pathname, searchParams } of filesOf('/console/', body)) {
      const file = pathname.split('/').at(-1)!
      const cacheFor = async (version: string) => (await ask(`/console/${file}`, file, version)).headers['Cache-Control']
      expect(await cacheFor(searchParams.get('v')!)).toBe('public, max-age=31536000, immutable')
      expect(await cacheFor('0000000000000000')).toBe('no-store')
    }
  })

  it.each(['index.mjs', '../console-page/index.mjs', 'console.tsx', '__proto__', ''])(
    'the console answers 404 for the file %j',
    async (file) => {
      expect(await ask('/console/x', file)).toMatchObject({ statusCode: 404, body: '{"detail":"Not found."}' })
    },
  )

  it('the whole console has at most 90 KiB when it is compressed', async () => {
    const { body } = await ask('/console/')
    const sizes = ['console.js', 'console.css'].map((file) => gzipSync(readFileSync(join(folder, file))).length)
    const total = gzipSync(body).length + sizes.reduce((sum, size) => sum + size)
    process.stdout.write(`The console: ${(total / 1024).toFixed(1)} KiB gzip\n`)
    expect(total).toBeLessThanOrEqual(90 * 1024)
  })
})
