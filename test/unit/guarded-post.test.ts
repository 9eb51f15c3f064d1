import { createServer, type Server, type Socket } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { guardedPost } from '#shared/platform/safe-fetch/guarded-post.ts'
import { signedPost } from '#shared/platform/safe-fetch/signed-post.ts'
import { type ReceiverAnswer, startReceiver } from '#test/support/receiver.ts'

const post = (url: string, timeout = 2000) => ({ url: new URL(url), headers: {}, body: '{}', timeout })

/** First bytes of each connection. */
let connections: Promise<Buffer>[]
let server: Server
let port: number

beforeEach(async () => {
  connections = []
  server = createServer((socket: Socket) => {
    connections.push(new Promise((resolve) => socket.on('error', () => {}).once('data', (bytes) => resolve(bytes) ?? socket.destroy())))
  })
  await new Promise<void>((resolve) => server.listen(0, resolve))
  port = (server.address() as { port: number }).port
  process.env['PRIVATE_AGENT_HOSTS'] = ''
})
afterEach(() => new Promise((resolve) => server.close(resolve)))

describe('a guarded POST request', () => {
  it.each(['127.0.0.1', '[::1]', '0.0.0.0', '[::ffff:127.0.0.1]', '2130706433', '0x7f.1', '127.0.0.1.', '169.254.169.254'])(
    'a guarded POST request is not sent to %s',
    async (host) => {
      const answer = await guardedPost(post(`https://${host}:${port}/`))
      expect(answer).toEqual({ kind: 'unsent', reason: 'The address of the destination is not public.' })
      expect(connections).toEqual([])
    },
  )

  it.each([[['127.0.0.1']], [['8.8.8.8', '127.0.0.1']], [['fe80::1']], [[]]])(
    'a guarded POST request is not sent to a name that resolves to %j',
    async (addresses) => {
      const answer = await guardedPost(post(`https://calendar.example.com:${port}/`), async () => addresses)
      expect(answer).toEqual({ kind: 'unsent', reason: 'The address of the destination is not public.' })
      expect(connections).toEqual([])
    },
  )

  it('a guarded POST request is not sent over plain HTTP or FTP', async () => {
    for (const url of [`http://8.8.8.8:${port}/`, `http://calendar.example.com:${port}/`, 'ftp://calendar.example.com/']) {
      expect(await guardedPost(post(url))).toMatchObject({ kind: 'unsent', reason: expect.stringContaining('https') })
    }
  })

  it('a guarded POST request is not sent when a signing secret is malformed', async () => {
    process.env['PRIVATE_AGENT_HOSTS'] = '127.0.0.1'
    const answer = await signedPost({ url: `http://127.0.0.1:${port}/`, secrets: ['my-secret'], key: 'k', body: {}, timeout: 2000 })
    expect(answer).toEqual({ kind: 'unsent', reason: 'A secret to sign with is malformed.' })
    expect(connections).toEqual([])
  })

  it('a guarded POST request is not sent to a host that is allowed only for webhooks, or only on another port', async () => {
    process.env['PRIVATE_WEBHOOK_HOSTS'] = '127.0.0.1'
    for (const allowed of ['', '127.0.0.1:1']) {
      process.env['PRIVATE_AGENT_HOSTS'] = allowed
      expect(await guardedPost(post(`https://127.0.0.1:${port}/`))).toMatchObject({ kind: 'unsent' })
    }
    delete process.env['PRIVATE_WEBHOOK_HOSTS']
    expect(connections).toEqual([])
  })

  it('a guarded POST request is not sent when DNS does not find the name', async () => {
    const lost = async () => {
      throw Object.assign(new Error('queryA ENOTFOUND nowhere.example'), { code: 'ENOTFOUND' })
    }
    expect(await guardedPost(post('https://nowhere.example/'), lost)).toEqual({ kind: 'unsent', reason: 'ENOTFOUND.' })
  })

  it('a guarded POST request uses TLS for an https URL, even to an allowed host', async () => {
    process.env['PRIVATE_AGENT_HOSTS'] = '127.0.0.1'
    // No byte of the request is sent before the TLS connection is up.
    expect(await guardedPost(post(`https://127.0.0.1:${port}/`))).toMatchObject({ kind: 'unsent' })
    expect((await connections[0])?.[0]).toBe(0x16)
  })
})

