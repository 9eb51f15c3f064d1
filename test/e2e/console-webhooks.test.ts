import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { keyboardOf } from '#test/support/console/keyboard.ts'
import { confirm } from '#test/support/console/lead-page.ts'
import { HOSTILE, uncalledLead } from '#test/support/console/people.ts'
import { consoleWorld } from '#test/support/console/world.ts'
import { type Receiver, startReceiver } from '#test/support/receiver.ts'
import { until } from '#test/support/service.ts'

const { service, enter, requested } = consoleWorld()

const SECRET = 'Bearer of-the-receiver-alone'

/** The answers of the receiver by the last part of the path. Default: 200. A test may change them for itself. */
const answers = new Map<string, number>()
let receiver: Receiver

beforeAll(async () => {
  receiver = await startReceiver({
    respond: ({ path }) => ({ status: answers.get(new URL(path, receiver.url).pathname.slice(1)) ?? 200, body: HOSTILE.image }),
  })
})
beforeEach(() => {
  answers.set('gone', 410).set('broken', 500)
})
afterAll(() => receiver?.close())

const subscribed = async (path: string, fields: object = {}): Promise<number> => {
  const body = { url: `${receiver.url}/${path}`, trigger: ['LEAD_CREATED', 'CALL_COMPLETE'], ...fields }
  const { status, body: made } = await service().call('POST', '/api/webhooks/', body)
  expect(status).toBe(201)
  return made.id
}

const webhookNow = async (id: number) => (await service().call('GET', `/api/webhooks/${id}/`)).body

const test = (id: number) => service().call('POST', `/api/webhooks/${id}/test/`)

const disabled = async (): Promise<number> => {
  const id = await subscribed('gone')
  await test(id)
  await until(
    () => webhookNow(id),
    (one) => one['disabled_time'] !== null,
  )
  return id
}

describe('the list of webhooks', () => {
  it('the list shows the URL, triggers, condition and state of each subscription, and why one is disabled', async () => {
    const condition = `metadata.note == '${HOSTILE.rightToLeft}'`
    await subscribed('fine', { filter_condition: condition, headers: { Authorization: SECRET } })
    await disabled()
    const page = await enter('webhooks')
    const fine = page.getByRole('row').filter({ hasText: `${receiver.url}/fine` })
    await fine.getByText('Lead created, Call complete').waitFor()
    await fine.getByText('Enabled').waitFor()
    expect(await fine.locator('code bdi').textContent()).toBe(condition)
    const gone = page.getByRole('row').filter({ hasText: `${receiver.url}/gone` })
    await gone.getByText('Disabled').waitFor()
    await gone.getByText('The destination answered 410: it is gone for good.').waitFor()
    expect(await page.content()).not.toContain(SECRET)
    await fine.getByRole('link').click()
    await page.getByRole('heading', { name: /^Subscription \d+$/ }).waitFor()
  })

  it('an empty list says what to do, and shows a subscription of another tab without a reload', async () => {
    const { otherApiKey: key } = service()
    const page = await enter('webhooks', {}, key)
    await page.getByText('There are no subscriptions yet.').waitFor()
    await page.getByRole('region', { name: 'List of subscriptions' }).getByRole('link', { name: 'New subscription' }).waitFor()
    const body = { url: receiver.url, trigger: ['LEAD_LOST'] }
    await service().call('POST', '/api/webhooks/', body, key)
    await page.getByText('1 subscription', { exact: true }).waitFor()
  })
})

