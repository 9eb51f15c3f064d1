import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { Webhook } from 'standardwebhooks'
import { type Receiver, startReceiver } from '#test/support/receiver.ts'
import { type Service, startService } from '#test/support/service.ts'

const SECRET = 'Bearer of-the-receiver-alone'

let directory: string
let receiver: Receiver
let service: Service | undefined
const start = async (anew: boolean) => {
  service = await startService(['--port', '0', '--data', directory], { anew })
  return service
}

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'webhooks-restart-'))
  receiver = await startReceiver()
})
afterAll(async () => {
  await service?.end()
  await receiver?.close()
  rmSync(directory, { recursive: true, force: true })
})

it('headers and a rotated secret survive a restart, and no log or file contains the header', async () => {
  const first = await start(true)
  const subscription = { url: receiver.url, trigger: ['LEAD_CREATED'], headers: { Authorization: SECRET } }
  expect((await first.call('POST', '/api/webhooks/', subscription)).status).toBe(201)
  const rotated = await first.call('POST', '/api/users/me/rotate-webhook-secret/')
  await first.end()

  const second = await start(false)
  expect(second.webhookSecret).toBe(rotated.body['webhook_secret'])
  expect((await second.call('POST', '/api/leads/', { phone_number: '+12125550190', status: 'CANCELLED' })).status).toBe(201)
  const [request] = await receiver.waitFor(1)
  expect(request?.headers['authorization']).toBe(SECRET)
  for (const secret of [first.webhookSecret, second.webhookSecret])
    new Webhook(secret).verify(request!.body, request!.headers as Record<string, string>)
  await second.end()

  expect(first.log() + second.log()).not.toContain(SECRET)
  const files = readdirSync(directory).filter((file) => /^dynamodb|json$/.test(file))
  expect(files).toEqual(expect.arrayContaining(['dynamodb', 'keys.json']))
  for (const file of files) expect(readFileSync(join(directory, file)).includes(SECRET)).toBe(false)
})
