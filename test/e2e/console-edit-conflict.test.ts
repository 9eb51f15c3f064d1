import { describe, expect, it } from '@jest/globals'
import type { Page } from 'playwright-core'
import { holdRequests } from '#test/support/console/held-requests.ts'
import { newConsolePhone, uncalledLead } from '#test/support/console/people.ts'
import { consoleWorld } from '#test/support/console/world.ts'
import type { Json } from '#test/support/service.ts'

const { service, enter } = consoleWorld()

const leadNow = async (id: number): Promise<Json> => (await service().call('GET', `/api/leads/${id}/`)).body

const change = (id: number, fields: Record<string, unknown>) => service().call('PATCH', `/api/leads/${id}/`, fields)

const save = (page: Page): Promise<void> => page.getByRole('button', { name: 'Save the changes' }).click()

const isSaved = (page: Page, id: number): Promise<void> => page.getByRole('heading', { name: `Lead ${id}`, exact: true }).waitFor()

const notSaved = (page: Page) => page.getByRole('alert').getByText('Nothing is saved yet: somebody else changed the lead meanwhile.')

/** The description of a field that screen readers read. */
const described = async (page: Page, label: string): Promise<string> => {
  const ids = `${await page.getByLabel(label, { exact: true }).getAttribute('aria-describedby')}`.split(' ')
  return (await Promise.all(ids.map((id) => page.locator(`#${id}`).textContent()))).join(' ')
}

/** Opens the form of a lead whose later polls are not answered, so that it learns of a change only when it saves. */
const withoutPolls = async (id: number): Promise<Page> => {
  const page = await enter(`leads/${id}/edit`)
  await page.getByLabel('ZIP code').waitFor()
  await holdRequests(page, (request) => request.url().endsWith(`/leads/${id}/`) && 'if-none-match' in request.headers())
  return page
}

describe('two people who edit the same lead', () => {
  it('a field says that somebody else has changed it too, and to what, and a save then replaces the change', async () => {
    const { id } = await uncalledLead(service(), { timezone: '', zip: '96813', us_state: 'HI', last_name: 'Ito', email: 'ito@example.com' })
    const [page, other] = [await enter(`leads/${id}/edit`), await enter(`leads/${id}/edit`)]
    await page.getByLabel('ZIP code').fill('96812')
    await page.getByLabel('State').selectOption('Alaska')
    await page.getByLabel('Last name').fill('Sato')
    await page.getByLabel('Email address').fill('sato@example.com')
    await other.getByLabel('ZIP code').fill('96814')
    await other.getByLabel('State').selectOption('Guam')
    await other.getByLabel('Last name').fill('Sato')
    await other.getByLabel('Email address').fill('')
    await save(other)
    await isSaved(other, id)
    await page.getByText('Meanwhile, somebody else changed this to: 96814. If you save, your entry replaces this change.').waitFor()
    expect(await described(page, 'ZIP code')).toContain('somebody else changed this to: 96814.')
    expect(await described(page, 'State')).toContain('somebody else changed this to: Guam.')
    expect(await described(page, 'Email address')).toContain('somebody else removed this value.')
    expect(await described(page, 'Last name')).not.toContain('Meanwhile')
    await page.getByLabel('ZIP code').fill('96815')
    await page.getByText('somebody else changed this to: 96814.').waitFor()
    await save(page)
    await isSaved(page, id)
    expect(await leadNow(id)).toMatchObject({ us_state: 'AK', email: 'sato@example.com', metadata: { zip: '96815', last_name: 'Sato' } })
  })

  it('a save that would replace a change that the form has not shown yet shows it and saves nothing, and the next save does', async () => {
    const { id } = await uncalledLead(service(), { zip: '96813', first_name: 'Hana' })
    const page = await withoutPolls(id)
    await page.getByLabel('ZIP code').fill('96812')
    await change(id, { zip: '96814', first_name: 'Mika' })
    await save(page)
    await notSaved(page).waitFor()
    expect(await described(page, 'ZIP code')).toContain('somebody else changed this to: 96814.')
    expect((await leadNow(id))['metadata']).toMatchObject({ zip: '96814' })
    await change(id, { zip: '96815' })
    await save(page)
    await page.getByText('somebody else changed this to: 96815.').waitFor()
    await notSaved(page).waitFor()
    await save(page)
    await isSaved(page, id)
    expect((await leadNow(id))['metadata']).toMatchObject({ zip: '96812', first_name: 'Mika' })
  })

  it('a save is not held up by a change to the same value, by a change of another field, and by a change that was undone', async () => {
    const { id } = await uncalledLead(service(), { zip: '96813', first_name: 'Hana', last_name: 'Ito' })
    const page = await withoutPolls(id)
    await page.getByLabel('ZIP code').fill('96814')
    await page.getByLabel('Last name').fill('Abe')
    await change(id, { zip: '96814', first_name: 'Mika', last_name: 'Sato' })
    await change(id, { last_name: 'Ito' })
    await save(page)
    await isSaved(page, id)
    expect((await leadNow(id))['metadata']).toMatchObject({ zip: '96814', first_name: 'Mika', last_name: 'Abe' })
  })

  it('a field of the lead type says so too', async () => {
    const { id, lead_type } = await uncalledLead(service(), { metadata: { 'roof area': 42 } })
    const own = [{ key: 'roof area', label: 'Roof area', type: 'number', helpText: '', required: false }]
    const page = await enter('leads')
    await page.route(/\/lead-types\//, (route) =>
      route.fulfill({
        json: { count: 1, next: null, previous: null, results: [{ id: lead_type, name: 'First', lead_metadata_fields: own }] },
      }),
    )
    await page.evaluate(`location.hash = '#/leads/${id}/edit'`)
    await page.getByLabel('Roof area').fill('43')
    await change(id, { metadata: { 'roof area': 44 } })
    await page.getByText('Meanwhile, somebody else changed this to: 44.').waitFor()
    expect(await described(page, 'Roof area')).toContain('somebody else changed this to: 44.')
    await save(page)
    await isSaved(page, id)
    expect((await leadNow(id))['metadata']).toMatchObject({ 'roof area': 43 })
  })

  it('a new number of a person who was stopped meanwhile is saved only after the question', async () => {
    const { id } = await uncalledLead(service())
    const page = await withoutPolls(id)
    const phone = newConsolePhone()
    await page.getByLabel('Phone number').fill(phone)
    await change(id, { sms_dnc: true })
    await save(page)
    await notSaved(page).waitFor()
    await save(page)
    await page.getByRole('dialog', { name: 'Stop the new number too?' }).waitFor()
    await change(id, { call_dnc: true })
    await page.getByRole('button', { name: 'Save and stop the number' }).click()
    await notSaved(page).waitFor()
    expect(await page.getByRole('dialog').count()).toBe(0)
    await save(page)
    await page.getByRole('button', { name: 'Save and stop the number' }).click()
    await isSaved(page, id)
    expect(await leadNow(id)).toMatchObject({ phone_number: phone, call_dnc: true, sms_dnc: true })
  })
})
