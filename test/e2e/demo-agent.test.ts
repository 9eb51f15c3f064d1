import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { opsProcess } from '#test/support/ops-process.ts'
import { listen } from '#test/support/platforms/emulator.ts'
import { type Service, startService } from '#test/support/service.ts'

let folder = ''
let own: Awaited<ReturnType<typeof listen>>
let service: Service | undefined

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'demo-agent-'))
  own = await listen(() => ({ status: 200, body: { provider_call_id: 'p-1' } }))
})
afterAll(async () => {
  await service?.end()
  await own?.close()
  await rm(folder, { recursive: true, force: true })
})

const start = async (...flags: readonly string[]): Promise<Service> => {
  service = await startService(['--data', folder, '--port', '0', ...flags])
  return service
}
const stop = async (): Promise<void> => {
  await service?.end()
  service = undefined
}
const agentsOfTypes = async () => (await opsProcess(folder, ['get', 'lead-types', '--json'])).out

describe('the local demo', () => {
  it('a declared agent serves the local demo, and never gets the leads from before', async () => {
    const before = await start()
    const earlier = await before.call('POST', '/api/leads/', { phone_number: '+12125550002', timezone: 'America/New_York' })
    const file = join(folder, 'own.yaml')
    await writeFile(file, `agents:\n  - { key: own, url: ${own.url} }\n`)
    expect(await opsProcess(folder, ['apply', file, '--yes'])).toMatchObject({ code: 0 })
    await stop()

    const { leadTypeId, call } = await start('--agent', 'own')
    expect(leadTypeId).not.toBe(before.leadTypeId)
    const lead = await call('POST', '/api/leads/', { phone_number: '+12125550003', timezone: 'America/New_York' })
    expect(lead).toMatchObject({ status: 201, body: { lead_type: leadTypeId } })
    const kept = await call('GET', `/api/leads/${earlier.body.id}/`)
    expect(kept.body).toMatchObject({ lead_type: before.leadTypeId })
    expect(await agentsOfTypes()).toContain('"agent": "own"')
    expect(own.seen.map(({ body }) => JSON.parse(body).lead.phone_number)).not.toContain('+12125550002')
  })
})
