import { describe, expect, it } from '@jest/globals'
import { texts } from '#lib/console/texts.ts'
import { newConsolePhone, uncalledLead } from '#test/support/console/people.ts'
import { SILENT_CALL } from '#test/support/console/seeds.ts'
import { wholeAnswer } from '#test/support/console/whole-answer.ts'
import { consoleWorld, signInWith } from '#test/support/console/world.ts'
import { until } from '#test/support/eventually.ts'
import { startReceiver } from '#test/support/receiver.ts'

/** Eight in the morning in Honolulu is at 18:00 UTC. */
const { service, visit, enter } = consoleWorld({ flags: ['--now', '2026-11-20T17:30:00Z'] })

describe('the view Now', () => {
  it('the view Now shows a call in progress, and opens its lead', async () => {
    const { body } = await service().call('POST', '/api/leads/', { phone_number: SILENT_CALL, us_state: 'CO' })
    const page = await enter('now')
    const calls = page.getByRole('region', { name: 'Calls in progress' })
    await calls.getByRole('link', { name: `Lead ${body.id}` }).waitFor()
    await calls
      .getByRole('row', { name: `Lead ${body.id}` })
      .getByText('Dialing', { exact: true })
      .waitFor()
    await page
      .getByRole('region', { name: 'Lines and due leads' })
      .getByText(/^1 of \d+$/)
      .waitFor()
    await calls.getByRole('link', { name: `Lead ${body.id}` }).press('Enter')
    await page.getByRole('heading', { name: `Lead ${body.id}`, exact: true }).waitFor()
  })

  it('the view Now shows a lead that is due in the next hour, without a reload', async () => {
    const page = await enter('now')
    const { id } = await uncalledLead(service())
    await page
      .getByRole('region', { name: 'Leads that come next' })
      .getByRole('link', { name: `Lead ${id}` })
      .waitFor()
  })

  it('the view Now shows the next call and a call in progress by the clocks of the lead and of the viewer', async () => {
    const running = service()
    const next = await uncalledLead(running)
    const { body } = await running.call('POST', '/api/leads/', { phone_number: '+13035570012', us_state: 'CO' })
    const page = await enter('now')
    const coming = page.getByRole('region', { name: 'Leads that come next' }).getByRole('row', { name: `Lead ${next.id}` })
    await coming.getByText('Fri, Nov 20, 2026, 8:00 AM HST lead', { exact: true }).waitFor()
    await coming.getByText('Fri, Nov 20, 2026, 7:00 PM GMT+1 you', { exact: true }).waitFor()
    const call = page.getByRole('region', { name: 'Calls in progress' }).getByRole('row', { name: `Lead ${body.id}` })
    await call.getByText(/^Fri, Nov 20, 2026, 10:\d\d AM MST lead$/).waitFor()
    await call.getByText(/^Fri, Nov 20, 2026, 6:\d\d PM GMT\+1 you$/).waitFor()
  })

  it('the view Now says that calls are paused, with the leads that came due', async () => {
    const running = service()
    const { body: user } = await running.call('GET', '/api/users/me/')
    await running.call('POST', `/api/users/${user.id}/pause-calls/`, {})
    await running.call('POST', '/api/leads/', { phone_number: newConsolePhone(), timezone: 'America/New_York' })
    const page = await enter('now')
    await page.getByText(/^\d+ leads?: These leads became due while your calls were paused\./).waitFor()
    await page.getByRole('region', { name: 'Held back' }).getByText('Your calls are paused. All leads are held back').waitFor()
    await running.call('POST', `/api/users/${user.id}/unpause-calls/`, {})
    await page.getByText(texts.now.noHolds).waitFor()
  })

  it('the view Now says that a pause holds all leads, or those that existed before, although none of them is due', async () => {
    const { otherApiKey: key, otherUserId } = service()
    await service().call('POST', '/api/leads/', { phone_number: newConsolePhone(), timezone: 'Pacific/Honolulu' }, key)
    const held = 'Your calls are paused. All leads are held back until you unpause the calls.'
    const page = await enter('now', {}, key)
    const holds = page.getByRole('region', { name: 'Held back' })
    await holds.getByText(texts.now.noHolds).waitFor()
    for (const [change, shown] of [
      [{}, held],
      [{ only_existing_leads: true }, 'Leads that existed when the pause began are held back until you unpause the calls.'],
    ] as const) {
      await service().call('POST', `/api/users/${otherUserId}/pause-calls/`, change, key)
      await holds.getByText(shown).waitFor()
      expect(await holds.getByText('Nothing holds many leads back').count()).toBe(0)
      expect(await holds.getByRole('link', { name: 'Open Stops' }).getAttribute('href')).toBe('#/stops')
      await service().call('POST', `/api/users/${otherUserId}/unpause-calls/`, {}, key)
      await holds.getByText(texts.now.noHolds).waitFor()
    }
  })

  it('the view Now names all lead types of an agent that is down, and of a list that is too old', async () => {
    const page = await visit('now')
    const hold = { leads: null, until: null, detail: null }
    await page.route('**/activity/', async (route) => {
      const response = await wholeAnswer(route)
      const holds = [
        { ...hold, reason: 'AGENT_DOWN', lead_type: 71 },
        { ...hold, reason: 'AGENT_DOWN', lead_type: 72 },
        { ...hold, reason: 'REGISTRY', lead_type: 73, detail: 'The do-not-call list national was never imported.' },
        { ...hold, reason: 'REASSIGNED', lead_type: null, leads: 2 },
      ]
      await route.fulfill({ response, json: { ...(await response.json()), holds } })
    })
    await signInWith(page, service().apiKey)
    const said = page.getByRole('region', { name: 'Held back' }).getByRole('listitem')
    await said.filter({ hasText: 'The voice agent does not work.' }).getByText('Lead types 71, 72.').waitFor()
    await said.filter({ hasText: 'is missing or too old' }).getByText('Lead type 73.').waitFor()
    await said.getByText('The do-not-call list national was never imported.').waitFor()
    await said.getByText(/^2 leads: The reassigned numbers database/).waitFor()
    expect(await said.count()).toBe(3)
    await page.getByText('A single lead can be stopped too').waitFor()
  })

  it('the view Now names a webhook that was disabled', async () => {
    const receiver = await startReceiver({ respond: () => ({ status: 410 }) })
    try {
      const running = service()
      const { body } = await running.call('POST', '/api/webhooks/', { url: receiver.url, trigger: ['LEAD_CREATED'] })
      await uncalledLead(running)
      await until(
        () => running.call('GET', `/api/webhooks/${body.id}/`),
        ({ body: subscription }) => subscription['disabled_time'] !== null,
      )
      const page = await enter('now')
      await page.getByText('One subscription is disabled.').waitFor()
      const row = page.getByRole('row').filter({ hasText: receiver.url })
      await row.getByText('Disabled').waitFor()
      // The delivery that was answered 410 has not arrived, although the subscription is enabled again.
      await running.call('POST', `/api/webhooks/${body.id}/enable/`)
      await page.reload()
      await row.getByText('1 of 1 did not arrive').waitFor()
    } finally {
      await receiver.close()
    }
  })

  it('the view Now names a webhook whose deliveries do not arrive', async () => {
    const running = service()
    const { body } = await running.call('POST', '/api/webhooks/', { url: 'http://127.0.0.1:9/down', trigger: ['LEAD_LOST'] })
    await running.call('POST', `/api/webhooks/${body.id}/test/`)
    await until(
      () => running.call('GET', `/api/webhooks/${body.id}/deliveries/`),
      (answer) => JSON.stringify(answer.body).includes('"duration_ms"'),
    )
    const page = await enter('now')
    const row = page.getByRole('row').filter({ hasText: '/down' })
    await row.getByText('1 of 1 waits for another attempt').waitFor()
    await row.getByRole('link').press('Enter')
    await page.getByRole('heading', { name: `Subscription ${body.id}` }).waitFor()
  })

  it('the view Now and the list of webhooks show a webhook that fails, however many newer ones work', async () => {
    const [running, { otherApiKey: key }] = [service(), service()]
    const subscribe = (url: string) => running.call('POST', '/api/webhooks/', { url, trigger: ['LEAD_LOST'] }, key)
    const { body } = await subscribe('http://127.0.0.1:9/oldest')
    await running.call('POST', `/api/webhooks/${body.id}/test/`, {}, key)
    await until(
      () => running.call('GET', '/api/webhooks/?status=failing', undefined, key),
      (answer) => answer.body['count'] === 1,
    )
    const ids = [body.id]
    for (let place = 0; place < 6; place++) ids.push((await subscribe(`http://127.0.0.1:9/newer-${place}`)).body.id)
    const page = await enter('now', {}, key)
    const webhooks = page.getByRole('region', { name: 'Webhooks' })
    await webhooks.getByText('5 of 7 subscriptions, those with a problem first').waitFor()
    await webhooks.getByRole('row').filter({ hasText: '/oldest' }).getByText('1 of 1 waits for another attempt').waitFor()
    await page.evaluate(`location.hash = '#/webhooks'`)
    await page.getByRole('row').filter({ hasText: '/oldest' }).getByText('The latest deliveries did not arrive').waitFor()
    await page.getByRole('row').filter({ hasText: '/newer-5' }).getByText('Enabled').waitFor()
    for (const id of ids) await running.call('DELETE', `/api/webhooks/${id}/`, undefined, key)
  })

  it('the view Now shows a file until it is read', async () => {
    const running = service()
    const { body } = await running.call('POST', '/api/ingestion/upload/', { source: running.uploadSource, filename: 'waiting.csv' })
    const page = await enter('now')
    const files = page.getByRole('region', { name: 'Files that wait or are being read' })
    await files.getByRole('link', { name: 'waiting.csv' }).waitFor()
    await files.getByText('Waiting for the file').waitFor()
    await fetch(`${body['signed_url']}`, { method: 'PUT', body: 'Lead ID,Phone,State\nN-1,(202) 555-0166,HI\n' })
    await page.getByText('No file waits or is being read.').waitFor()
  })

  it('the view Now finds a file that is read longer than 99 newer ones, and says that it looks at no more', async () => {
    const page = await visit('now')
    const file = (at: number) => ({ upload_id: `${at}`, filename: `${at}.csv`, rows: 7, status: at < 99 ? 'done' : 'processing' })
    await page.route('**/ingestion/uploads/?*', (route) => {
      const most = Number(new URL(route.request().url()).searchParams.get('page_size'))
      return route.fulfill({ json: { count: 101, results: Array.from({ length: 100 }, (_, at) => file(at)).slice(0, most) } })
    })
    await signInWith(page, service().apiKey)
    const files = page.getByRole('region', { name: 'Files that wait or are being read' })
    await files.getByRole('link', { name: '99.csv' }).waitFor()
    await files.getByText('This view looks only at your newest 100 files.').waitFor()
  })
})
