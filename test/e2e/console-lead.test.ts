import { describe, expect, it } from '@jest/globals'
import { holdRequests } from '#test/support/console/held-requests.ts'
import { keyboardOf } from '#test/support/console/keyboard.ts'
import { ask, confirm, gate, order } from '#test/support/console/lead-page.ts'
import { HOSTILE, uncalledLead } from '#test/support/console/people.ts'
import { consoleWorld, has } from '#test/support/console/world.ts'
import { eventually } from '#test/support/eventually.ts'
import type { Json } from '#test/support/service.ts'

const { service, enter } = consoleWorld()

const leadNow = async (id: number): Promise<Json> => (await service().call('GET', `/api/leads/${id}/`)).body

describe('a lead in the console', () => {
  it('a lead shows its times by its own clock and by that of the viewer', async () => {
    const { id } = await uncalledLead(service(), { first_name: 'Hana' })
    const page = await enter(`leads/${id}`)
    const data = page.getByRole('region', { name: 'Data' })
    await data.getByText('Fri, Nov 20, 2026, 8:00 AM HST').waitFor()
    await data.getByText('Fri, Nov 20, 2026, 7:00 PM GMT+1').waitFor()
    await data.getByText('Hana').waitFor()
  })

  it('a lead shows every gate with its verdict, its source and the time at which it opens', async () => {
    const { id } = await uncalledLead(service())
    const page = await enter(`leads/${id}`)
    const window = gate(page, 'Calling hours')
    await window.getByText('Stops the call').waitFor()
    await window.getByText('47 CFR 64.1200(c)(1)').first().waitFor()
    await window.getByText('Fri, Nov 20, 2026, 8:00 AM HST').waitFor()
    await gate(page, 'Status').getByText('Passes').waitFor()
    expect(await page.getByRole('region', { name: 'The checks before a call' }).getByRole('listitem').count()).toBe(12)
  })

  it('a lead shows its calls', async () => {
    const { status, body } = await service().call('POST', '/api/leads/', { phone_number: '+12125550001', timezone: 'America/New_York' })
    expect(status).toBe(201)
    const page = await enter(`leads/${body.id}`)
    await page.getByRole('rowheader', { name: `${body.id}-1` }).waitFor()
    const timeline = page.getByRole('region', { name: 'Timeline' })
    await timeline.getByText(/^The person was transferred in the call\. It took \d+ seconds?\./).waitFor()
    await timeline.getByText('Attempt 1 to reach the person').waitFor()
    await timeline.getByText(/This was the latest change of the lead\. Its status is “Closed”\. [A-Z]/).waitFor()
    expect(await timeline.textContent()).not.toMatch(/completed|outbound|warm transfer/i)
    await page.getByRole('region', { name: 'Data' }).getByText('Closed', { exact: true }).waitFor()
  })

  it('the timeline of a lead tells its creation, calls, consents, stops and its planned call, the latest first', async () => {
    const running = service()
    const { id, phone_number } = await uncalledLead(running)
    const page = await enter(`leads/${id}`)
    const timeline = page.getByRole('region', { name: 'Timeline' })
    await timeline.getByRole('row', { name: 'Planned call Fri, Nov 20, 2026, 8:00 AM HST' }).waitFor()
    const said = (name: RegExp, text: string) => timeline.getByRole('row', { name }).getByText(text)
    await running.call('POST', '/api/consents/', { phone_number, type: 'written', time: '2026-11-19T15:30:00Z', source: HOSTILE.script })
    await running.call('POST', '/api/consents/revoke/', { phone_number, how: HOSTILE.image, channels: ['sms'] })
    // A change of the lead reads the stops and consents again.
    await order(page, 'Do not contact')
    await timeline.getByRole('row', { name: /^Stop .*No more calls\. It was set on a lead, in the console or by a program\.$/ }).waitFor()
    await said(/^Consent revoked .*The person revoked the consent to text messages\./, HOSTILE.image).waitFor()
    await said(/^Consent .*Nov 19, 2026.*The person gave a written consent\./, HOSTILE.script).waitFor()
    // The lead is read by another request than its stops.
    await timeline.getByRole('row', { name: /^Planned call/ }).waitFor({ state: 'detached' })
    const events = await timeline.getByRole('rowheader').allTextContents()
    expect(events.slice(-2)).toEqual(['Created', 'Consent'])
  })

  it('a lead with many calls shows them in pages, and leads to the calls of its lead type and of its source', async () => {
    const { id } = await uncalledLead(service(), { lead_source: 'Web & mail' })
    const call = { lead: id, call_direction: 'outbound', call_status: 'COMPLETED', attempt: 1, outcome: 'DIAL_BUSY', failure_reason: null }
    const none = { is_contact: null, answered_time: null, ended_time: null, duration_seconds: null, summary: null, representative: null }
    const more = { external_ids: null, transfer: null, started_time: '2026-11-20T15:00:00Z' }
    const page = await enter('leads')
    const calls = `${service().url}/api/leads/${id}/calls/`
    await page.route(/\/calls\/\?/, (route) => {
      const number = Number(new URL(route.request().url()).searchParams.get('page') ?? 1)
      const results = [{ ...call, ...none, ...more, call_id: `${id}-${3 - number}` }]
      return route.fulfill({
        json: { count: 2, next: number === 1 ? `${calls}?page=2` : null, previous: number === 2 ? calls : null, results },
      })
    })
    await page.goto(`${service().url}/console/#/leads/${id}`)
    await page.getByRole('rowheader', { name: `${id}-2` }).waitFor()
    await page.getByText('2 calls, the latest first').waitFor()
    await page.getByRole('link', { name: 'Next page' }).click()
    await page.getByRole('rowheader', { name: `${id}-1` }).waitFor()
    expect(await keyboardOf(page).focused()).toBe('Timeline')
    await page.getByRole('link', { name: 'Calls of this source' }).click()
    await page.getByRole('region', { name: 'Summary' }).waitFor()
    await has(page.getByLabel('Source'), 'value', 'Web & mail')
    await page.goBack()
    await page.getByRole('link', { name: 'Calls of this lead type' }).click()
    await page.getByRole('region', { name: 'Summary' }).waitFor()
    expect(page.url()).toMatch(/#\/calls\?lead_type=\d+$/)
  })

  it('a stop asks first, applies after the confirmation, and changes nothing without it', async () => {
    const { id } = await uncalledLead(service())
    const page = await enter(`leads/${id}`)
    await page.getByRole('button', { name: 'Do not contact' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Go back' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect(await leadNow(id)).toMatchObject({ call_dnc: false, sms_dnc: false })
    await order(page, 'Do not contact')
    await page.getByRole('status').getByText('The person is not contacted any more.').waitFor()
    expect(await leadNow(id)).toMatchObject({ call_dnc: true, sms_dnc: true, next_call_time: null })
    await gate(page, 'Do not contact').getByText('Stops the call').waitFor()
    expect(await page.getByRole('button', { name: 'Do not contact' }).count()).toBe(0)
  })

  it('a question that was just left can be asked again at once', async () => {
    const { id } = await uncalledLead(service())
    const page = await enter(`leads/${id}`)
    await page.getByRole('button', { name: 'Cancel the calls' }).click()
    await page.getByRole('dialog').waitFor()
    // Before the browser tells that the dialog is closed.
    await page.evaluate(`(async () => {
      const named = (text) => [...document.querySelectorAll('button')].find(({ textContent }) => textContent === text)
      const cancel = named('Cancel the calls')
      const closed = new Promise((resolve) => document.querySelector('dialog').addEventListener('close', resolve))
      named('Go back').click()
      await null
      cancel.click()
      await closed
    })()`)
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel the calls' }).click()
    await page.getByRole('status').getByText('The calls are cancelled.').waitFor()
    expect(await leadNow(id)).toMatchObject({ status: 'CANCELLED' })
  })

  it('the calls of a lead are cancelled, and the lead is reopened', async () => {
    const { id } = await uncalledLead(service())
    const page = await enter(`leads/${id}`)
    await order(page, 'Cancel the calls')
    await page.getByRole('status').getByText('The calls are cancelled.').waitFor()
    expect(await leadNow(id)).toMatchObject({ status: 'CANCELLED', next_call_time: null })
    await order(page, 'Reopen')
    await page.getByRole('status').getByText('The lead is open again.').waitFor()
    expect(await leadNow(id)).toMatchObject({ status: 'OPEN', next_call_time: expect.any(String) })
  })

  it('an open lead without a planned call does not look ready', async () => {
    const { id } = await uncalledLead(service())
    const page = await enter(`leads/${id}`)
    const badge = page.getByRole('region', { name: 'Data' }).getByText('Open', { exact: true })
    await has(badge, 'class', 'badge good')
    const json = { ...(await service().call('GET', `/api/leads/${id}/`)).body, next_call_time: null }
    await page.route(`**/api/leads/${id}/`, (route) => route.fulfill({ json }))
    await has(badge, 'class', 'badge ')
  })

  it('the question before a stopped lead is reopened says that the person is still not called', async () => {
    const { id } = await uncalledLead(service(), { status: 'LOST', call_dnc: true })
    const page = await enter(`leads/${id}`)
    await ask(page, 'Reopen')
    await page.getByRole('dialog').getByText('The person is still not called: a stop applies.').waitFor()
  })
})

describe('an order for a lead that takes long', () => {
  it('a question that no longer fits the lead is closed, and the outcome of the lead stays', async () => {
    const { id } = await uncalledLead(service())
    const page = await enter(`leads/${id}`)
    await ask(page, 'Cancel the calls')
    await page.getByRole('dialog').waitFor()
    await service().call('PATCH', `/api/leads/${id}/`, { status: 'LOST' })
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.getByRole('status').getByText('The lead has changed meanwhile').waitFor()
    expect(await leadNow(id)).toMatchObject({ status: 'LOST' })
  })

  it('a question stays while its order is carried out, also after Escape was pressed twice, and shows why the order failed', async () => {
    const { id } = await uncalledLead(service())
    const page = await enter(`leads/${id}`)
    const sent = await holdRequests(page, (request) => request.method() === 'PATCH')
    await ask(page, 'Do not contact')
    await confirm(page, 'Do not contact')
    const request = await sent.first()
    await page.evaluate("document.querySelector('dialog').addEventListener('close', () => { globalThis.wasClosed = true })")
    await page.keyboard.press('Escape')
    await page.keyboard.press('Escape')
    await eventually(() => page.evaluate('globalThis.wasClosed === true'))
    await page.getByRole('dialog').waitFor()
    await request.fulfill({ status: 500, json: { detail: 'Broken.' } })
    await page.getByRole('dialog').getByRole('alert').getByText('Broken.').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Go back' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  })

  it.each([
    ['result', 200, 'The person is not contacted any more.'],
    ['failure', 503, 'Come later.'],
  ])('the %s of an order that comes after its view was left names its lead', async (_, status, text) => {
    const lead = await uncalledLead(service())
    const other = await uncalledLead(service())
    const page = await enter(`leads/${lead.id}`)
    const sent = await holdRequests(page, (request) => request.method() === 'PATCH')
    await ask(page, 'Do not contact')
    await confirm(page, 'Do not contact')
    const request = await sent.first()
    await page.evaluate(`location.hash = '#/leads/${other.id}'`)
    await page.getByRole('heading', { name: `Lead ${other.id}`, exact: true }).waitFor()
    if (status === 200) await request.continue()
    else await request.fulfill({ status, json: { detail: 'Come later.' } })
    await page.getByRole('status').getByText(`Lead ${lead.id}: ${text}`).waitFor()
  })
})

describe('hostile data in the console', () => {
  it('hostile texts in every field are shown as texts, and run nothing', async () => {
    const { script, image, rightToLeft } = HOSTILE
    const { id } = await uncalledLead(service(), {
      ...{ first_name: script, last_name: image, external_id: `${image}${script}`.slice(0, 100), lead_source: script },
      ...{ metadata: { [script]: image, note: rightToLeft } },
    })
    const page = await enter('leads')
    const alarms: string[] = []
    page.on('dialog', (dialog) => alarms.push(dialog.message()))
    page.on('console', (line) => {
      if (line.type() === 'error') alarms.push(line.text())
    })
    await page.getByText(`${script} ${image}`).first().waitFor()
    await page.goto(`${service().url}/console/#/leads/${id}`)
    await page.getByRole('heading', { name: 'Data' }).waitFor()
    await page.getByText(script).first().waitFor()
    await page.getByText('All metadata').click()
    const shown = await page.getByRole('textbox', { name: 'All metadata' }).inputValue()
    expect(JSON.parse(shown)).toMatchObject({ [script]: image, note: rightToLeft })
    expect({ title: await page.title(), images: await page.locator('img').count(), alarms }).toEqual({
      title: `Lead ${id} – Lead Outreach`,
      images: 0,
      alarms: [],
    })
  })

  it('metadata of 100 KB is shown in a box that scrolls, and the page keeps its width', async () => {
    const { id } = await uncalledLead(service(), { first_name: 'x'.repeat(4000), metadata: { long: 'y'.repeat(98_000) } })
    const page = await enter('leads', { viewport: { width: 390, height: 844 } })
    await page.getByRole('table').waitFor()
    const overhang = () => page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')
    expect(await overhang()).toBe(0)
    await page.goto(`${service().url}/console/#/leads/${id}`)
    await page.getByText('All metadata').click()
    const box = page.getByRole('textbox', { name: 'All metadata' })
    expect((await box.inputValue()).length).toBeGreaterThan(102_000)
    expect((await box.boundingBox())!.height).toBeLessThan(600)
    expect(await overhang()).toBe(0)
  })
})
