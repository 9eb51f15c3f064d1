import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { type Service, STARTING_MS, startService } from '#test/support/service.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

let service: Service
beforeAll(async () => {
  // 11:00 on a Friday in New York.
  service = await startService(['--memory', '--port', '0', '--now', '2026-11-20T16:00:00Z'])
}, STARTING_MS)
afterAll(() => service?.end())

/** In a process of its own. */
const check = async () => {
  const tool = spawn(process.execPath, ['bin/ops.ts', 'check', '--json', '--data', dirname(service.operatorFile)], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let out = ''
  tool.stdout.setEncoding('utf8').on('data', (text: string) => {
    out += text
  })
  const [code] = await once(tool, 'close')
  return { code, ...JSON.parse(out) }
}

/** Whatever moves things about: leads that are made, called, changed, cancelled, stopped, given other phones, paused and unpaused. */
const beBusy = async (isOver: () => boolean): Promise<number> => {
  let rounds = 0
  while (!isOver()) {
    const round = rounds++
    const phone = (place: number) => `+1212${5560000 + ((round * 20 + place) % 9000)}`
    const leads = Array.from({ length: 20 }, (_, place) => ({
      ...{ phone_number: phone(place), email: `p${round}-${place}@example.com`, external_id: `crm-${round}-${place}` },
      timezone: 'America/New_York',
    }))
    const { body } = await service.call('POST', '/api/leads/bulk-create/', { leads })
    const made = body['results'] as { id: number }[]
    const [one, two, three] = made.map(({ id }) => `/api/leads/${id}/`)
    await Promise.all([
      service.call('PATCH', one!, { email: `other-${round}@example.com`, external_id: `other-${round}` }),
      service.call('PATCH', two!, { phone_number: phone(7), email: `moved-${round}@example.com` }),
      service.call('PATCH', three!, { status: 'CANCELLED' }),
      service.call('POST', '/api/dnc/', { phone_number: phone(4) }),
      ...(round % 3 === 1 ? [service.call('POST', '/api/users/1/pause-calls/', {})] : []),
      ...(round % 3 === 2 ? [service.call('POST', '/api/users/1/unpause-calls/', {})] : []),
    ])
  }
  return rounds
}

describe('a check while the service is busy', () => {
  it('finds nothing wrong where nothing is', async () => {
    let isOver = false
    const busy = beBusy(() => isOver)
    const checks = [await check(), await check()]
    isOver = true
    const rounds = await busy
    expect(checks).toEqual(checks.map(({ items }) => ({ code: 0, items, findings: [] })))
    const { calls } = await service.dials()
    expect({ rounds, calls: calls.length }).toEqual({ rounds: expect.any(Number), calls: expect.any(Number) })
    expect(Math.min(rounds, calls.length)).toBeGreaterThan(0)
    expect(checks.at(-1).items).toBeGreaterThan(checks[0]!.items)
  }, 120_000)
})
