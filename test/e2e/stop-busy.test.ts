import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { eventually } from '#test/support/eventually.ts'
import { type Receiver, startReceiver } from '#test/support/receiver.ts'
import { type Service, startService } from '#test/support/service.ts'

let service: Service
let receiver: Receiver
beforeAll(async () => {
  receiver = await startReceiver({ respond: () => undefined })
  service = await startService(['--memory', '--port', '0', '--now', '2026-11-20T16:00:00Z'])
})
afterAll(async () => {
  await service?.end()
  await receiver?.close()
})

describe('a service that is stopped while functions run', () => {
  it('a service that is stopped while a function runs does not log that the function crashed', async () => {
    await service.call('POST', '/api/webhooks/', { url: receiver.url, trigger: ['LEAD_CREATED'] })
    expect((await service.call('POST', '/api/leads/', { phone_number: '+12125550006', email: 'ann@example.com' })).status).toBe(201)
    await eventually(() => receiver.requests.length > 0)
    await service.end('SIGINT')
    expect(service.log()).toContain('The service stops.')
    expect(service.log()).not.toMatch(/Crashed|died/)
  })
})
