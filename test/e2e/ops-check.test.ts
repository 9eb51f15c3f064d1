import { dirname } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { checkedTable } from '#test/support/checked-table.ts'
import { type Service, STARTING_MS, startService } from '#test/support/service.ts'

let service: Service
beforeAll(async () => {
  // 11:00 on a Friday in New York.
  service = await startService(['--memory', '--port', '0', '--now', '2026-11-20T16:00:00Z'])
}, STARTING_MS)
afterAll(() => service?.end())

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
    const directory = dirname(service.operatorFile)
    const checks = [await checkedTable(directory), await checkedTable(directory)]
    isOver = true
    const rounds = await busy
    expect(checks).toEqual(checks.map(({ items }) => ({ code: 0, items, findings: [] })))
    const { calls } = await service.dials()
    expect({ rounds, calls: calls.length }).toEqual({ rounds: expect.any(Number), calls: expect.any(Number) })
    expect(Math.min(rounds, calls.length)).toBeGreaterThan(0)
    expect(checks[1]!.items).toBeGreaterThan(checks[0]!.items)
  }, 120_000)
})
