import { describe, expect, it } from '@jest/globals'
import type { Page } from 'playwright-core'
import { keyboardOf } from '#test/support/console/keyboard.ts'
import { newConsolePhone, uncalledLead } from '#test/support/console/people.ts'
import { consoleWorld } from '#test/support/console/world.ts'

const { service, enter } = consoleWorld()

const lookUp = async (page: Page, kind: string, value: string): Promise<void> => {
  await page.getByLabel('Look up by').selectOption({ label: kind })
  await page.getByLabel('Value').fill(value)
  await page.getByRole('button', { name: 'Look up' }).click()
}

describe('the look-up of leads', () => {
  it.each([
    ['Phone number', (phone: string) => phone.replace('+1202', '(202) ')],
    ['Email address', () => 'LOOKED@example.com'],
    ['Id in your own system', () => 'looked-1'],
  ])('a lead is found by its %s, in any notation that the API takes', async (kind, value) => {
    const running = service()
    const { body } = await running.call('GET', '/api/leads/?external_id=looked-1')
    const [known] = body['results'] as { id: number; phone_number: string }[]
    const lead = known ?? (await uncalledLead(running, { email: 'looked@example.com', external_id: 'looked-1' }))
    await uncalledLead(running)
    const page = await enter()
    await lookUp(page, kind, value(`${(lead as { phone_number: string }).phone_number}`))
    await page.getByText('1 lead', { exact: true }).waitFor()
    expect(page.url()).not.toMatch(/looked|202/i)
    await page.getByRole('rowheader').getByRole('link').click()
    await page.getByRole('heading', { name: `Lead ${lead.id}` }).waitFor()
  })

  it('a look-up by id opens the lead, and a wrong id is refused beside the field', async () => {
    const { id } = await uncalledLead(service())
    const page = await enter()
    await lookUp(page, 'Id of the lead', 'fifty')
    await page.getByText('The id of a lead is a whole number').waitFor()
    await lookUp(page, 'Id of the lead', `${id}`)
    await page.getByRole('heading', { name: `Lead ${id}` }).waitFor()
  })

  it.each([
    ['Phone number', '12', 'This is no phone number.'],
    ['Email address', 'nobody', 'This is no email address.'],
    ['Phone number', '', 'Enter what to look for.'],
  ])('a look-up by %s of the value "%s" says what is wrong, and shows no result of an earlier one', async (kind, value, message) => {
    const page = await enter()
    await lookUp(page, 'Phone number', '(202) 555-9999')
    await page.getByText('No lead was found.').waitFor()
    await lookUp(page, kind, value)
    await page.getByText(message).waitFor()
    await page.getByText('No lead was found.').waitFor({ state: 'detached' })
  })

  it('a look-up that finds nothing says what to check, and a missing lead too', async () => {
    const page = await enter()
    await lookUp(page, 'Phone number', '(202) 555-9999')
    await page.getByText('No lead was found.').waitFor()
    await page.getByRole('button', { name: 'Show all leads' }).click()
    await page.getByText('No lead was found.').waitFor({ state: 'detached' })
    await lookUp(page, 'Id of the lead', '2000000000')
    await page.getByText('There is no such lead, or it belongs to another user.').waitFor()
  })
})

describe('a look-up of many leads', () => {
  it('a look-up that finds more leads than a page holds leads to the others, and the address names no page', async () => {
    const leads = Array.from({ length: 30 }, () => ({ phone_number: newConsolePhone(), status: 'OUT_OF_TERRITORY', external_id: 'many-1' }))
    await service().call('POST', '/api/leads/bulk-create/', { leads })
    const page = await enter()
    await lookUp(page, 'Id in your own system', 'many-1')
    await page.getByText('30 leads', { exact: true }).waitFor()
    const rows = page.getByRole('rowheader')
    expect(await rows.count()).toBe(25)
    await page.getByRole('button', { name: 'Next page' }).click()
    await page.getByRole('button', { name: 'Previous page' }).waitFor()
    expect(await rows.count()).toBe(5)
    expect(await keyboardOf(page).focused()).toBe('Leads')
    await page.getByRole('button', { name: 'Previous page' }).click()
    await page.getByRole('button', { name: 'Next page' }).waitFor()
    expect(await rows.count()).toBe(25)
    expect(page.url()).not.toMatch(/many|page/)
  })
})

