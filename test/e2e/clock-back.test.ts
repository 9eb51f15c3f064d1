import { describe, expect, it } from '@jest/globals'
import { cleanUpEach } from '#test/support/clean-up.ts'
import { eventually } from '#test/support/eventually.ts'
import { type Service, startService } from '#test/support/service.ts'

const { directory, cleanUp } = cleanUpEach('clock-back')

const start = async (now: string): Promise<Service> => {
  const service = await startService(['--data', directory(), '--port', '0', '--now', now])
  cleanUp(() => service.end())
  return service
}
const WARNING = /An earlier start on this data ran until 2026-11-20T16:\d\d:\d\d\.\d{3}Z\. Now the clock begins at 2026-11-19T16:/

describe('a service with data of an earlier start', () => {
  it('the service warns when its clock begins before the end of the earlier start, and only then', async () => {
    const first = await start('2026-11-20T16:00:00Z')
    await first.end('SIGKILL')
    const second = await start('2026-11-19T16:00:00Z')
    await eventually(() => WARNING.test(second.log()))
    await second.end()
    const third = await start('2026-11-21T16:00:00Z')
    await third.end()
    expect([first, third].map((service) => service.log()).join('')).not.toContain('An earlier start')
  })

  it('the simulated agent keeps its address, where the calls of the earlier start are repeated and cancelled', async () => {
    const first = await start('2026-11-20T16:00:00Z')
    await first.end('SIGKILL')
    const second = await start('2026-11-20T17:00:00Z')
    expect(second.agentUrl).toBe(first.agentUrl)
  })
})
