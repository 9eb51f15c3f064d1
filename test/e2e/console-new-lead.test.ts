import { describe, expect, it } from '@jest/globals'
import { US_STATES } from '#shared/platform/values/values.ts'
import { keyboardOf } from '#test/support/console/keyboard.ts'
import { HOSTILE, newConsolePhone, uncalledLead } from '#test/support/console/people.ts'
import { consoleWorld, has } from '#test/support/console/world.ts'
import { eventually } from '#test/support/eventually.ts'

const { service, enter, requested } = consoleWorld()

describe('the form for a new lead', () => {
  it('the form shows the errors of the API beside the fields, and keeps what was typed', async () => {
    const page = await enter('leads/new')
    const keys: (string | undefined)[] = []
    page.on('request', (request) => request.method() === 'POST' && keys.push(request.headers()['idempotency-key']))
    await page.getByLabel('Email address').fill('nobody')
    await page.getByLabel('Id in your own system').fill('x'.repeat(256))
    await page.getByRole('button', { name: 'Create the lead' }).click()
    await page.getByText('Correct the marked fields.').waitFor()
    for (const label of ['Phone number', 'Email address', 'Id in your own system']) {
      const field = page.getByLabel(label, { exact: true })
      expect(await field.getAttribute('aria-invalid')).toBe('true')
      const [, errors] = `${await field.getAttribute('aria-describedby')}`.split(' ')
      expect(await page.locator(`#${errors}`).textContent()).not.toBe('')
    }
    await eventually(async () => (await page.evaluate('document.activeElement.id')) === 'phone_number')
    expect(await page.getByLabel('Email address').inputValue()).toBe('nobody')
    expect(await page.getByLabel('First name').getAttribute('aria-invalid')).toBe('false')
    // With the same key, the service would repeat its refusal for a day, whatever the operator has changed since.
    await page.getByRole('button', { name: 'Create the lead' }).click()
    await eventually(() => keys.length === 2)
    expect(keys[1]).not.toBe(keys[0])
  })

  it('a refusal does not take the focus from a field that is being filled in', async () => {
    const page = await enter('leads/new')
    const asked = Promise.withResolvers<void>()
    await page.route(/\/api\/leads\/$/, async (route) => {
      await asked.promise
      await route.continue()
    })
    await page.getByRole('button', { name: 'Create the lead' }).click()
    await page.getByLabel('First name').focus()
    asked.resolve()
    await page.getByText('Correct the marked fields.').waitFor()
    await page.keyboard.type('Ann')
    expect(await page.getByLabel('First name').inputValue()).toBe('Ann')
  })

  it('a quoted text that turns the direction of writing does not turn the error around it', async () => {
    const page = await enter('leads/new')
    await page.getByLabel('Phone number').fill(newConsolePhone())
    // The service quotes a field in its answer only if the form cannot send a wrong value there.
    await page.route(/\/api\/leads\/$/, (route) => route.fulfill({ status: 400, json: { zip: [`"${HOSTILE.rightToLeft}" is wrong.`] } }))
    await page.getByRole('button', { name: 'Create the lead' }).click()
    await page.locator('#zip-errors').getByText('\uFFFDgnihtemo').waitFor()
    expect(await page.locator('#zip-errors').textContent()).not.toMatch(/\u202E/)
  })

  it('metadata that is too large is shown at its longest field', async () => {
    const page = await enter('leads/new')
    await page.getByLabel('Phone number').fill(newConsolePhone())
    await page.getByLabel('First name').fill('Ann')
    await page.getByLabel('Last name').fill('a'.repeat(110_000))
    await page.getByRole('button', { name: 'Create the lead' }).click()
    await page.getByText('Correct the marked fields.').waitFor()
    await page
      .locator('#last_name-errors')
      .getByText(/100 KB.* Shorten this text\.$/)
      .waitFor()
    expect(await page.getByLabel('First name').getAttribute('aria-invalid')).toBe('false')
    await eventually(async () => (await page.evaluate('document.activeElement.id')) === 'last_name')
    expect(await page.getByText(/metadata:/).count()).toBe(0)
  })

  it('the form marks no field when the API names one that it does not have', async () => {
    const page = await enter('leads/new')
    await page.route(/\/api\/leads\/$/, (route) => route.fulfill({ status: 400, json: { metadata: ['Too deep.'], consent: ['Too old.'] } }))
    await page.getByRole('button', { name: 'Create the lead' }).click()
    await page.getByText('metadata: Too deep.').waitFor()
    await page.getByText('consent: Too old.').waitFor()
    expect(await page.getByText('Correct the marked fields.').count()).toBe(0)
  })

  it('a state is chosen by its name, and every code that the API takes can be chosen', async () => {
    const page = await enter('leads/new')
    const { press, tabTo, type } = keyboardOf(page)
    await tabTo('State')
    await type('New Y')
    await has(page.getByLabel('State'), 'value', 'NY')
    const codes = await page
      .getByLabel('State')
      .getByRole('option')
      .evaluateAll((options) => options.map((each) => each.getAttribute('value')))
    expect(codes.filter(Boolean).toSorted()).toEqual(US_STATES.toSorted())
    await page.getByLabel('Phone number').fill(newConsolePhone())
    await press('Enter')
    await page.getByRole('heading', { name: /^Lead \d+$/ }).waitFor()
    const { body: lead } = await service().call('GET', `/api/leads/${page.url().split('/').at(-1)}/`)
    expect(lead['us_state']).toBe('NY')
  })

  it('the message about a new lead says its warnings in sentences, and goes with the next view', async () => {
    const page = await enter('leads/new')
    await page.getByLabel('Phone number').fill(newConsolePhone())
    await page.getByLabel('Time zone').fill('America/Nowhere')
    await page.getByRole('button', { name: 'Create the lead' }).click()
    await page.getByText('This time zone does not exist.').waitFor()
    await page.getByRole('button', { name: 'Create the lead' }).click()
    const message = page.getByRole('status').getByText(/^Lead \d+ is created\./)
    await message.getByText('The time zone does not exist, so it is not used. Write it as in America/New_York.').waitFor()
    expect(await message.textContent()).not.toContain('_timezone')
    const remarks = page.getByRole('group').filter({ hasText: 'Remarks about the lead' }).getByRole('listitem')
    await remarks.getByText(/^The time zone does not exist/).waitFor()
    await remarks.getByText(/^The place of the lead is not known\..* Add the state or the ZIP code\.$/).waitFor()
    await page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name: 'Uploads' }).click()
    await page.getByRole('heading', { name: 'Uploads', exact: true }).waitFor()
    expect(await page.getByText('is created.').count()).toBe(0)
  })

  it('the form has the metadata fields of the lead type, of the default one at first, and sends them as metadata', async () => {
    const running = service()
    const { body: user } = await running.call('GET', '/api/users/me/')
    const field = { helpText: '', type: 'string', required: false }
    const types = [
      {
        ...{ id: user['default_lead_type'], name: 'First' },
        lead_metadata_fields: [
          { ...field, key: 'status', label: 'Status of the roof', helpText: 'As the person says.', required: true },
          { ...field, key: 'size of the roof', label: '', type: 'number' },
          { ...field, key: 'zip', label: 'Code of the place' },
        ],
      },
      { id: 77, name: 'Second', lead_metadata_fields: [{ ...field, key: 'color', label: HOSTILE.script }] },
    ]
    const page = await enter('leads')
    await page.route(/\/lead-types\//, (route) => route.fulfill({ json: { count: 2, next: null, previous: null, results: types } }))
    await page.getByRole('link', { name: 'New lead' }).click()
    await page.getByText('As the person says. The lead type expects it.').waitFor()
    expect(await page.getByLabel('Code of the place').count()).toBe(0)
    await page.getByLabel('Lead type').selectOption('Second')
    await page.getByLabel(HOSTILE.script).fill('red')
    expect(await page.getByLabel('Status of the roof').count()).toBe(0)
    await page.getByLabel('Lead type').selectOption('First')
    const { press, tabTo, type } = keyboardOf(page)
    await tabTo('Status of the roof')
    await type(HOSTILE.rightToLeft)
    await tabTo('size of the roof')
    await type('12 m')
    await page.getByLabel('Phone number').fill(newConsolePhone())
    await page.getByLabel('Time zone').fill('Pacific/Honolulu')
    await press('Enter')
    await page.getByText('Enter a number, such as 42 or 0.5.').waitFor()
    await page.getByLabel('size of the roof').fill('12.5')
    await press('Enter')
    await page.getByRole('heading', { name: /^Lead \d+$/ }).waitFor()
    const { body: lead } = await running.call('GET', `/api/leads/${page.url().split('/').at(-1)}/`)
    expect(lead['metadata']).toMatchObject({ status: HOSTILE.rightToLeft, 'size of the roof': 12.5 })
    expect(lead['metadata']).not.toHaveProperty('color')
    expect(lead['status']).toBe('OPEN')
  })

  it('the form says when the same lead exists', async () => {
    const { phone_number } = await uncalledLead(service(), { email: 'twice@example.com' })
    const page = await enter('leads/new')
    await page.getByLabel('Phone number').fill(`${phone_number}`)
    await page.getByLabel('Email address').fill('twice@example.com')
    await page.getByRole('button', { name: 'Create the lead' }).click()
    await page.getByText(/^Lead \d+ already has this phone number and email address\. /).waitFor()
  })

  it('the form says that the phone number has leads, with one request when the focus leaves it, and leads to them', async () => {
    const { id, phone_number } = await uncalledLead(service())
    const page = await enter('leads/new')
    const asked = () => requested().filter((address) => address.includes('/api/leads/?')).length
    const phone = page.getByLabel('Phone number')
    await phone.fill(newConsolePhone())
    expect(asked()).toBe(0)
    await phone.blur()
    await eventually(() => asked() === 1)
    await phone.fill(`${phone_number}`)
    await phone.blur()
    const note = page.getByRole('status').getByText('You already have a lead with this phone number.')
    await note.waitFor()
    for (let again = 0; again < 2; again++) {
      await phone.focus()
      await phone.blur()
    }
    await note.waitFor()
    expect(asked()).toBe(2)
    await page.getByRole('link', { name: 'Show this lead' }).click()
    await page.getByText('1 lead', { exact: true }).waitFor()
    expect(await page.locator('tbody a').getAttribute('href')).toBe(`#/leads/${id}`)
  })

  it('a lead is created, found and stopped with the keyboard alone', async () => {
    const page = await enter('leads')
    const { press, focused, tabTo, type } = keyboardOf(page)
    await page.getByRole('heading', { name: 'Leads' }).waitFor()
    await tabTo('New lead')
    await press('Enter')
    await page.getByRole('heading', { name: 'New lead' }).waitFor()
    expect(await focused()).toBe('New lead')

    const phone = newConsolePhone()
    await tabTo('Phone number')
    await type(phone)
    await tabTo('Time zone')
    await type('Pacific/Honolulu')
    await press('Enter')
    await page
      .getByRole('status')
      .getByText(/Lead \d+ is created\./)
      .waitFor()
    await page.getByRole('heading', { name: /Lead \d+/ }).waitFor()
    expect(await focused()).toMatch(/^Lead \d+$/)

    await page.getByRole('button', { name: 'Cancel the calls' }).waitFor()
    await page.getByLabel('Time to ask about').waitFor()
    await tabTo('Cancel the calls')
    await press('Enter')
    await page.getByRole('dialog').waitFor()
    await press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect(await focused()).toBe('Cancel the calls')
    await press('Enter')
    await page.getByRole('dialog').waitFor()
    expect(await focused()).toBe('Go back')
    await press('Shift+Tab')
    expect(await focused()).toBe('Cancel the calls')
    await press('Enter')
    await page.getByRole('status').getByText('The calls are cancelled.').waitFor()
    expect(await focused()).toMatch(/^Lead \d+$/)

    await tabTo('Time to ask about')
    await press('ArrowRight', 'ArrowRight')
    await tabTo('Next opening')
    await press('Enter')
    await page.getByText('No call is possible until something changes.').waitFor()
  })
})
