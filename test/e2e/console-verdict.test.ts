import { describe, expect, it } from '@jest/globals'
import { holdRequests } from '#test/support/console/held-requests.ts'
import { order, verdict } from '#test/support/console/lead-page.ts'
import { leadTypeName, newConsolePhone, uncalledLead } from '#test/support/console/people.ts'
import { SILENT_CALL } from '#test/support/console/seeds.ts'
import { steppedClock } from '#test/support/console/stepped-clock.ts'
import { consoleWorld, has, signInWith } from '#test/support/console/world.ts'
import { eventually } from '#test/support/eventually.ts'

const { service, visit, enter } = consoleWorld()

describe('the banner of a lead', () => {
  it('one banner says that a lead is not called, with the reason, also while the slider asks about a time at which the clock allows calls', async () => {
    const { id } = await uncalledLead(service())
    await service().call('PATCH', `/api/leads/${id}/`, { status: 'LOST' })
    const page = await enter(`leads/${id}`)
    await verdict(page).getByText('This lead is not called.').waitFor()
    await verdict(page).getByText('Status: Leads with the status “Lost” are not called.').waitFor()
    await verdict(page).getByText('Reopen the lead.').waitFor()
    await page.getByRole('heading', { name: 'Planned time Not due' }).waitFor()
    await page.getByRole('button', { name: 'Next opening' }).click()
    await verdict(page).getByText('No call is possible until something changes.').waitFor()
    await has(
      page.getByLabel('Time to ask about'),
      'aria-valuetext',
      'Fri, Nov 20, 2026, 8:00 AM HST. No call is possible at any time. The top of this page says why.',
    )
    expect(await page.locator('.verdict').count()).toBe(1)
  })

  it('the verdict about another time never counts as the verdict about now, and is asked again each minute', async () => {
    const { id } = await uncalledLead(service())
    const page = await enter(`leads/${id}`)
    await page.clock.install()
    await page.reload()
    await page.getByRole('button', { name: 'Next opening' }).click()
    await page.clock.runFor(1000)
    await verdict(page).getByText('A call is possible at this time.').waitFor()
    const asked: string[] = []
    page.on('request', (request) => void asked.push(request.url()))
    await page.clock.runFor(60_000)
    await eventually(() => asked.some((address) => address.includes('/explain/?at=')))

    const about = await holdRequests(page, (request) => request.url().includes('/explain/?disclosures'))
    await page.getByRole('button', { name: 'Now', exact: true }).click()
    await page.clock.runFor(1000)
    const request = await about.first()
    await verdict(page).getByText('A call is possible at this time.').waitFor()
    await request.continue()
    await verdict(page).getByText('This lead is called later.').waitFor()
  })

  it('the banner of a paused user names the pause, and the planned call says that something stops it', async () => {
    const { otherApiKey: key, otherUserId } = service()
    const { body } = await service().call('POST', '/api/leads/', { phone_number: newConsolePhone(), timezone: 'Pacific/Honolulu' }, key)
    const page = await enter(`leads/${body.id}`, {}, key)
    await verdict(page).getByText('This lead is called later.').waitFor()
    const reason =
      /^Calling hours: Federal law: the local time is Fri, Nov 20, \d+:\d\d\sAM \(Honolulu\)\. Calls are allowed only from 8:00\sAM to /
    await verdict(page).getByText(reason).waitFor()
    await service().call('POST', `/api/users/${otherUserId}/pause-calls/`, {}, key)
    await page.reload()
    await verdict(page)
      .getByText(/^Pause: /)
      .waitFor()
    await page.getByRole('region', { name: 'Data' }).getByText('Something stops this call at the moment.').waitFor()
    expect(await page.locator('.verdict').count()).toBe(1)
  })

  it('the slider follows the banner when the lead changes, without a reload', async () => {
    const { id } = await uncalledLead(service())
    const page = await visit(`leads/${id}`)
    const clock = await steppedClock(page)
    await signInWith(page, service().apiKey)
    const slider = page.getByLabel('Time to ask about')
    await slider.waitFor()
    await clock.stop()
    await service().call('PATCH', `/api/leads/${id}/`, { call_dnc: true })
    // Otherwise, the slider is read once a minute.
    for (let second = 0; second < 30; second++) await clock.pass(1000)
    await verdict(page).getByText('This lead is not called.').waitFor()
    expect(await slider.getAttribute('aria-valuetext')).toMatch(/No call is possible at any time\. The top of this page says why\.$/)
    await page.getByRole('row', { name: /^Stop .*No more calls\./ }).waitFor()
  })

  it('on a phone the banner takes no room while somebody reads on, and little room while the slider asks about a time', async () => {
    const { id } = await uncalledLead(service(), { us_state: 'HI' })
    const viewport = { width: 390, height: 844 }
    const page = await enter(`leads/${id}`, { viewport })
    await verdict(page).getByText('This lead is called later.').waitFor()
    const slider = page.getByLabel('Time to ask about')
    await slider.scrollIntoViewIfNeeded()
    const place = async () => (await verdict(page).boundingBox())!
    expect((await place()).y + (await place()).height).toBeLessThanOrEqual(0)
    await slider.press('End')
    await verdict(page).getByText('No call is possible at this time.').waitFor()
    const { y, height } = await place()
    expect(y).toBe(0)
    expect(height).toBeLessThanOrEqual(viewport.height / 5)
    expect(await slider.isVisible()).toBe(true)
  })

  it('the banner says that a call is in progress, and not that none is possible', async () => {
    const { body } = await service().call('POST', '/api/leads/', { phone_number: SILENT_CALL, us_state: 'CO' })
    const page = await enter(`leads/${body.id}`)
    await verdict(page).getByText('A call to this phone is in progress.').waitFor()
    expect(await page.locator('.verdict').count()).toBe(1)
  })
})

describe('the data in the view of a lead', () => {
  it('an open lead whose calls are stopped says so beside its status, and offers to cancel the lead instead of its calls', async () => {
    const { id } = await uncalledLead(service(), { call_dnc: true })
    const page = await enter(`leads/${id}`)
    const badges = page.getByRole('region', { name: 'Data' }).locator('.badges')
    for (const text of ['Open', 'No calls']) await badges.getByText(text, { exact: true }).waitFor()
    const cancel = page.getByRole('button', { name: 'Cancel the lead' })
    await cancel.waitFor()
    expect(await page.getByRole('button', { name: 'Cancel the calls' }).count()).toBe(0)
    await order(page, 'Cancel the lead')
    await page.getByRole('status').getByText('The lead is cancelled.').waitFor()
    await cancel.waitFor({ state: 'detached' })
    expect((await service().call('GET', `/api/leads/${id}/`)).body).toMatchObject({ status: 'CANCELLED', call_dnc: true })
  })

  it('the data of a lead name its lead type, and say where its time zone comes from and what set its status', async () => {
    const guessed = await uncalledLead(service(), { timezone: null, status: 'CANCELLED' })
    const page = await enter(`leads/${guessed.id}`)
    const facts = page.getByRole('region', { name: 'Data' })
    await facts.getByText('Only guessed: the lead has no state, ZIP code or time zone.').waitFor()
    await facts.getByText(await leadTypeName(service(), guessed['lead_type']), { exact: true }).waitFor()

    const { id } = await uncalledLead(service(), { timezone: null, us_state: 'HI' })
    await service().call('PATCH', `/api/leads/${id}/`, { status: 'LOST' })
    await page.evaluate(`location.hash = '#/leads/${id}'`)
    await facts.getByText('Taken from the state.').waitFor()
    await facts.getByText('A change of the lead set this status.').waitFor()
  })
})