describe('a guarded POST request to an allowed host', () => {
  const answerTo = async (respond: () => ReceiverAnswer | undefined, timeout?: number) => {
    process.env['PRIVATE_AGENT_HOSTS'] = '127.0.0.1'
    const receiver = await startReceiver({ respond })
    const answer = await guardedPost(post(receiver.url, timeout))
    await receiver.close()
    return { answer, requests: receiver.requests }
  }

  it('a guarded POST request returns the status and the text of the answer', async () => {
    const { answer, requests } = await answerTo(() => ({ status: 201, body: 'ünï' }))
    expect(answer).toEqual({ kind: 'answered', status: 201, text: 'ünï' })
    expect(requests).toMatchObject([{ method: 'POST', path: '/', body: '{}', headers: { 'content-length': '2' } }])
  })

  it('a guarded POST request does not follow a redirect', async () => {
    const { answer, requests } = await answerTo(() => ({ status: 302, headers: { location: '/' } }))
    expect(answer).toMatchObject({ kind: 'answered', status: 302 })
    expect(requests).toHaveLength(1)
  })

  it('a guarded POST request reads at most 64 KiB of the answer', async () => {
    const { answer } = await answerTo(() => ({ body: 'x'.repeat(1024 * 1024) }))
    expect(answer).toEqual({ kind: 'answered', status: 200, text: 'x'.repeat(64 * 1024) })
  })

  it('a guarded POST request is unclear when no answer comes before the timeout', async () => {
    expect((await answerTo(() => undefined, 100)).answer).toEqual({ kind: 'unclear', reason: 'no answer in time.' })
  })

  it('a guarded POST request is answered when the body of the answer breaks off', async () => {
    const { answer } = await answerTo(() => ({ headers: { 'content-length': '10' }, body: '{"a' }), 300)
    expect(answer).toEqual({ kind: 'answered', status: 200, text: '{"a' })
  })

  it.each([
    ['a connection that is closed', ''],
    ['a change of protocol that nobody asked for', 'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n'],
    ['an answer that is no HTTP', 'hello\r\n\r\n'],
  ])('a guarded POST request is unclear after %s', async (_, text) => {
    process.env['PRIVATE_AGENT_HOSTS'] = '127.0.0.1'
    server.on('connection', (socket) => socket.end(text))
    expect(await guardedPost(post(`http://127.0.0.1:${port}/`))).toMatchObject({ kind: 'unclear' })
  })

  it('a guarded POST request is not sent when nothing listens on the port', async () => {
    process.env['PRIVATE_AGENT_HOSTS'] = '127.0.0.1'
    expect(await guardedPost(post('http://127.0.0.1:1/'))).toEqual({ kind: 'unsent', reason: 'ECONNREFUSED.' })
  })

  it('a guarded POST request is not sent when no TLS connection opens before the timeout', async () => {
    process.env['PRIVATE_AGENT_HOSTS'] = '127.0.0.1'
    const silent = createServer(() => {})
    await new Promise<void>((resolve) => silent.listen(0, resolve))
    const { port: itsPort } = silent.address() as { port: number }
    expect(await guardedPost(post(`https://127.0.0.1:${itsPort}/`, 200))).toEqual({ kind: 'unsent', reason: 'no connection in time.' })
    silent.close()
  })

  it('a guarded POST request is unclear when the connection is reset after it was sent', async () => {
    process.env['PRIVATE_AGENT_HOSTS'] = '127.0.0.1'
    server.on('connection', (socket) => socket.once('data', () => socket.resetAndDestroy()))
    expect(await guardedPost(post(`http://127.0.0.1:${port}/`))).toMatchObject({ kind: 'unclear' })
  })
})
