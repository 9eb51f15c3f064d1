import { describe, expect, it } from '@jest/globals'
import type { Page } from 'playwright-core'
import { texts } from '#lib/console/texts.ts'
import { TRIGGER_MEANINGS } from '#shared/platform/values/meanings.ts'
import { TRIGGERS } from '#shared/platform/values/values.ts'
import { keyboardOf } from '#test/support/console/keyboard.ts'
import { HOSTILE } from '#test/support/console/people.ts'
import { consoleWorld, has } from '#test/support/console/world.ts'
import { eventually } from '#test/support/eventually.ts'

const { service, enter } = consoleWorld()

/** A port at which nothing listens. */
const URL_OF_NOBODY = 'http://127.0.0.1:9'

const condition = (page: Page) => page.getByLabel('Condition', { exact: true })

const tryIt = async (page: Page, text: string, payload?: string): Promise<void> => {
  await condition(page).fill(text)
  if (payload !== undefined) await page.getByLabel('Payload').fill(payload)
  await page.getByRole('button', { name: 'Try', exact: true }).click()
}

describe('the form for a new subscription', () => {
  it('the form creates a subscription with its triggers and its condition', async () => {
    const page = await enter('webhooks/new')
    await page.getByLabel('URL').fill(`${URL_OF_NOBODY}/new`)
    for (const trigger of ['Lead created', 'No more calls', 'Lead lost']) await page.getByLabel(trigger, { exact: true }).check()
    await page.getByLabel('Lead lost', { exact: true }).uncheck()
    await condition(page).fill("  us_state == NY or has('email') ")
    await page.getByRole('button', { name: 'Create the subscription' }).click()
    await page.getByRole('heading', { name: /^Subscription \d+$/ }).waitFor()
    await page.getByRole('status').getByText('No payload has the field NY').waitFor()
    const id = Number(/\d+$/.exec(page.url())?.[0])
    expect((await service().call('GET', `/api/webhooks/${id}/`)).body).toMatchObject({
      url: `${URL_OF_NOBODY}/new`,
      trigger: ['LEAD_CREATED', 'CALL_DNC'],
      filter_condition: "us_state == NY or has('email')",
    })
    await page.goto(`${service().url}/console/#/webhooks/new`)
    await has(page.getByLabel('URL'), 'value', '')
  })

  it('the form says of every trigger when it fires, in the words of the reference', async () => {
    const page = await enter('webhooks/new')
    await page.getByRole('group', { name: 'Triggers' }).waitFor()
    const boxes = await page.getByRole('checkbox').all()
    const said = await Promise.all(
      boxes.map(async (box) => {
        const about = await page.locator(`#${await box.getAttribute('aria-describedby')}`).textContent()
        return [await box.inputValue(), about] as const
      }),
    )
    const words = (text: string) =>
      text.replaceAll(/`(\w+)`/g, (_, code) => Object.entries(texts.statuses).find(([one]) => one === code)?.[1] ?? code)
    expect(said).toEqual(TRIGGERS.map((trigger) => [trigger, words(TRIGGER_MEANINGS[trigger])]))
  })

  it('the form shows a bad URL, missing triggers and a bad condition beside the fields, and keeps what was typed', async () => {
    const page = await enter('webhooks/new')
    await page.getByLabel('URL').fill(`ftp://${HOSTILE.script}`)
    await condition(page).fill("us_state = 'NY'")
    await page.getByRole('button', { name: 'Create the subscription' }).click()
    await page.getByText('Correct the marked fields.').waitFor()
    for (const field of [page.getByLabel('URL'), condition(page)]) {
      expect(await field.getAttribute('aria-invalid')).toBe('true')
      const [, errors] = `${await field.getAttribute('aria-describedby')}`.split(' ')
      expect(await page.locator(`#${errors}`).textContent()).not.toBe('')
    }
    await page.getByRole('group', { name: 'Triggers' }).getByText('Choose at least one trigger.').waitFor()
    await page.getByText('The mistake is in column 10:').waitFor()
    expect(await page.getByLabel('URL').inputValue()).toBe(`ftp://${HOSTILE.script}`)
    expect(await page.title()).toBe('New subscription – Lead Outreach')
  })

  it('the form keeps its content while its condition is tried', async () => {
    const page = await enter('webhooks/new')
    await page.getByLabel('URL').fill(`${URL_OF_NOBODY}/kept`)
    await page.getByLabel('Lead lost').check()
    await condition(page).fill("us_state == 'NY'")
    await page.getByRole('button', { name: 'Try the condition' }).click()
    await page.getByRole('heading', { name: 'Try a filter condition' }).waitFor()
    await has(condition(page), 'value', "us_state == 'NY'")
    await tryIt(page, "us_state == 'CA'", '{"us_state": "CA"}')
    await page.getByText('The condition matches.').waitFor()
    await page.getByRole('button', { name: 'Use in a new subscription' }).click()
    await page.getByRole('heading', { name: 'New subscription' }).waitFor()
    await has(page.getByLabel('URL'), 'value', `${URL_OF_NOBODY}/kept`)
    await has(condition(page), 'value', "us_state == 'CA'")
    expect(await page.getByLabel('Lead lost').isChecked()).toBe(true)
  })
})

