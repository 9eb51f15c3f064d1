import { dirname } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { checkedTable } from '#test/support/checked-table.ts'
import { eventually } from '#test/support/eventually.ts'
import { type Service, startService } from '#test/support/service.ts'

let service: Service
beforeAll(async () => {
  // 11:00 on a Friday in New York.
  service = await startService(['--memory', '--port', '0', '--now', '2026-11-20T16:00:00Z'])
})
afterAll(() => service?.end())

/** Constant changes: leads are created, called, changed, cancelled, stopped, given other phones, paused and unpaused. */
const beBusy = async (isOver: () => boolean, finished: () => void): Promise<void> => {
  for (let round = 0; !isOver(); round++) {
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
    finished()
  }
}

describe('a check while the service is busy', () => {
  it('check finds nothing wrong in correct data while the service is busy', async () => {
    let [isOver, rounds] = [false, 0]
    const busy = beBusy(
      () => isOver,
      () => rounds++,
    )
    const directory = dirname(service.operatorFile)
    await eventually(async () => rounds > 0 && (await service.dials()).calls.length > 0)
    const first = await checkedTable(directory)
    const before = rounds
    await eventually(() => rounds > before)
    const second = await checkedTable(directory)
    isOver = true
    await busy
    for (const check of [first, second]) expect(check).toEqual({ code: 0, items: check.items, findings: [] })
    expect(second.items).toBeGreaterThan(first.items)
  })
})
