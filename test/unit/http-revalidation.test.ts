import { describe, expect, it } from '@jest/globals'
import { api } from '#shared/http/api.ts'
import { noContent, ok, type Reply } from '#shared/http/reply.ts'
import { REQUEST_ID, send } from '#test/support/api-event.ts'
import { captureLog } from '#test/support/captured-log.ts'

const lines = captureLog()

const asking = (reply: Reply, method = 'GET') => {
  const handler = api({ auth: 'none' }, async () => reply)
  return (tag?: string) => send(handler, { method, headers: tag === undefined ? {} : { 'if-none-match': tag } })
}

const ask = asking({ ...ok({ a: 1 }), headers: { 'X-Warnings': 'more' } })

const tagOf = async (body: unknown): Promise<string> => `${(await asking(ok(body))()).headers['ETag']}`

describe('the ETag of an answer', () => {
  it('the ETag of an answer is the same exactly as long as its body is the same', async () => {
    const tag = await tagOf({ a: 1 })
    expect(tag).toMatch(/^"[\w-]{27}"$/)
    expect(await tagOf({ a: 1 })).toBe(tag)
    expect(await tagOf({ a: 2 })).not.toBe(tag)
  })

  it.each([
    ['a POST', ok({}), 'POST'],
    ['a PATCH', ok({}), 'PATCH'],
    ['an error', { status: 404, body: { detail: 'Not found.' } }, 'GET'],
    ['a page', { status: 200, text: '<p>', headers: { 'Content-Type': 'text/html' } }, 'GET'],
    ['an answer without a body', noContent(), 'GET'],
  ])('%s has no ETag, and ignores If-None-Match', async (_, reply, method) => {
    const handler = api({ auth: 'none' }, async () => reply)
    const event = { httpMethod: method, path: '/', headers: { 'If-None-Match': '*' }, requestContext: { requestId: 'r' } }
    const { statusCode, headers } = await handler(event, {} as never)
    expect(statusCode).toBe(reply.status)
    expect(headers).not.toHaveProperty('ETag')
  })
})

describe('a request with If-None-Match', () => {
  it.each(['GET', 'HEAD'])('a %s that names the tag gets 304 without a body, with the other headers and the tag', async (method) => {
    const again = asking({ ...ok({ a: 1 }), headers: { 'X-Warnings': 'more' } }, method)
    const ETag = await tagOf({ a: 1 })
    expect(await again(ETag)).toEqual({
      status: 304,
      headers: { 'Cache-Control': 'no-store', ETag, 'X-Request-Id': REQUEST_ID, 'X-Warnings': 'more' },
      json: undefined,
    })
  })

  it.each([
    ['*', 304],
    [' * ', 304],
    ['TAG', 304],
    ['W/TAG', 304],
    ['"other", W/"weak, with a comma",TAG', 304],
    ['TAG , "other"', 304],
    ['', 200],
    ['"other"', 200],
    ['"*"', 200],
    ['**', 200],
    ['"', 200],
    ['a text', 200],
  ])('the header %j decides between 304 and 200', async (header, status) => {
    const tag = await tagOf({ a: 1 })
    expect((await ask(header.replace('TAG', tag))).status).toBe(status)
    // A tag without its quotes is no tag.
    expect((await ask(tag.slice(1, -1))).status).toBe(200)
  })

  it('a request of a page that keeps answers itself gets 304, although its browser adds Cache-Control: no-cache', async () => {
    const handler = api({ auth: 'none' }, async () => ok({ a: 1 }))
    const headers = { 'If-None-Match': await tagOf({ a: 1 }), 'Cache-Control': 'no-cache', Pragma: 'no-cache' }
    expect((await send(handler, { method: 'GET', headers })).status).toBe(304)
  })

  it('the log and the metrics of a 304 have its status', async () => {
    await ask('*')
    expect(JSON.parse(lines[0]!)).toMatchObject({ message: 'request', status: 304 })
  })
})

describe('the header Cache-Control', () => {
  it.each([
    ['an answer', ok({}), 'no-store'],
    ['an error', { status: 404, body: { detail: 'Not found.' } }, 'no-store'],
    ['an answer that says so itself', { ...ok({}), headers: { 'Cache-Control': 'public, max-age=300' } }, 'public, max-age=300'],
  ])('the header Cache-Control keeps %s out of the cache of the browser, unless it says otherwise', async (_, reply, expected) => {
    expect((await asking(reply)()).headers).toMatchObject({ 'Cache-Control': expected })
  })
})
