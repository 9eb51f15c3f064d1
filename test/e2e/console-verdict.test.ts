import { describe, expect, it } from '@jest/globals'
import type { Page } from 'playwright-core'
import { newConsolePhone, uncalledLead } from '#test/support/console/people.ts'
import { SILENT_CALL } from '#test/support/console/seeds.ts'
import { consoleWorld, has } from '#test/support/console/world.ts'

const { service, enter } = consoleWorld()

const verdict = (page: Page) => page.getByRole('region', { name: 'Whether this lead is called' })

describe('the banner of a lead', () => {
  it('one banner says that a lead is not called, with the reason, also while the slider asks about a time at which the clock allows calls', async () => {
    const { id } = await uncalledLead(service())
    await service().call('PATCH', `/api/leads/${id}/`, { status: 'LOST' })
    const page = await enter(`leads/${id}`)
    await verdict(page).getByText('This lead is not called until somebody changes something.').waitFor()
    await verdict(page).getByText('Status: Leads in status LOST are not called.').waitFor()
    await page.getByRole('heading', { name: 'Planned time Not due' }).waitFor()
    await page.getByRole('button', { name: 'Next possible time' }).click()
    await verdict(page).getByText('No call is possible at this time, until somebody changes something.').waitFor()
    await has(
      page.getByLabel('Time to ask about'),
      'aria-valuetext',
      'Fri, Nov 20, 2026, 8:00 AM HST. Something must change before any call.',
    )
    expect(await page.locator('.verdict').count()).toBe(1)
  })

  it('the banner of a paused user names the pause, and the planned call says that something stops it', async () => {
    const { otherApiKey: key, otherUserId } = service()
    const { body } = await service().call('POST', '/api/leads/', { phone_number: newConsolePhone(), timezone: 'Pacific/Honolulu' }, key)
    const page = await enter(`leads/${body.id}`, {}, key)
    await verdict(page).getByText('This lead is not called now.').waitFor()
    await verdict(page)
      .getByText(/^Calling hours: /)
      .waitFor()
    await service().call('POST', `/api/users/${otherUserId}/pause-calls/`, {}, key)
    await page.reload()
    await verdict(page)
      .getByText(/^Pause: /)
      .waitFor()
    await page.getByRole('region', { name: 'Data' }).getByText('It is not made, because something stops it').waitFor()
    expect(await page.locator('.verdict').count()).toBe(1)
  })

  it('on a phone the banner takes no room while somebody reads on, and little room while the slider asks about a time', async () => {
    const { id } = await uncalledLead(service(), { us_state: 'HI' })
    const viewport = { width: 390, height: 844 }
    const page = await enter(`leads/${id}`, { viewport })
    await verdict(page).getByText('This lead is not called now.').waitFor()
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
