import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { confirm } from '#test/support/console/lead-page.ts'
import { steppedClock } from '#test/support/console/stepped-clock.ts'
import { consoleWorld, signInWith } from '#test/support/console/world.ts'
import { eventually } from '#test/support/eventually.ts'
import { type Receiver, startReceiver } from '#test/support/receiver.ts'

const { service, visit, enter } = consoleWorld()

let receiver: Receiver
beforeAll(async () => {
  receiver = await startReceiver({ respond: ({ path }) => ({ status: path === '/broken' ? 500 : 200 }) })
})
afterAll(() => receiver?.close())

/** Seconds on the clock of the page. On a slow machine, the page may use fewer of them. */
const MOST_STEPS = 60

describe('a delivery that is resent', () => {
  it('a resent delivery is read every two seconds until its attempt is in the list, and then as before', async () => {
    const { body: made } = await service().call('POST', '/api/webhooks/', { url: receiver.url, trigger: ['LEAD_CREATED'] })
    const { id } = made
    await service().call('POST', `/api/webhooks/${id}/test/`)
    const page = await visit(`webhooks/${id}`)
    const clock = await steppedClock(page)
    // The queue is slow: the new attempt is in the list when the test says so.
    const now = new Date(await page.evaluate<number>('Date.now()')).toISOString()
    let isMade = true
    let reads = 0
    await page.route('**/deliveries/?*', async (route) => {
      reads++
      const response = await route.fetch()
      const json = await response.json()
      const [delivery] = json.results
      const headers = { 'content-type': 'application/json', date: response.headers()['date'] ?? '' }
      const waiting = { ...delivery, status: 'pending', next_attempt_time: new Date(response.headers()['date'] ?? now).toISOString() }
      await route.fulfill({ headers, json: isMade ? json : { ...json, results: [waiting] } })
    })
    const orders: string[] = []
    await page.route('**/resend/', async (route) => {
      orders.push(route.request().url())
      isMade = false
      await route.fulfill({ status: 202, json: {} })
    })
    await signInWith(page, service().apiKey)
    await page.getByRole('button', { name: 'Resend' }).click()
    await confirm(page, 'Resend')
    await page.getByRole('status').getByText('The delivery will be sent again.').waitFor()
    await page.getByRole('row').getByText('Waiting').waitFor()
    await clock.stop()
    reads = 0
    let others = 0
    page.on('request', (request) => void (request.url().endsWith(`/webhooks/${id}/`) && others++))
    for (let step = 0; step < MOST_STEPS && reads < 5; step++) await clock.pass(1000)
    // The subscription itself is read as before, every ten seconds.
    expect(reads).toBeGreaterThanOrEqual(2 * others)
    isMade = true
    const delivered = page.getByRole('row').getByText('Delivered')
    for (let step = 0; step < MOST_STEPS && (await delivered.count()) === 0; step++) await clock.pass(1000)
    await delivered.waitFor()
    reads = 0
    for (let step = 0; step < 8; step++) await clock.pass(1000)
    expect(reads).toBeLessThan(2)
    expect(orders).toHaveLength(1)
  })

  it('a resend that fails says when the service tries the delivery again by itself', async () => {
    const { body: made } = await service().call('POST', '/api/webhooks/', { url: `${receiver.url}/broken`, trigger: ['LEAD_CREATED'] })
    await service().call('POST', `/api/webhooks/${made['id']}/test/`)
    const page = await enter(`webhooks/${made['id']}`)
    await page.getByText('Answer 500').first().waitFor()
    const row = page.getByRole('row').filter({ hasText: 'Lead created' })
    expect(await row.getByText('The resent delivery failed too.').count()).toBe(0)
    await eventually(async () => {
      // The service refuses a resend while another attempt is made.
      await row.getByRole('button', { name: 'Resend' }).click()
      return (await page.getByRole('status').getByText('The delivery will be sent again.').count()) > 0
    })
    const note = row.getByRole('status').getByText('The resent delivery failed too.')
    await note.waitFor()
    // The automatic attempt may come in between, and changes both.
    await eventually(async () => {
      const next = await row.getByText(/^Next automatic attempt /).textContent()
      return (
        (await note.textContent())?.includes(`The next automatic attempt is at ${next?.replace('Next automatic attempt ', '')}`) === true
      )
    })
  })
})
