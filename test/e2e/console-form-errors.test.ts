import { describe, expect, it } from '@jest/globals'
import { holdRequests } from '#test/support/console/held-requests.ts'
import { newConsolePhone } from '#test/support/console/people.ts'
import { consoleWorld, has } from '#test/support/console/world.ts'

const { enter } = consoleWorld()

const MARKED = 'Correct the marked fields.'

describe('the errors of a form', () => {
  it('a field loses its error when its value changes, and the doubt about a ZIP code stays beside the errors of other fields', async () => {
    const page = await enter('leads/new')
    const submit = page.getByRole('button', { name: 'Create the lead' })
    const [phone, email, zip] = ['Phone number', 'Email address', 'ZIP code'].map((label) => page.getByLabel(label, { exact: true }))
    if (!phone || !email || !zip) throw new Error('A field is missing.')
    const errors = (id: string) => page.locator(`#${id}-errors`)
    await submit.click()
    await errors('phone_number').getByText('may not be blank').waitFor()
    await phone.fill('12345')
    await has(phone, 'aria-invalid', 'false')
    expect(await page.getByText(MARKED).count()).toBe(0)

    await email.fill('not an email')
    await zip.fill('ABC')
    await submit.click()
    for (const field of [phone, email, zip]) await has(field, 'aria-invalid', 'true')
    expect(await errors('phone_number').textContent()).not.toContain('blank')
    await errors('zip').getByText('press the button again').waitFor()

    await email.fill('ann@example.com')
    await has(email, 'aria-invalid', 'false')
    for (const field of [phone, zip]) await has(field, 'aria-invalid', 'true')
    await page.getByText(MARKED).waitFor()
    await phone.fill(newConsolePhone())
    await submit.click()
    await page.getByRole('heading', { name: /^Lead \d+$/ }).waitFor()
  })

  it('a doubt that was answered stays beside the error that the API adds', async () => {
    const page = await enter('leads/new')
    const submit = page.getByRole('button', { name: 'Create the lead' })
    await page.getByLabel('Phone number').fill(newConsolePhone())
    await page.getByLabel('Id in your own system').fill('x'.repeat(256))
    await page.getByLabel('ZIP code').fill('ABC')
    await submit.click()
    await page.locator('#zip-errors').getByText('This is no ZIP code in use.').waitFor()
    await has(page.getByLabel('Id in your own system'), 'aria-invalid', 'false')
    await submit.click()
    await has(page.getByLabel('Id in your own system'), 'aria-invalid', 'true')
    await has(page.getByLabel('ZIP code'), 'aria-invalid', 'true')
  })

  it('an error of a field that changed while the form was on its way stays until the next change', async () => {
    const page = await enter('leads/new')
    const email = page.getByLabel('Email address')
    await page.getByLabel('Phone number').fill(newConsolePhone())
    await email.fill('ann@example')
    const sent = await holdRequests(page, (request) => request.method() === 'POST')
    await page.getByRole('button', { name: 'Create the lead' }).click()
    const request = await sent.first()
    await email.fill('ann@example.c')
    await request.continue()
    await has(email, 'aria-invalid', 'true')
    await email.fill('ann@example.com')
    await has(email, 'aria-invalid', 'false')
  })

  it.each([
    ['webhooks/new', 'URL', 'Create the subscription'],
    ['stops', 'Phone number', 'Look up'],
    ['leads', 'Value', 'Look up'],
  ])('in the view %s, a field loses its error when its value changes', async (place, label, button) => {
    const page = await enter(place)
    const field = page.getByLabel(label, { exact: true })
    await field.fill('12')
    await page.getByRole('button', { name: button, exact: true }).click()
    await has(field, 'aria-invalid', 'true')
    await field.fill('123')
    await has(field, 'aria-invalid', 'false')
  })
})