describe('the end of a look-up', () => {
  it('a look-up ends with all leads, although the list showed one status before, and by the link to the leads', async () => {
    const page = await enter('leads?status=LOST')
    await lookUp(page, 'Phone number', '(202) 555-9999')
    await page.getByText('No lead was found.').waitFor()
    await page.getByRole('button', { name: 'Show all leads' }).click()
    await page.getByText('No lead was found.').waitFor({ state: 'detached' })
    expect(page.url()).toMatch(/#\/leads$/)
    expect(await page.getByLabel('Status', { exact: true }).inputValue()).toBe('')
    await lookUp(page, 'Phone number', '(202) 555-9999')
    await page.getByText('No lead was found.').waitFor()
    await page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name: 'Leads', exact: true }).click()
    await page.getByText('No lead was found.').waitFor({ state: 'detached' })
  })
})

describe('the list of leads', () => {
  it('the list shows the leads of a status, the latest change first, and pages through them', async () => {
    const running = service()
    const leads = Array.from({ length: 30 }, () => ({ phone_number: newConsolePhone(), status: 'LOST' }))
    await running.call('POST', '/api/leads/bulk-create/', { leads })
    const page = await enter()
    await page.getByLabel('Status', { exact: true }).selectOption('LOST')
    await page.getByText('30 leads').waitFor()
    expect(await page.getByRole('rowheader').count()).toBe(25)
    await page.getByRole('link', { name: 'Next page' }).click()
    await page.getByRole('link', { name: 'Previous page' }).waitFor()
    expect(await page.getByRole('rowheader').count()).toBe(5)
    expect(await keyboardOf(page).focused()).toBe('Leads')
    await page.goBack()
    await page.getByRole('link', { name: 'Next page' }).waitFor()
    await page.getByLabel('Status', { exact: true }).selectOption('BAD_NUMBER')
    await page.getByText('No lead has this status.').waitFor()
  })

  it.each([
    ['its time zone', { timezone: 'Pacific/Honolulu' }, /^Fri, Nov 20, 2026, .* HST lead$/],
    ['its ZIP code', { timezone: '', zip: '96813' }, /^Fri, Nov 20, 2026, .* HST lead$/],
    ['its state', { timezone: '', us_state: 'GU' }, /^Sat, Nov 21, 2026, .* GMT\+10 lead$/],
  ])('the list shows the next call by the clock of the viewer and of the lead, by %s', async (_, place, time) => {
    const { phone_number } = await uncalledLead(service(), place)
    const page = await enter()
    const row = page.getByRole('row', { name: `${phone_number}` })
    await row.getByText(time).waitFor()
    await row.getByText(/ GMT\+1 you$/).waitFor()
  })

  it('the list shows a lead that somebody else creates, without a reload', async () => {
    const running = service()
    const page = await enter()
    await uncalledLead(running, { first_name: 'Newcomer' })
    await page.getByText('Newcomer').waitFor()
  })
})

describe('a list that is cut', () => {
  const hundredfold = ([first]: readonly object[]) =>
    first ? Array.from({ length: 100 }, (_, place) => ({ ...first, id: place + 1, key: `source-${place}` })) : []

  it.each([
    ['lead types', 'leads/new', /\/lead-types\//, 'Only your first 100 lead types are listed.'],
    ['sources', 'uploads', /\/sources\//, 'Only your first 100 sources are listed.'],
    ['consents', 'leads/ID', /\/consents\//, 'Only the latest 100 of 1,001 consents are shown.'],
  ])('a view that shows only a part of the %s says so', async (_, place, address, said) => {
    const running = service()
    const { id } = await uncalledLead(running, { consent: { type: 'written', time: '2026-11-20T10:00:00Z' } })
    const page = await enter('stops')
    await page.route(address, async (route) => {
      const json = await (await route.fetch()).json()
      await route.fulfill({ json: { ...json, count: 1001, results: hundredfold(json.results) } })
    })
    await page.goto(`${running.url}/console/#/${place.replace('ID', `${id}`)}`)
    await page.getByText(said).waitFor()
  })
})
