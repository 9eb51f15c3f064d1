import { once } from 'node:events'
import { statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { DecryptCommand, GenerateDataKeyCommand, KMSClient } from '@aws-sdk/client-kms'
import { GetObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3'
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager'
import { GetQueueAttributesCommand, SQSClient } from '@aws-sdk/client-sqs'
import { describe, expect, it } from '@jest/globals'
import { startBuckets } from '#lib/local/engines/buckets.ts'
import { CREDENTIALS, REGION, StartFailure } from '#lib/local/engines/engine.ts'
import { startKeys } from '#lib/local/engines/keys.ts'
import { startQueues } from '#lib/local/engines/queues.ts'
import { startSecrets } from '#lib/local/engines/secrets.ts'
import { reservePort } from '#lib/local/processes/ports.ts'
import { cleanUpEach } from '#test/support/clean-up.ts'

const { directory, cleanUp } = cleanUpEach('engines')

describe('the queue engine', () => {
  it('the queue engine creates queues with their attributes', async () => {
    const engine = await startQueues('123456789012')
    cleanUp(engine.stop)
    const arn = (name: string) => `arn:aws:sqs:us-east-1:123456789012:${name}`
    const url = (name: string) => `${engine.url}/123456789012/${name}`
    const RedrivePolicy = JSON.stringify({ deadLetterTargetArn: arn('failed'), maxReceiveCount: 3 })
    await engine.createQueues([
      { name: 'failed', arn: arn('failed'), url: url('failed'), attributes: {} },
      { name: 'work', arn: arn('work'), url: url('work'), attributes: { VisibilityTimeout: '77', RedrivePolicy } },
    ])
    const client = new SQSClient({ endpoint: engine.url, region: REGION, credentials: CREDENTIALS })
    cleanUp(() => client.destroy())
    const { Attributes } = await client.send(new GetQueueAttributesCommand({ QueueUrl: url('work'), AttributeNames: ['All'] }))
    expect(Attributes).toMatchObject({ VisibilityTimeout: '77', QueueArn: arn('work') })
    expect(JSON.parse(Attributes?.['RedrivePolicy'] ?? '')).toMatchObject({ deadLetterTargetArn: arn('failed') })
  })
})

describe('the bucket engine', () => {
  it('the bucket engine keeps objects between starts, and sends an event for each', async () => {
    const first = await startBuckets(directory())
    const told: unknown[] = []
    first.onObjectEvent((message) => told.push(message))
    await first.createBuckets([{ name: 'uploads', pageMethods: [], notifications: [] }])
    const put = new S3Client({ endpoint: first.url, region: REGION, credentials: CREDENTIALS })
    await put.send(new PutObjectCommand({ Bucket: 'uploads', Key: 'a/b.csv', Body: 'x' }))
    put.destroy()
    await first.stop()
    expect(JSON.stringify(told)).toContain('ObjectCreated')

    const second = await startBuckets(directory())
    cleanUp(second.stop)
    await second.createBuckets([{ name: 'uploads', pageMethods: [], notifications: [] }])
    const get = new S3Client({ endpoint: second.url, region: REGION, credentials: CREDENTIALS })
    cleanUp(() => get.destroy())
    const { Body } = await get.send(new GetObjectCommand({ Bucket: 'uploads', Key: 'a/b.csv' }))
    expect(await Body?.transformToString()).toBe('x')
  })

  it('the bucket engine keeps its port between starts, and takes and keeps another one when its port is taken', async () => {
    const portFile = join(directory(), 'port')
    const start = () => startBuckets(join(directory(), 's3'), portFile)
    const first = await start()
    await first.stop()
    const second = await start()
    expect(second.url).toBe(first.url)
    // It holds the port, so the next start takes another one.
    cleanUp(second.stop)
    const third = await start()
    expect(third.url).not.toBe(first.url)
    await third.stop()
    const fourth = await start()
    await fourth.stop()
    expect(fourth.url).toBe(third.url)
    writeFileSync(portFile, 'x')
    cleanUp((await start()).stop)
  })

  it('the bucket engine lets pages of this machine do what the template allows pages of the service, and no other page', async () => {
    const engine = await startBuckets(directory())
    cleanUp(engine.stop)
    await engine.createBuckets([{ name: 'uploads', pageMethods: ['PUT'], notifications: [] }])
    const allowed = async (origin: string, method: string) => {
      const headers = { origin, 'access-control-request-method': method }
      const { status } = await fetch(`${engine.url}/uploads/a.csv`, { method: 'OPTIONS', headers })
      return status === 200
    }
    expect(await allowed('http://127.0.0.1:3000', 'PUT')).toBe(true)
    expect(await allowed('http://localhost:3000', 'PUT')).toBe(true)
    expect(await allowed('http://127.0.0.1:3000', 'DELETE')).toBe(false)
    expect(await allowed('https://example.com', 'PUT')).toBe(false)
    expect(await allowed('http://127.0.0.1.example.com', 'PUT')).toBe(false)
  })
})

describe('the secret engine', () => {
  const arn = 'arn:aws:secretsmanager:us-east-1:123456789012:secret:phone-hash'
  const valueAt = async (endpoint: string, SecretId: string) => {
    const client = new SecretsManagerClient({ endpoint, region: REGION, credentials: CREDENTIALS, maxAttempts: 1 })
    cleanUp(() => client.destroy())
    return (await client.send(new GetSecretValueCommand({ SecretId }))).SecretString
  }

  it('the secret engine generates a value once and keeps it', async () => {
    const file = join(directory(), 'secrets.json')
    const first = await startSecrets(file)
    await first.createSecrets([{ arn, generateLength: 40 }])
    const value = await valueAt(first.url, arn)
    await first.stop()
    const second = await startSecrets(file)
    cleanUp(second.stop)
    await second.createSecrets([{ arn, generateLength: 40 }])
    expect(value).toMatch(/^[A-Za-z0-9]{40}$/)
    expect(await valueAt(second.url, arn)).toBe(value)
  })

  it('the secret engine does not find a secret that was not created', async () => {
    const engine = await startSecrets(undefined)
    cleanUp(engine.stop)
    await expect(valueAt(engine.url, arn)).rejects.toMatchObject({ name: 'ResourceNotFoundException' })
  })
})

describe('the key engine', () => {
  const arn = 'arn:aws:kms:us-east-1:123456789012:key/headers'
  const EncryptionContext = { owner: '1', subscription: '2' }
  const clientAt = (endpoint: string) => {
    const client = new KMSClient({ endpoint, region: REGION, credentials: CREDENTIALS, maxAttempts: 1 })
    cleanUp(() => client.destroy())
    return client
  }
  const makeKey = (endpoint: string, KeyId = arn) =>
    clientAt(endpoint).send(new GenerateDataKeyCommand({ KeyId, KeySpec: 'AES_256', EncryptionContext }))
  const open = (endpoint: string, CiphertextBlob: Uint8Array, bound: Record<string, string> = EncryptionContext) =>
    clientAt(endpoint).send(new DecryptCommand({ KeyId: arn, CiphertextBlob, EncryptionContext: bound }))

  it('the key engine makes data keys that it can decrypt, even after a restart', async () => {
    const file = join(directory(), 'keys.json')
    const first = await startKeys(file)
    await first.createKeys([{ arn }])
    const { Plaintext, CiphertextBlob, KeyId } = await makeKey(first.url)
    expect([KeyId, Plaintext?.length]).toEqual([arn, 32])
    expect(Buffer.from(CiphertextBlob!).includes(Buffer.from(Plaintext!))).toBe(false)
    await first.stop()
    expect(statSync(file).mode & 0o777).toBe(0o600)
    const second = await startKeys(file)
    cleanUp(second.stop)
    await second.createKeys([{ arn }])
    expect((await open(second.url, CiphertextBlob!)).Plaintext).toEqual(Plaintext)
    const reversed = Object.fromEntries(Object.entries(EncryptionContext).reverse())
    expect((await open(second.url, CiphertextBlob!, reversed)).Plaintext).toEqual(Plaintext)
  })

  it('the key engine refuses to decrypt changed data or data of another context', async () => {
    const engine = await startKeys(undefined)
    cleanUp(engine.stop)
    await engine.createKeys([{ arn }])
    const { CiphertextBlob } = await makeKey(engine.url)
    for (const bound of [{}, { owner: '1' }, { ...EncryptionContext, owner: '2' }, { ...EncryptionContext, more: '3' }])
      await expect(open(engine.url, CiphertextBlob!, bound)).rejects.toMatchObject({ name: 'InvalidCiphertextException' })
    const changed = CiphertextBlob!.with(20, CiphertextBlob![20]! ^ 1)
    for (const blob of [changed, CiphertextBlob!.slice(1), new Uint8Array(1)])
      await expect(open(engine.url, blob)).rejects.toMatchObject({ name: 'InvalidCiphertextException' })
    await expect(makeKey(engine.url, `${arn}-2`)).rejects.toMatchObject({ name: 'NotFoundException' })
  })

  it('the key engine does not start with a malformed key file', async () => {
    const file = join(directory(), 'broken-keys.json')
    writeFileSync(file, '{"a": 5}')
    await expect(startKeys(file)).rejects.toThrow(StartFailure)
  })
})

describe('a port', () => {
  it('a port in use is refused in one sentence', async () => {
    const holder = createServer()
    holder.listen(0, '127.0.0.1')
    await once(holder, 'listening')
    cleanUp(() => holder.close())
    const address = holder.address()
    const port = typeof address === 'object' && address !== null ? address.port : 0
    await expect(reservePort(port)).rejects.toThrow(
      new StartFailure(`Port ${port} is already in use; choose another one with --port, or any free one with --port 0.`),
    )
  })

  it('a port is free again after its release', async () => {
    const first = await reservePort(0)
    await first.release()
    const second = await reservePort(first.port)
    await second.release()
    expect(second.port).toBe(first.port)
  })
})
