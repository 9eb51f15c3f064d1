import { describe, expect, it } from '@jest/globals'
import type { Page } from 'playwright-core'
import { HOSTILE, newConsolePhone, uncalledLead } from '#test/support/console/people.ts'
import { consoleWorld, has } from '#test/support/console/world.ts'
import { eventually } from '#test/support/eventually.ts'
import type { Json } from '#test/support/service.ts'

const { service, enter } = consoleWorld()

const leadNow = async (id: number): Promise<Json> => (await service().call('GET', `/api/leads/${id}/`)).body

/** The bodies of the changes that a page sends. */
const changesSent = (page: Page): unknown[] => {
  const bodies: unknown[] = []
  page.on('request', (request) => request.method() === 'PATCH' && bodies.push(request.postDataJSON()))
  return bodies
}

const save = (page: Page): Promise<void> => page.getByRole('button', { name: 'Save the changes' }).click()

describe('the form for the data of a lead', () => {
  it('the form shows the data of the lead, sends only what was changed, and says the warnings of the API in the view of the lead', async () => {
    const fields = {
      first_name: 'Hana',
      last_name: 'Ito',
      email: 'hana@example.com',
      external_id: 'x-1',
      lead_source: 'Web',
      us_state: 'HI',
    }
    const { id } = await uncalledLead(service(), fields)
    const page = await enter(`leads/${id}`)
    const sent = changesSent(page)
    await page.getByRole('link', { name: 'Edit the data' }).click()
    await page.getByRole('heading', { name: `Edit lead ${id}` }).waitFor()
    for (const [label, value] of [
      ['First name', 'Hana'],
      ['Email address', 'hana@example.com'],
      ['State', 'HI'],
      ['Time zone', 'Pacific/Honolulu'],
      ['Source', 'Web'],
    ] as const)
      await has(page.getByLabel(label, { exact: true }), 'value', value)
    const phone = newConsolePhone()
    await page.getByLabel('Phone number').fill(phone)
    await page.getByLabel('Last name').fill('Sato')
    await page.getByLabel('Time zone').fill('America/Nowhere')
    for (const label of ['First name', 'Email address', 'Source', 'Id in your own system'])
      await page.getByLabel(label, { exact: true }).fill('')
    await page.getByLabel('State').selectOption('Not known')
    await save(page)
    await page.locator('#timezone-errors').getByText('This time zone does not exist.').waitFor()
    expect(sent).toEqual([])
    await save(page)
    const message = page.getByRole('status').getByText('The changes are saved.')
    await message.getByText('The time zone does not exist, so it is not used. Write it as in America/New_York.').waitFor()
    await page.getByRole('heading', { name: `Lead ${id}`, exact: true }).waitFor()
    const emptied = { email: null, external_id: null, us_state: null, lead_source: '' }
    const changed = { first_name: null, last_name: 'Sato', timezone: 'America/Nowhere' }
    expect(sent).toEqual([{ phone_number: phone, ...emptied, ...changed }])
    expect(await leadNow(id)).toMatchObject({
      ...emptied,
      phone_number: phone,
      metadata: { ...changed, phone_number: phone, email: null, external_id: null, lead_source: '' },
    })
  })

  it('a new number of a stopped person is stopped too, after a question', async () => {
    const { id } = await uncalledLead(service(), { last_name: 'Ito' })
    await service().call('PATCH', `/api/leads/${id}/`, { call_dnc: true })
    const page = await enter(`leads/${id}/edit`)
    const sent = changesSent(page)
    const phone = newConsolePhone()
    await page.getByLabel('Phone number').fill(phone)
    await save(page)
    const question = page.getByRole('dialog')
    await question.getByText('If it belongs to somebody else, go back, and create a new lead.').waitFor()
    expect(sent).toEqual([])
    await question.getByRole('button', { name: 'Save and stop the number' }).click()
    await page.getByRole('heading', { name: `Lead ${id}`, exact: true }).waitFor()
    expect(sent).toEqual([{ phone_number: phone, call_dnc: true }])
    expect(await leadNow(id)).toMatchObject({ phone_number: phone, call_dnc: true, next_call_time: null })
  })

  it('the form says when nothing was changed, also after a text was typed and removed again, and sends nothing', async () => {
    const { id } = await uncalledLead(service(), { last_name: 'Ito' })
    const page = await enter(`leads/${id}/edit`)
    const sent = changesSent(page)
    await page.getByLabel('Last name').fill('Sato')
    await page.getByLabel('Last name').fill('Ito')
    await save(page)
    await page.getByRole('status').getByText('You have changed nothing, so nothing was sent.').waitFor()
    expect(sent).toEqual([])
  })

  it('the form shows the errors of the API beside the fields, and keeps what was typed', async () => {
    const taken = await uncalledLead(service(), { email: 'taken@example.com' })
    const { id } = await uncalledLead(service())
    const page = await enter(`leads/${id}/edit`)
    await page.getByLabel('Phone number').fill('12')
    await page.getByLabel('Email address').fill('nobody')
    await page.getByLabel('Last name').fill(HOSTILE.script.padEnd(110_000, 'x'))
    await save(page)
    await page.getByText('Correct the marked fields.').waitFor()
    for (const label of ['Phone number', 'Email address', 'Last name']) await has(page.getByLabel(label), 'aria-invalid', 'true')
    await eventually(async () => (await page.evaluate('document.activeElement.id')) === 'phone_number')
    await page.getByLabel('Last name').fill('')
    await page.getByLabel('Phone number').fill(`${taken['phone_number']}`)
    await page.getByLabel('Email address').fill('taken@example.com')
    await save(page)
    await page.getByText(/^Lead \d+ already has this phone number and email address\. /).waitFor()
    await has(page.getByLabel('Phone number'), 'value', `${taken['phone_number']}`)
  })

  it('a change that comes while somebody types is shown in the fields that the user left alone, and is not undone', async () => {
    const { id } = await uncalledLead(service(), { first_name: 'Hana', last_name: 'Ito', zip: '96813' })
    const page = await enter(`leads/${id}/edit`)
    const sent = changesSent(page)
    await page.getByLabel('Last name').fill('Sato')
    await service().call('PATCH', `/api/leads/${id}/`, { first_name: 'Mika', last_name: 'Abe', zip: '96814' })
    await has(page.getByLabel('First name'), 'value', 'Mika')
    await has(page.getByLabel('Last name'), 'value', 'Sato')
    await save(page)
    await page.getByRole('heading', { name: `Lead ${id}`, exact: true }).waitFor()
    expect(sent).toEqual([{ last_name: 'Sato' }])
    expect((await leadNow(id))['metadata']).toMatchObject({ first_name: 'Mika', last_name: 'Sato', zip: '96814' })
  })

  it('another lead type brings its own fields, whose numbers are sent as numbers', async () => {
    const { id, lead_type } = await uncalledLead(service(), { metadata: { size: 42, roof: { kind: 'flat' } } })
    const field = { helpText: '', required: false }
    const own = [
      { ...field, key: 'size', label: 'Size', type: 'number' },
      { ...field, key: 'roof', label: 'Roof', type: 'string' },
      { ...field, key: 'color', label: 'Color', type: 'string' },
    ]
    const types = [
      { id: lead_type, name: 'First', lead_metadata_fields: [] },
      { id: 77, name: 'Second', lead_metadata_fields: own },
    ]
    const page = await enter('leads')
    await page.route(/\/lead-types\//, (route) => route.fulfill({ json: { count: 2, next: null, previous: null, results: types } }))
    await page.route(/\/leads\/\d+\/$/, (route) =>
      route.request().method() === 'PATCH' ? route.fulfill({ status: 400, json: {} }) : route.fallback(),
    )
    const sent = changesSent(page)
    await page.evaluate(`location.hash = '#/leads/${id}/edit'`)
    await page.getByLabel('Lead type').selectOption('Second')
    await has(page.getByLabel('Size'), 'value', '42')
    await has(page.getByLabel('Roof'), 'value', '{"kind":"flat"}')
    await page.getByLabel('Size').fill('12 m')
    await save(page)
    await page.getByText('Enter a number, such as 42 or 0.5.').waitFor()
    await page.getByLabel('Size').fill('12.5')
    await page.getByLabel('Color').fill('red')
    await save(page)
    await eventually(() => sent.length > 0)
    expect(sent).toEqual([{ lead_type: 77, metadata: { size: 12.5, color: 'red' } }])
    await page.getByLabel('Lead type').selectOption('First')
    await page.getByText('The lead type does not have these fields. Your entries for them are not saved: size, color').waitFor()
  })
})

describe('a ZIP code or a time zone that does not exist', () => {
  it('the form for a new lead says that a ZIP code or a time zone does not exist before it is sent, and sends it if the button is pressed again', async () => {
    const page = await enter('leads/new')
    const bodies: unknown[] = []
    page.on('request', (request) => request.method() === 'POST' && bodies.push(request.postDataJSON()))
    const submit = page.getByRole('button', { name: 'Create the lead' })
    const phone_number = newConsolePhone()
    const [zip, zone] = [page.getByLabel('ZIP code'), page.getByLabel('Time zone')]
    await page.getByLabel('Phone number').fill(phone_number)
    await zip.fill('1234567')
    await zone.fill('New York')
    await submit.click()
    await page.getByRole('alert').getByText('Correct the marked fields.').waitFor()
    await page.locator('#zip-errors').getByText('This is no ZIP code in use.').waitFor()
    await page.locator('#timezone-errors').getByText('This time zone does not exist.').waitFor()
    await eventually(async () => (await page.evaluate('document.activeElement.id')) === 'zip')
    // The service reads four digits as a ZIP code whose zero is lost.
    await zip.fill(' 6513 ')
    await has(zip, 'aria-invalid', 'false')
    await zone.fill('new york')
    await submit.click()
    await page.locator('#zip-errors').getByText('is read as 06513.').waitFor()
    await eventually(async () => (await page.evaluate('document.activeElement.id')) === 'zip')
    expect(bodies).toEqual([])
    await submit.click()
    await page.getByRole('heading', { name: /^Lead \d+$/ }).waitFor()
    expect(bodies).toEqual([{ phone_number, zip: ' 6513 ', timezone: 'new york' }])
  })

  it('the form says that a time zone is not one of the state before it is sent, whichever of the two was changed', async () => {
    const { id } = await uncalledLead(service(), { us_state: 'NY', timezone: 'America/New_York' })
    const page = await enter(`leads/${id}/edit`)
    await page.getByLabel('Time zone').fill('Pacific/Honolulu')
    await save(page)
    const error = page.locator('#timezone-errors').getByText('This time zone is not one of New York.')
    await error.waitFor()
    await page.getByLabel('Time zone').fill('America/New_York')
    await page.getByLabel('State').selectOption('California')
    await save(page)
    await page.locator('#timezone-errors').getByText('This time zone is not one of California.').waitFor()
    await save(page)
    await page.getByRole('heading', { name: `Lead ${id}`, exact: true }).waitFor()
    await page.getByText('The time zone is not one of California').first().waitFor()
  })

  it('the form for a new lead keeps its entries while another view is open, until the lead is created', async () => {
    const page = await enter('leads/new')
    await page.getByLabel('Phone number').fill(newConsolePhone())
    await page.getByLabel('Last name').fill('Kept')
    await page.getByRole('link', { name: 'Map' }).click()
    await page.getByRole('heading', { name: 'Map' }).waitFor()
    await page.goBack()
    await has(page.getByLabel('Last name'), 'value', 'Kept')
    await page.getByRole('button', { name: 'Create the lead' }).click()
    await page.getByRole('heading', { name: /^Lead \d+$/ }).waitFor()
    await page.goBack()
    await has(page.getByLabel('Last name'), 'value', '')
  })

  it('a ZIP code that the lead already has is not checked again', async () => {
    const { id } = await uncalledLead(service(), { zip: 'SW1A 1AA' })
    const page = await enter(`leads/${id}/edit`)
    await has(page.getByLabel('ZIP code'), 'value', 'SW1A 1AA')
    await page.getByLabel('Last name').fill('Sato')
    await save(page)
    await page.getByRole('heading', { name: `Lead ${id}`, exact: true }).waitFor()
  })
})
