import { describe, expect, it } from '@jest/globals'
import { HOUR, MINUTE } from '#shared/platform/values/durations.ts'
import { holdRequests } from '#test/support/console/held-requests.ts'
import { gate, order, verdict } from '#test/support/console/lead-page.ts'
import { uncalledLead } from '#test/support/console/people.ts'
import { consoleWorld, has } from '#test/support/console/world.ts'
import type { Json } from '#test/support/service.ts'

const { service, enter } = consoleWorld()

const leadNow = async (id: number): Promise<Json> => (await service().call('GET', `/api/leads/${id}/`)).body

describe('the planning of a call in the console', () => {
  it('a call is scheduled at a time by the clock of the lead', async () => {
    const { id } = await uncalledLead(service())
    const page = await enter(`leads/${id}`)
    await page.getByLabel('Time in Pacific/Honolulu').fill('2026-11-23T10:30')
    await page.getByRole('button', { name: 'Schedule', exact: true }).click()
    await page.getByRole('region', { name: 'Schedule a call' }).getByText('Mon, Nov 23, 2026, 10:30 AM HST').first().waitFor()
    expect((await leadNow(id)).next_call_time).toMatch(/^2026-11-23T20:30:00/)
    await verdict(page).getByText('This lead waits for its planned call.').waitFor()
    await verdict(page).getByText('The next call is due at Mon, Nov 23, 2026, 10:30 AM HST.').waitFor()

    await page.getByLabel('Time in Pacific/Honolulu').fill('2026-11-10T10:30')
    await page.getByRole('button', { name: 'Schedule', exact: true }).click()
    await page.getByText('You sent Tue, Nov 10, 2026, 10:30 AM HST.').waitFor()
  })

  it('a call within a quarter of an hour asks first, and a later one does not', async () => {
    const { id } = await uncalledLead(service())
    const page = await enter(`leads/${id}`)
    const now = Date.parse((await fetch(`${service().url}/api/health/`)).headers.get('date')!)
    const clockAfter = (minutes: number) => new Date(now + minutes * MINUTE - 10 * HOUR).toISOString().slice(0, 16)
    const submit = async (minutes: number): Promise<void> => {
      await page.getByLabel('Time in Pacific/Honolulu').fill(clockAfter(minutes))
      await page.getByRole('button', { name: 'Schedule', exact: true }).click()
    }
    await submit(11)
    const question = page.getByRole('dialog', { name: /^Schedule a call at Fri, Nov 20, 2026, .* HST\?$/ })
    await question.getByText('the phone may ring at this time').waitFor()
    const { next_call_time: planned } = await leadNow(id)
    await question.getByRole('button', { name: 'Go back' }).click()
    await question.waitFor({ state: 'detached' })
    expect((await leadNow(id)).next_call_time).toBe(planned)

    await submit(11)
    await question.getByRole('button', { name: 'Schedule' }).click()
    await page.getByRole('region', { name: 'Schedule a call' }).getByText('Fri, Nov 20, 2026, 8:00 AM HST').first().waitFor()
    await submit(20 * 60)
    await page.getByRole('region', { name: 'Schedule a call' }).getByText('Sat, Nov 21, 2026').first().waitFor()
  })

  it('a call as soon as possible asks first, and changes nothing without the confirmation', async () => {
    const { id } = await uncalledLead(service())
    await service().call('POST', `/api/leads/${id}/schedule-call/`, { call_time: '2026-11-23T20:30:00Z' })
    const { next_call_time: planned } = await leadNow(id)
    const page = await enter(`leads/${id}`)
    await page.getByRole('button', { name: 'Call as soon as possible' }).click()
    await page.getByRole('dialog').getByText('the phone may ring within seconds').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Go back' }).click()
    expect((await leadNow(id)).next_call_time).toBe(planned)
    await order(page, 'Call as soon as possible')
    expect((await leadNow(id)).next_call_time).toMatch(/^2026-11-20T18:00:00/)
  })

  it('a call that the service refuses is shown with the reason', async () => {
    const { id } = await uncalledLead(service())
    const page = await enter(`leads/${id}`)
    const button = page.getByRole('button', { name: 'Schedule', exact: true })
    await button.click()
    await page.getByText('Choose a date and a time.').waitFor()
    // The page does not know of the stop yet.
    await page.route('**/calling-times/', () => {})
    await service().call('PATCH', `/api/leads/${id}/`, { call_dnc: true })
    await order(page, 'Call as soon as possible')
    await page
      .getByRole('alert')
      .getByText(/^The call was not scheduled\. /)
      .waitFor()
    await page.getByRole('alert').getByText('must not be called').waitFor()
    expect(await page.getByText(/Not scheduled\./).count()).toBe(0)
  })

  it.each([
    ['stopped', { call_dnc: true }, 'Do not contact: ', 'ask the operator to lift the stop'],
    ['cancelled', { status: 'CANCELLED' }, 'Status: ', 'Reopen the lead.'],
  ])('the view of a lead that is %s offers no call, and says why and what to do', async (_, fields, why, advice) => {
    const { id } = await uncalledLead(service(), fields)
    const page = await enter(`leads/${id}`)
    const schedule = page.getByRole('region', { name: 'Schedule a call' })
    await schedule.getByText('No call can be scheduled at the moment.').waitFor()
    await schedule.getByText(why).waitFor()
    await schedule.getByText(advice).waitFor()
    expect(await schedule.getByRole('button').count()).toBe(0)
    expect(await page.getByRole('button', { name: 'Schedule a call at this time' }).count()).toBe(0)
  })

  it('the focus stays where it is when a reopened lead can be scheduled again', async () => {
    const { id } = await uncalledLead(service())
    const page = await enter(`leads/${id}`)
    const time = page.getByLabel('Time in Pacific/Honolulu')
    await page.getByRole('button', { name: 'Next opening' }).click()
    await page.getByText('A call is possible at this time.').waitFor()
    await page.getByRole('button', { name: 'Schedule a call at this time' }).click()
    await has(time, 'value', '2026-11-20T08:00')
    await order(page, 'Cancel the calls')
    await page.getByText('No call can be scheduled at the moment.').waitFor()
    await order(page, 'Reopen')
    await time.waitFor()
    // Effects run after the next frame.
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => setTimeout(done)))')
    expect(await page.evaluate('document.activeElement.id')).not.toBe('call-time')
  })

  it('the slider shows at once when the clock allows a call, and asks about a time only when the slider rests', async () => {
    const { id } = await uncalledLead(service())
    const page = await enter(`leads/${id}`)
    const slider = page.getByLabel('Time to ask about')
    await slider.waitFor()
    await gate(page, 'Calling hours').getByText('Stops the call').waitFor()
    const asked: string[] = []
    page.on('request', (request) => {
      if (request.url().includes('/explain/?at=')) asked.push(request.url())
    })
    // All at once, as far as the page can tell: a slow machine would let the slider rest between two keys.
    await page.evaluate(`(() => {
      const input = document.querySelector('input[type=range]')
      for (let step = 0; step < 20; step++) {
        input.stepUp()
        input.dispatchEvent(new Event('input', { bubbles: true }))
      }
    })()`)
    await has(slider, 'aria-valuetext', 'Fri, Nov 20, 2026, 11:00 AM HST. The clock allows a call at this time.')
    await gate(page, 'Calling hours').getByText('Passes').waitFor()
    expect(new Set(asked).size).toBe(1)

    // The button keeps the focus that it would lose if it were disabled.
    const now = page.getByRole('button', { name: 'Now', exact: true })
    const use = page.getByRole('button', { name: 'Schedule a call at this time' })
    await slider.press('End')
    await verdict(page).getByText('No call is possible at this time.').waitFor()
    await has(use, 'aria-disabled', 'false')
    await now.click()
    await has(use, 'aria-disabled', 'true')
    expect(await now.evaluate('document.activeElement.textContent')).toBe('Now')
    await page.getByRole('button', { name: 'Next opening' }).click()
    await has(slider, 'aria-valuetext', 'Fri, Nov 20, 2026, 8:00 AM HST. The clock allows a call at this time.')
    await use.click()
    await has(page.getByLabel('Time in Pacific/Honolulu'), 'value', '2026-11-20T08:00')
  })

  it('a time whose year has six digits is not sent', async () => {
    const { id } = await uncalledLead(service())
    const page = await enter(`leads/${id}`)
    await page.getByLabel('Time in Pacific/Honolulu').fill('123456-01-01T10:00')
    await page.getByRole('button', { name: 'Schedule', exact: true }).click()
    await page.getByText('Choose a date and a time.').waitFor()
    await page.evaluate("location.hash = '#/leads/new'")
    await page.getByLabel('Do not call before').fill('123456-01-01T10:00')
    await page.getByRole('button', { name: 'Create the lead' }).click()
    await page.getByText('Choose a date and a time.').waitFor()
    expect(await page.getByRole('alert').getByText('Invalid time value').count()).toBe(0)
  })

  it('a button keeps the focus while its call is scheduled, and a typed time is gone when the zone of the lead changes', async () => {
    const { id } = await uncalledLead(service())
    const page = await enter(`leads/${id}`)
    const sent = await holdRequests(page, (request) => request.url().includes('/schedule-call/'))
    await page.getByRole('button', { name: 'Next opening' }).click()
    await page.getByRole('button', { name: 'Schedule a call at this time' }).click()
    await page.getByLabel('Time in Pacific/Honolulu').fill('2026-11-23T10:30')
    await page.getByRole('button', { name: 'Schedule', exact: true }).click()
    const request = await sent.first()
    await has(page.getByRole('button', { name: 'Schedule', exact: true }), 'aria-disabled', 'true')
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Schedule')
    await service().call('PATCH', `/api/leads/${id}/`, { timezone: 'Pacific/Pago_Pago' })
    // Afterwards, the view reads the zones again.
    await request.continue()
    await has(page.getByLabel('Time in Pacific/Pago_Pago'), 'value', '')
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Schedule')
  })
})
