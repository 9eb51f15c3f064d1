import { describe, expect, it } from '@jest/globals'
import { uncalledLead } from '#test/support/console/people.ts'
import { seedWebhooks } from '#test/support/console/seeds.ts'
import { wholeAnswer } from '#test/support/console/whole-answer.ts'
import { consoleWorld } from '#test/support/console/world.ts'

const { service, enter } = consoleWorld()

/** The place with the ids of a lead and of a subscription. */
const withIds = async (place: string): Promise<string> => {
  const lead = place.includes('LEAD') ? (await uncalledLead(service())).id : ''
  const webhook = place.includes('WEBHOOK') ? await seedWebhooks(service()) : ''
  return place.replace('LEAD', `${lead}`).replace('WEBHOOK', `${webhook}`)
}

const placeIn = (address: string): string => new URL(address).hash.replace('#/', '')

describe('an address of a page that does not exist', () => {
  it.each([
    ['leads?page=999', 'There is no such page of the list.'],
    ['leads?status=LOST&cursor=zzz', 'There is no such page of the list.'],
    ['leads?page=last', 'There is no such page of the list.'],
    ['leads/LEAD?page=999', 'There is no such page of calls.'],
    ['uploads?page=999', 'There is no such page of files.'],
    ['webhooks?page=999', 'There is no such page of the list.'],
    ['webhooks/WEBHOOK?status=failed&page=999', 'There is no such page of the list.'],
    ['webhooks/WEBHOOK?cursor=zzz', 'There is no such page of the list.'],
  ])('the address %s says so, and leads to the first page', async (place, text) => {
    const at = await withIds(place)
    const page = await enter(at)
    await page.getByRole('alert').getByText(text).waitFor()
    await page.getByRole('link', { name: 'Open the first page' }).click()
    await page.getByText(text).waitFor({ state: 'detached' })
    expect(placeIn(page.url())).toBe(at.replace(/[?&](page|cursor)=.*/, ''))
    await page.getByRole('table').or(page.locator('.empty')).first().waitFor()
  })

  it('a page of a look-up that does not exist any more leads to the first one', async () => {
    const { phone_number } = await uncalledLead(service())
    const page = await enter('leads')
    await page.route(/\/api\/leads\/\?.*phone_number/, async (route) => {
      const response = await wholeAnswer(route)
      const isFirst = new URL(route.request().url()).searchParams.get('page') === '1'
      if (!isFirst) return route.fulfill({ status: 404, json: { detail: 'Invalid page.' } })
      return route.fulfill({ response, json: { ...(await response.json()), next: `${service().url}/api/leads/?page=2` } })
    })
    await page.getByLabel('Value').fill(`${phone_number}`)
    await page.getByRole('button', { name: 'Look up' }).click()
    await page.getByRole('button', { name: 'Next page' }).click()
    await page.getByRole('alert').getByText('There is no such page of the list.').waitFor()
    await page.getByRole('button', { name: 'Open the first page' }).click()
    await page.getByRole('link', { name: `${phone_number}` }).waitFor()
  })
})

describe('an address with a filter that does not exist', () => {
  it.each([
    ['leads?status=BLUE', 'status=BLUE', 'leads'],
    ['leads?status=LOST&lead_type=red', 'lead_type=red', 'leads?status=LOST'],
    ['leads?created=2026-11-20&status=OPEN', 'status=OPEN', 'leads?created=2026-11-20'],
    ['calls?days=7&outcome=BLUE', 'outcome=BLUE', 'calls?days=7'],
    ['calls?days=5', 'days=5', 'calls'],
    ['uploads?status=done', 'status=done', 'uploads'],
    ['webhooks?status=late', 'status=late', 'webhooks'],
    ['webhooks/WEBHOOK?status=late', 'status=late', 'webhooks/WEBHOOK'],
  ])('the address %s names it, and leads to the view without it', async (place, ignored, without) => {
    const webhook = place.includes('WEBHOOK') ? `${await seedWebhooks(service())}` : ''
    const page = await enter(place.replace('WEBHOOK', webhook))
    const note = page.getByRole('alert').getByText('This view ignores these filters of the address:')
    await note.getByText(ignored, { exact: true }).waitFor()
    await page.getByRole('link', { name: 'Open the view without it' }).click()
    await note.waitFor({ state: 'detached' })
    expect(placeIn(page.url())).toBe(without.replace('WEBHOOK', webhook))
  })

  it('the view of calls shows what the service says of a lead type that does not exist, and leads to all calls', async () => {
    const page = await enter('calls?days=30&lead_type=red')
    await page
      .getByRole('alert')
      .getByText(/^Lead type: /)
      .waitFor()
    expect(await page.getByText('This view ignores').count()).toBe(0)
    await page.getByRole('link', { name: 'Show all calls of the last 30 days' }).click()
    await page.getByRole('region', { name: 'Summary' }).waitFor()
  })
})
