import { describe, expect, it } from '@jest/globals'
import { NOW_REQUESTS } from '#test/support/console/now-requests.ts'
import { newConsolePhone, uncalledLead } from '#test/support/console/people.ts'
import { steppedClock } from '#test/support/console/stepped-clock.ts'
import { consoleWorld, signInWith } from '#test/support/console/world.ts'
import { eventually } from '#test/support/eventually.ts'

/** Eight in the morning in Honolulu is at 18:00 UTC. */
const { service, visit, enter, requested } = consoleWorld({ flags: ['--now', '2026-11-20T17:30:00Z'] })

describe('the requests of the view Now', () => {
  it('the view Now sends no more requests in two minutes than the measured read units assume, once it knows the zones of its leads', async () => {
    const lead = { phone_number: newConsolePhone(), timezone: 'Pacific/Honolulu' }
    await service().call('POST', '/api/leads/', lead, service().otherApiKey)
    const page = await visit('now')
    const clock = await steppedClock(page)
    await signInWith(page, service().otherApiKey)
    await page.getByText('No file waits or is being read.').waitFor()
    const coming = page.getByRole('region', { name: 'Leads that come next' })
    await coming
      .getByText(/HST lead$/)
      .first()
      .waitFor()
    await eventually(async () => (await coming.getByText(/HST lead$/).count()) === (await coming.getByRole('rowheader').count()))
    await clock.stop()
    const before = requested().length
    for (let second = 0; second < 120; second++) await clock.pass(1000)
    const counts: Record<string, number> = {}
    for (const address of requested().slice(before)) {
      const { pathname } = new URL(address)
      counts[pathname] = (counts[pathname] ?? 0) + 1
    }
    expect(Object.keys(counts).toSorted()).toEqual(Object.keys(NOW_REQUESTS).toSorted())
    expect(Object.entries(NOW_REQUESTS).filter(([path, most]) => (counts[path] ?? 0) > most)).toEqual([])
    expect(counts['/api/users/me/activity/']).toBeGreaterThan(20)
  })

  it('the view Now asks less and less often while nothing happens, and as before after a key or a change', async () => {
    const page = await visit('now')
    const clock = await steppedClock(page)
    await signInWith(page, service().otherApiKey)
    await page.getByText('No file waits or is being read.').waitFor()
    await clock.stop()
    /** How often it asks for the activity. Normally, that is 15 times a minute. */
    const askedIn = async (minutes: number, step: number): Promise<number> => {
      const before = requested().length
      for (let passed = 0; passed < minutes * 60_000; passed += step) await clock.pass(step)
      return requested()
        .slice(before)
        .filter((address) => address.endsWith('/activity/')).length
    }
    expect(await askedIn(2, 1000)).toBeGreaterThan(20)
    await askedIn(33, 5000)
    expect(await askedIn(5, 5000)).toBeLessThan(10)
    await page.keyboard.press('Shift')
    expect(await askedIn(1, 1000)).toBeGreaterThan(8)
    await askedIn(30, 5000)
    await service().call('POST', '/api/leads/', { phone_number: newConsolePhone(), timezone: 'Pacific/Honolulu' }, service().otherApiKey)
    await askedIn(3, 5000)
    expect(await askedIn(1, 1000)).toBeGreaterThan(8)
  })

  it('the view Now reads the names of lead types once, however often it asks for the activity', async () => {
    await enter('now')
    const count = (end: string) => requested().filter((address) => address.includes(end)).length
    await eventually(() => count('/activity/') >= 3)
    expect(count('/api/lead-types/')).toBe(1)
  })

  it('the polls of the view Now get 304 while nothing changes, and the seconds of a call go on', async () => {
    const { body } = await service().call('POST', '/api/leads/', { phone_number: '+13035570011', us_state: 'CO' })
    const page = await enter('now')
    const statuses: number[] = []
    page.on('response', (response) => {
      if (response.url().endsWith('/activity/')) statuses.push(response.status())
    })
    const row = page.getByRole('row', { name: `Lead ${body.id}` })
    await row.getByText(/^\d+ s$/).waitFor()
    await eventually(() => statuses.length >= 4 && statuses.slice(-3).every((status) => status === 304))
    const seconds = () => row.getByText(/^\d+ s$/).textContent()
    const [before, polls] = [await seconds(), statuses.length]
    await eventually(async () => (await seconds()) !== before)
    await uncalledLead(service())
    await eventually(() => statuses.slice(polls).includes(200))
    const changed = statuses.length
    await eventually(() => statuses.slice(changed).includes(304))
  })
})