describe('a subscription in the console', () => {
  it('a subscription shows its deliveries with result, attempts and next attempt, and resends one', async () => {
    const id = await subscribed('broken', { trigger: ['LEAD_CREATED'] })
    const page = await enter(`webhooks/${id}`)
    await page.getByText('There are no deliveries yet.').waitFor()
    await page.getByRole('button', { name: 'Send a test' }).click()
    await page.getByRole('status').getByText('The test will be sent.').waitFor()
    const row = page.getByRole('row').filter({ hasText: 'Lead created' })
    await row.getByText('Test', { exact: true }).waitFor()
    await row.getByText('Answer 500').first().waitFor()
    await row.getByText('Waiting').waitFor()
    await row.getByText(/^Next automatic attempt \w/).waitFor()
    await row.getByText('Details').first().click()
    await row.getByText(HOSTILE.image).first().waitFor()
    expect(await page.title()).toBe(`Subscription ${id} – Lead Outreach`)

    answers.delete('broken')
    const before = receiver.requests.length
    await row.getByRole('button', { name: 'Resend' }).click()
    await page.getByRole('status').getByText('The delivery will be sent again.').waitFor()
    await row.getByText('Delivered').waitFor()
    await row.getByText('Answer 200').first().waitFor()
    expect(receiver.requests.length).toBeGreaterThan(before)

    // Screen readers say the same message again only if it is another element.
    await page.evaluate("document.querySelector('.message p').id = 'first-message'")
    await row.getByRole('button', { name: 'Resend: Lead created, Test' }).click()
    await confirm(page, 'Resend')
    await page.locator('#first-message').waitFor({ state: 'detached' })
    await page.getByRole('status').getByText('The delivery will be sent again.').waitFor()
  })

  it('a subscription links a delivery to its lead, and pages through the deliveries, newest first', async () => {
    const id = await subscribed('pages', { trigger: ['LEAD_CREATED'] })
    for (let count = 0; count < 20; count++) await test(id)
    const lead = await uncalledLead(service())
    await until(
      () => service().call('GET', `/api/webhooks/${id}/deliveries/`),
      ({ body }) => body['count'] === 21,
    )
    const page = await enter(`webhooks/${id}`)
    await page.getByText('21 deliveries, newest first').waitFor()
    await page.getByRole('link', { name: `Lead ${lead.id}` }).waitFor()
    await page.getByRole('link', { name: 'Next page' }).click()
    await page.getByRole('link', { name: 'Previous page' }).waitFor()
    expect(await keyboardOf(page).focused()).toBe('Deliveries of the last 30 days')
    await until(
      () => page.getByRole('rowheader').count(),
      (count) => count === 1,
    )
    expect(page.url()).toContain(`#/webhooks/${id}?cursor=`)
    await page.goto(`${service().url}/console/#/webhooks/${id}?page=99`)
    await page.getByText('There is no such page of the list.').waitFor()
  })

  it('a subscription shows only its failed deliveries when that is chosen, until they are sent again', async () => {
    const id = await subscribed('', { url: `${receiver.url}/{{metadata.path}}`, trigger: ['LEAD_CREATED'] })
    await uncalledLead(service(), { metadata: { path: '..' } })
    await uncalledLead(service(), { metadata: { path: 'fine' } })
    await until(
      () => service().call('GET', `/api/webhooks/${id}/deliveries/`),
      ({ body }) => JSON.stringify(body).includes('"failed"') && JSON.stringify(body).includes('"delivered"'),
    )
    const page = await enter(`webhooks/${id}`)
    await page.getByText('2 deliveries, newest first').waitFor()
    const choice = page.getByRole('combobox', { name: 'Show' })
    await choice.focus()
    await choice.selectOption('Only failed deliveries')
    await page.getByText('1 delivery, newest first').waitFor()
    await page.getByRole('row').getByText('Failed').waitFor()
    expect(page.url()).toMatch(new RegExp(`#/webhooks/${id}\\?status=failed$`))
    expect(await page.evaluate('document.activeElement.id')).toBe('delivery-status')
    await service().call('PATCH', `/api/webhooks/${id}/`, { url: `${receiver.url}/fine` })
    await page.getByRole('button', { name: 'Resend' }).click()
    await page.getByText('No delivery has the result “Failed”.').waitFor()
    await choice.selectOption('All deliveries')
    await page.getByText('2 deliveries, newest first').waitFor()
  })

  it('a subscription says in a sentence when each of its triggers fires', async () => {
    const id = await subscribed('meanings', { trigger: ['LEAD_LOST', 'CALL_DNC'] })
    const page = await enter(`webhooks/${id}`)
    const data = page.getByRole('region', { name: 'Data' })
    await data.getByText('The lead reached the status Lost, or was created with it.').waitFor()
    await data.getByText('The person must not be called any more: call_dnc was set to true.').waitFor()
  })

  it('a disabled subscription sends nothing until it is enabled', async () => {
    const id = await disabled()
    const page = await enter(`webhooks/${id}`)
    await page.getByText('The service sends nothing to this destination.').waitFor()
    await page.getByRole('row').filter({ hasText: 'Answer 410' }).waitFor()
    expect(await page.getByRole('button', { name: /^(Send a test|Resend)/ }).count()).toBe(0)
    await page.getByRole('button', { name: 'Enable' }).click()
    await page.getByRole('dialog').getByText('Events that came while the subscription was disabled have no delivery').waitFor()
    expect(await webhookNow(id)).not.toMatchObject({ disabled_time: null })
    await confirm(page, 'Enable')
    await page.getByRole('status').getByText('The subscription is enabled').waitFor()
    await page.getByRole('button', { name: 'Send a test' }).waitFor()
    expect(await webhookNow(id)).toMatchObject({ disabled_time: null, disabled_reason: null })
  })

  it('a resend that the service refuses says why in the question', async () => {
    const id = await subscribed('late', { trigger: ['LEAD_CREATED'] })
    await test(id)
    const page = await enter(`webhooks/${id}`)
    await page.getByRole('button', { name: 'Resend' }).waitFor()
    const detail = 'Another attempt was just made. Read the delivery again before you resend it.'
    await page.route('**/resend/', (route) => route.fulfill({ status: 409, json: { detail } }))
    await page.getByRole('button', { name: 'Resend' }).click()
    await confirm(page, 'Resend')
    await page.getByRole('dialog').getByRole('alert').getByText(detail).waitFor()
    expect(requested().filter((address) => address.endsWith('/resend/'))).toHaveLength(1)
  })

  it('an action that fails hides the failure of the action before it', async () => {
    const id = await subscribed('twice')
    const page = await enter(`webhooks/${id}`)
    await page.route('**/test/', (route) => route.fulfill({ status: 409, json: { detail: 'The test failed.' } }))
    await page.route('**/enable/', (route) => route.fulfill({ status: 403, json: { detail: 'The second one failed.' } }))
    await page.getByRole('button', { name: 'Send a test' }).click()
    await page.getByText('The test failed.').waitFor()
    const json = { ...(await webhookNow(id)), disabled_time: '2026-11-20T16:00:00Z' }
    await page.route(`**/webhooks/${id}/`, (route) => route.fulfill({ json }))
    await page.getByRole('button', { name: 'Enable' }).click()
    await confirm(page, 'Enable')
    await page.getByRole('dialog').getByText('The second one failed.').waitFor()
    expect(await page.getByText('The test failed.').count()).toBe(0)
  })

  it('a subscription is deleted after a confirmation, and a missing one says what to do', async () => {
    const id = await subscribed('old')
    const page = await enter(`webhooks/${id}`)
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Go back' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect(await webhookNow(id)).toMatchObject({ id })
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('status').getByText('The subscription is deleted.').waitFor()
    await page.getByRole('heading', { name: 'Webhooks', exact: true }).waitFor()
    expect((await service().call('GET', `/api/webhooks/${id}/`)).status).toBe(404)
    await page.goBack()
    await page.getByText('There is no such subscription').waitFor()
  })

  it('a subscription that is deleted although the answer is lost is said to be deleted', async () => {
    const id = await subscribed('lost')
    const page = await enter(`webhooks/${id}`)
    const answered: number[] = []
    await page.route(`**/webhooks/${id}/`, async (route) => {
      if (route.request().method() !== 'DELETE') return route.fallback()
      const response = await route.fetch()
      answered.push(response.status())
      await (answered.length > 1 ? route.fulfill({ response }) : route.abort())
    })
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('status').getByText('The subscription is deleted.').waitFor()
    expect(answered).toEqual([204, 404])
  })

  it('no address of the console names a condition, and no page shows the headers of a subscription', async () => {
    const phone = '+12025550177'
    const id = await subscribed('quiet', { filter_condition: `phone_number == '${phone}'`, headers: { Authorization: SECRET } })
    const page = await enter(`webhooks/${id}`)
    await page.getByRole('button', { name: 'Try the condition' }).click()
    await page.getByRole('heading', { name: 'Try a filter condition' }).waitFor()
    expect(await page.getByLabel('Condition', { exact: true }).inputValue()).toContain(phone)
    expect(page.url()).toMatch(/#\/webhooks\/filter$/)
    expect(requested().filter((address) => address.includes('5550177'))).toEqual([])
    expect(await page.content()).not.toContain(SECRET)
  })
})