describe('the trial of a filter condition', () => {
  it('the trial tells whether a payload matches, and warns of text without quotes', async () => {
    const page = await enter('webhooks/filter')
    await tryIt(page, "us_state == 'NY' and metadata.age == '42'")
    await page.getByText('The condition matches.').waitFor()
    await tryIt(page, 'status == OPEN')
    await page.getByText('The condition does not match.').waitFor()
    await page.getByText("No payload has the field OPEN, so its value is always null. Did you mean 'OPEN'?").waitFor()
    await condition(page).fill('status')
    await page.getByText('The condition does not match.').waitFor({ state: 'detached' })
  })

  it('the trial marks the mistake of a condition, names its column, and leads to it', async () => {
    const page = await enter('webhooks/filter')
    await tryIt(page, "  us_state = 'NY'")
    await page.getByText('The mistake is in column 10:').waitFor()
    expect(await page.locator('mark').textContent()).toBe('=')
    expect(await condition(page).getAttribute('aria-invalid')).toBe('true')
    await page.getByText('Use == to compare.').waitFor()
    await page.getByRole('button', { name: 'Go to column 10' }).click()
    await page.keyboard.type('==')
    expect(await condition(page).inputValue()).toBe("us_state == 'NY'")

    await tryIt(page, "'🙂' == a and\n  b ==")
    await page.getByText('The mistake is in line 2, column 7:').waitFor()
    await tryIt(page, `us_state == ${HOSTILE.script}`)
    await page.getByText('The mistake is in column 13:').waitFor()
    expect(await page.locator('.fault code').textContent()).toContain('<script>')
    await tryIt(page, `us_state == ${HOSTILE.image}`)
    await page.locator('.fault code').getByText('<img src=x').waitFor()
    await tryIt(page, `us_state == ${HOSTILE.rightToLeft}`)
    await page.locator('mark').filter({ hasText: '\uFFFD' }).waitFor()
    expect(await page.title()).toBe('Try a filter condition – Lead Outreach')
  })

  it.each(["us_state = 'NY'", "us_state == 'NY'"])(
    'the trial shows nothing about the condition %s if it was changed before the answer came',
    async (text) => {
      const page = await enter('webhooks/filter')
      const changed = Promise.withResolvers<void>()
      await page.route('**/check-filter/', async (route) => {
        await changed.promise
        await route.fallback()
      })
      await tryIt(page, text)
      await condition(page).press('End')
      await page.keyboard.type(' ')
      const answered = page.waitForResponse('**/check-filter/')
      changed.resolve()
      await answered
      await has(page.getByRole('button', { name: 'Try', exact: true }), 'aria-disabled', 'false')
      expect(await page.getByText(/The mistake is|The condition/).count()).toBe(0)
      expect(await condition(page).getAttribute('aria-invalid')).toBe('false')
    },
  )

  it.each([
    ['{"a": ', 'This is not JSON.'],
    ['[1]', 'The payload must be an object'],
    [`{"a": ${'['.repeat(40)}${']'.repeat(40)}}`, 'Ensure this field has no more than 32 levels of nesting.'],
  ])('the trial refuses the payload %s beside the field', async (payload, sentence) => {
    const page = await enter('webhooks/filter')
    await tryIt(page, 'a', payload)
    await page.locator('#payload-errors').getByText(sentence).waitFor()
    expect(await page.getByLabel('Payload').getAttribute('aria-invalid')).toBe('true')
  })
})

