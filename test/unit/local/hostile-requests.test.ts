import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { CreateMultipartUploadCommand, GetObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { CREDENTIALS, REGION } from '#lib/local/engines/engine.ts'

const PROGRAM = fileURLToPath(new URL('../../support/all-servers.ts', import.meta.url))
const SERVERS = ['buckets', 'queues', 'secrets', 'keys', 'bridge', 'gateway', 'agent'] as const

let servers: ChildProcess
let urls: Record<string, string>
beforeAll(async () => {
  servers = spawn(process.execPath, ['--no-warnings', PROGRAM], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [line] = await once(createInterface({ input: servers.stdout! }), 'line')
  urls = JSON.parse(line)
})
afterAll(() => void servers?.kill('SIGKILL'))

/** Sends bytes, and disconnects after an answer or, if hasty, at once. */
const sendBytes = async (url: string, bytes: string, isHasty = false): Promise<void> => {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  socket.on('error', () => {})
  const closed = once(socket, 'close')
  await new Promise((done) => socket.write(bytes, 'latin1', done))
  if (isHasty) socket.destroy()
  else socket.once('data', () => socket.destroy())
  await closed
}

/** Whether each server of the process still answers. */
const served = async (): Promise<boolean[]> => {
  const asked = SERVERS.map((name) => fetch(`${urls[name]}/`, { method: 'POST' }))
  return (await Promise.all(asked)).map(({ status }) => status > 0)
}
const ALL = SERVERS.map(() => true)

const request = (line: string, headers: readonly string[] = [], body = '') =>
  [line, 'Host: localhost', 'Connection: close', `Content-Length: ${body.length}`, ...headers, '', body].join('\r\n')

const JSON_10 = 'Content-Type: application/x-amz-json-1.0'

describe('hostile requests', () => {
  it.each<[string, string]>([
    ['a path that is not encoded well', request('GET /%E0%A4%A HTTP/1.1')],
    ['a path with a null character', request('PUT /uploads/a%00b HTTP/1.1', [], 'x')],
    ['a path out of its folder', request('PUT /uploads/..%2f..%2f..%2fx HTTP/1.1', [], 'x')],
    ['an empty path', request('GET // HTTP/1.1')],
    ['another address as its path', request('GET http://[::1 HTTP/1.1')],
    ['no path', request('OPTIONS * HTTP/1.1')],
    ['a malformed query', request('POST /uploads?%ff&=&uploadId=%00 HTTP/1.1', [], '<')],
    ['huge headers', request('GET / HTTP/1.1', [`X-Long: ${'x'.repeat(100_000)}`])],
    ['malformed credentials', request('GET /uploads/a HTTP/1.1', ['Authorization: AWS4-HMAC-SHA256 =,', 'X-Amz-Date: x'])],
    ['an invalid range', request('GET /uploads/a HTTP/1.1', ['Range: bytes=9-1,-'])],
    ['bytes that are no HTTP', 'hello\r\n\r\n'],
    ['a request to upgrade', request('GET / HTTP/1.1', ['Connection: Upgrade', 'Upgrade: websocket'])],
    ['JSON without an operation', request('POST / HTTP/1.1', [JSON_10], '{}')],
    ['JSON that is null', request('POST / HTTP/1.1', [JSON_10, 'X-Amz-Target: AmazonSQS.SendMessage'], 'null')],
    ['an operation of another kind', request('POST / HTTP/1.1', [JSON_10, 'X-Amz-Target: x'], '{"QueueUrl": {}}')],
    ['JSON that breaks off', request('POST / HTTP/1.1', [JSON_10, 'X-Amz-Target: AWSEvents.PutEvents'], '{"Entries": [')],
    ['parts that were never sent', request('POST /uploads/a?uploadId=none HTTP/1.1', [], '<CompleteMultipartUpload/>')],
  ])('the process of the local service survives %s', async (_, bytes) => {
    await Promise.all(SERVERS.map((name) => sendBytes(urls[name]!, bytes)))
    expect(await served()).toEqual(ALL)
  })

  it('the process of the local service survives a client that disconnects during its request', async () => {
    for (const line of ['POST / HTTP/1.1', 'PUT /uploads/half HTTP/1.1', 'POST /api/leads/ HTTP/1.1']) {
      const half = `${line}\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\nhalf`
      await Promise.all(SERVERS.map((name) => sendBytes(urls[name]!, half, true)))
      expect(await served()).toEqual(ALL)
    }
  })
})

describe('the bucket', () => {
  const client = () =>
    new S3Client({ endpoint: urls['buckets']!, region: REGION, credentials: CREDENTIALS, forcePathStyle: true, maxAttempts: 1 })

  it('the bucket refuses a name that is too long for a file, in a sentence', async () => {
    const s3 = client()
    for (const length of [234, 244, 255, 1000]) {
      const Key = `a/${'x'.repeat(length)}`
      const sentence = /longer than 233 bytes, the limit of the local bucket/
      await expect(s3.send(new PutObjectCommand({ Bucket: 'uploads', Key, Body: 'x' }))).rejects.toThrow(sentence)
      await expect(s3.send(new CreateMultipartUploadCommand({ Bucket: 'uploads', Key }))).rejects.toThrow(sentence)
    }
    s3.destroy()
    expect(await served()).toEqual(ALL)
  })

  it('the bucket keeps an object whose name has the greatest length', async () => {
    const s3 = client()
    const Key = `a/${'x'.repeat(233)}`
    await s3.send(new PutObjectCommand({ Bucket: 'uploads', Key, Body: 'content' }))
    const { Body } = await s3.send(new GetObjectCommand({ Bucket: 'uploads', Key }))
    expect(await Body?.transformToString()).toBe('content')
    s3.destroy()
  })

  it('the bucket refuses an object below another object', async () => {
    const s3 = client()
    await s3.send(new PutObjectCommand({ Bucket: 'uploads', Key: 'file', Body: 'x' }))
    await expect(s3.send(new PutObjectCommand({ Bucket: 'uploads', Key: 'file._S3rver_object/x', Body: 'x' }))).rejects.toThrow()
    s3.destroy()
    expect(await served()).toEqual(ALL)
  })
})
