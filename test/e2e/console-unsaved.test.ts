import { describe, expect, it } from '@jest/globals'
import type { Page } from 'playwright-core'
import { uncalledLead } from '#test/support/console/people.ts'
import { consoleWorld, has } from '#test/support/console/world.ts'

const { service, enter } = consoleWorld()

const openView = (page: Page, place: string): Promise<unknown> => page.evaluate(`location.hash = '#/${place}'`)

/** Closes the page, and stays when the browser asks. @returns whether it asked */
const asksBeforeClose = async (page: Page): Promise<boolean> => {
  const asked = page.waitForEvent('dialog').then(async (question) => {
    expect(question.type()).toBe('beforeunload')
    await question.dismiss()
    return true
  })
  const closed = page.waitForEvent('close').then(() => false)
  void page.close({ runBeforeUnload: true }).catch(() => {})
  return Promise.race([asked, closed])
}

const KEPT = 'These are your entries from before. They are not saved yet.'

describe('entries that are not saved', () => {
  it('the entries for a lead stay while other views are open, and each lead has its own', async () => {
    const [{ id }, { id: other }] = [
      await uncalledLead(service(), { last_name: 'Ito' }),
      await uncalledLead(service(), { last_name: 'Abe' }),
    ]
    const page = await enter(`leads/${id}/edit`)
    const name = page.getByLabel('Last name')
    const title = (lead: number) => page.getByRole('heading', { name: `Edit lead ${lead}` })
    await name.fill('Sato')
    await openView(page, `leads/${other}/edit`)
    await title(other).waitFor()
    await has(name, 'value', 'Abe')
    expect(await page.getByText(KEPT).count()).toBe(0)
    await openView(page, 'calls')
    await page.getByRole('heading', { name: 'Calls', exact: true }).waitFor()
    await openView(page, `leads/${id}/edit`)
    await page.getByText(KEPT).waitFor()
    await has(name, 'value', 'Sato')

    await page.getByRole('button', { name: 'Save the changes' }).click()
    await page.getByText('The changes are saved.').waitFor()
    expect((await service().call('GET', `/api/leads/${id}/`)).body).toMatchObject({ metadata: { last_name: 'Sato' } })
    await openView(page, `leads/${id}/edit`)
    await has(name, 'value', 'Sato')
    expect(await page.getByText(KEPT).count()).toBe(0)
  })

  it('discarded entries are gone, also in later openings of the form', async () => {
    const { id } = await uncalledLead(service(), { last_name: 'Ito' })
    const page = await enter(`leads/${id}/edit`)
    const name = page.getByLabel('Last name')
    const discard = page.getByRole('button', { name: 'Discard the entries' })
    await has(discard, 'aria-disabled', 'true')
    await name.fill('Sato')
    await discard.click()
    await page.getByText('Your entries are discarded. The form shows the lead as it is.').waitFor()
    await has(name, 'value', 'Ito')
    await openView(page, `leads/${id}`)
    await page.getByRole('heading', { name: `Lead ${id}`, exact: true }).waitFor()
    await openView(page, `leads/${id}/edit`)
    await has(name, 'value', 'Ito')
    expect(await page.getByText(KEPT).count()).toBe(0)
  })

  it('the form for a new lead says that its entries are from before, and discards them', async () => {
    const page = await enter('leads/new')
    const phone = page.getByLabel('Phone number')
    await phone.fill('12')
    await page.getByRole('button', { name: 'Create the lead' }).click()
    await has(phone, 'aria-invalid', 'true')
    expect(await page.getByText(KEPT).count()).toBe(0)
    await openView(page, 'leads')
    await page.getByRole('heading', { name: 'Leads', exact: true }).waitFor()
    await page.getByRole('link', { name: 'New lead' }).click()
    await page.getByText(KEPT).waitFor()
    await has(phone, 'value', '12')
    await page.getByRole('button', { name: 'Discard the entries' }).click()
    await page.getByText('Your entries are discarded.').waitFor()
    await has(phone, 'value', '')
    expect(await page.getByText(KEPT).count()).toBe(0)
    // Entries that were typed since are not from before.
    await phone.fill('12')
    expect(await page.getByText(KEPT).count()).toBe(0)
  })

  it.each([
    ['of a new lead', () => 'leads/new', 'Last name', 'New lead'],
    ['of a known lead', (id: number) => `leads/${id}/edit`, 'Last name', 'Edit lead'],
    ['of a subscription', () => 'webhooks/new', 'URL', 'New subscription'],
  ])('the browser asks before the page is closed while the form %s has entries', async (_, place, field, title) => {
    const { id } = await uncalledLead(service())
    const page = await enter(place(id))
    await page.getByRole('heading', { name: title }).waitFor()
    const before = await page.getByLabel(field).inputValue()
    await page.getByLabel(field).fill('Sato')
    expect(await asksBeforeClose(page)).toBe(true)
    await openView(page, 'calls')
    await page.getByRole('heading', { name: 'Calls', exact: true }).waitFor()
    expect(await asksBeforeClose(page)).toBe(true)
    await openView(page, place(id))
    await page.getByLabel(field).fill(before)
    expect(await asksBeforeClose(page)).toBe(false)
  })
})