describe('the keyboard in the views of webhooks', () => {
  it('a condition is tried and corrected, and a subscription is created, tested and deleted, with the keyboard alone', async () => {
    const page = await enter('webhooks')
    await page.getByRole('heading', { name: 'Webhooks', exact: true }).waitFor()
    const { press, focused, tabTo, type } = keyboardOf(page)
    expect(await focused()).toBe('Webhooks')
    await tabTo('New subscription')
    await press('Enter')
    await page.getByRole('heading', { name: 'New subscription' }).waitFor()
    await tabTo('URL')
    await type(`${URL_OF_NOBODY}/keys`)
    await tabTo('Call complete')
    await press('Space')
    await tabTo('Condition')
    await type("us_state =! 'NY'")
    await tabTo('Try the condition')
    await press('Enter')
    await page.getByRole('heading', { name: 'Try a filter condition' }).waitFor()
    await tabTo('Try')
    await press('Enter')
    await page.getByText('The mistake is in column 10:').waitFor()
    await eventually(async () => (await focused()) === 'Condition')
    await tabTo('Go to column 10')
    await press('Enter')
    expect(await focused()).toBe('Condition')
    await press('Delete', 'ArrowRight')
    await type('=')
    expect(await condition(page).inputValue()).toBe("us_state != 'NY'")
    await tabTo('Try')
    await press('Enter')
    await page.getByText('The condition does not match.').waitFor()
    await tabTo('Use in a new subscription')
    await press('Enter')
    await page.getByRole('heading', { name: 'New subscription' }).waitFor()
    await tabTo('URL')
    await press('Enter')

    await page.getByRole('heading', { name: /^Subscription \d+$/ }).waitFor()
    await page.getByText('There are no deliveries yet.').waitFor()
    await tabTo('Send a test')
    await press('Enter')
    await page.getByText('No answer').first().waitFor()
    expect(await focused()).toBe('Send a test')
    await tabTo('Resend')
    await press('Enter')
    await page.getByRole('status').getByText('The delivery will be sent again.').waitFor()
    expect(await focused()).toMatch(/^Resend: Call complete, Test, /)
    await tabTo('Delete')
    await press('Enter')
    await page.getByRole('dialog').waitFor()
    await press('Shift+Tab', 'Enter')
    await page.getByRole('status').getByText('The subscription is deleted.').waitFor()
    await page.getByRole('heading', { name: 'Webhooks', exact: true }).waitFor()
    expect(await focused()).toBe('Webhooks')
  })
})

describe('the buttons of deliveries', () => {
  it('the buttons that resend two tests of a subscription name the times of the tests', async () => {
    const { body } = await service().call('POST', '/api/webhooks/', { url: URL_OF_NOBODY, trigger: ['LEAD_CREATED'] })
    const test = { event_id: 'e', trigger: 'LEAD_CREATED', lead: null, status: 'pending', attempts: [] }
    const results = [5, 6].map((second) => ({ ...test, delivery_id: `${second}`, next_attempt_time: `2026-11-20T16:00:0${second}Z` }))
    const page = await enter('webhooks')
    await page.route('**/deliveries/**', (route) => route.fulfill({ json: { count: 2, next: null, previous: null, results } }))
    await page.goto(`${service().url}/console/#/webhooks/${body.id}`)
    for (const { next_attempt_time: time } of results)
      await page.getByRole('button', { name: `Resend: Lead created, Test, Fri, Nov 20, 5:00:${time.slice(17, 19)} PM` }).waitFor()
  })
})
