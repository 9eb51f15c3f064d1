import { mkdirSync } from 'node:fs'
import { AxeBuilder } from '@axe-core/playwright'
import { describe, expect, it } from '@jest/globals'
import type { Page } from 'playwright-core'
import { HOSTILE, uncalledLead } from '#test/support/console/people.ts'
import { consoleWorld } from '#test/support/console/world.ts'
import { type Service, until } from '#test/support/service.ts'

/** `SCREENS=docs/console` keeps a picture of each view. */
const FOLDER = process.env['SCREENS']

const { service, visit, enter } = consoleWorld()

interface View {
  readonly name: string
  readonly open: (options: object) => Promise<Page>
}

const calledLead = async (running: Service): Promise<number> => {
  const { body } = await running.call('POST', '/api/leads/', {
    ...{ phone_number: '+12125550001', email: 'ann@example.com', first_name: 'Ann', last_name: 'Lee' },
    ...{ us_state: 'NY', zip: '10001', external_id: 'A-17', lead_source: 'Partner' },
  })
  await until(
    () => running.call('GET', `/api/leads/${body.id}/`),
    (answer) => answer.body.status === 'CLOSED',
  )
  return body.id
}

/** Nothing listens at the destination, so that all attempts fail. */
const seedWebhooks = async (running: Service): Promise<number> => {
  const url = 'http://127.0.0.1:9/hooks/{{us_state}}'
  const fields = { url, trigger: ['LEAD_CREATED', 'CALL_COMPLETE', 'LEAD_CALLBACK_TO_TRANSFER'] }
  await running.call('POST', '/api/webhooks/', { ...fields, filter_condition: `metadata.note == '${HOSTILE.rightToLeft}'` })
  const { body } = await running.call('POST', '/api/webhooks/', { ...fields, filter_condition: "us_state == 'NY' and has('email')" })
  await running.call('POST', `/api/webhooks/${body.id}/test/`)
  return body.id
}

let people: Promise<{ called: number; waiting: number; webhook: number }> | undefined
/** Leads and subscriptions in different states. */
const seeded = () => {
  const seed = async () => {
    const running = service()
    const called = await calledLead(running)
    for (const first_name of ['Bob', 'Carla', 'Dmitri', HOSTILE.image]) await uncalledLead(running, { first_name })
    await uncalledLead(running, { first_name: 'Eve', call_dnc: true })
    const { id } = await uncalledLead(running, { first_name: 'Fatima', last_name: 'Diaz', us_state: 'HI', lead_source: 'Web form' })
    return { called, waiting: id, webhook: await seedWebhooks(running) }
  }
  people ??= seed()
  return people
}

const FILE = {
  name: 'leads.csv',
  mimeType: 'text/csv',
  buffer: Buffer.from('Lead ID,First Name,Phone,State,Shoe size\nU-1,Ann,(202) 555-0177,HI,38\nU-2,Bob,12,HI,42\n'),
}

let upload: Promise<string> | undefined
/** The id of a file with a mistake, once it is read. */
const uploaded = () => {
  const send = async () => {
    const running = service()
    const { body } = await running.call('POST', '/api/ingestion/upload/', { source: running.uploadSource, filename: FILE.name })
    await fetch(`${body['signed_url']}`, { method: 'PUT', body: FILE.buffer })
    await until(
      () => running.call('GET', `/api/ingestion/uploads/${body['upload_id']}/`),
      (answer) => answer.body.status === 'done',
    )
    return `${body['upload_id']}`
  }
  upload ??= send()
  return upload
}

const VIEWS: readonly View[] = [
  { name: 'sign-in', open: (options) => visit('', options) },
  {
    name: 'now',
    open: async (options) => {
      await seeded()
      const page = await enter('now', options)
      await page.getByRole('heading', { name: 'Held back' }).waitFor()
      return page
    },
  },
  {
    name: 'leads',
    open: async (options) => {
      await seeded()
      const page = await enter('leads', options)
      await page.getByRole('table').waitFor()
      return page
    },
  },
  {
    name: 'launch',
    open: async (options) => {
      await seeded()
      const page = await enter('launch', options)
      await page.getByLabel('Lead type').selectOption({ index: 1 })
      await page.getByText('May be called now').waitFor()
      return page
    },
  },
  {
    name: 'health',
    open: async (options) => {
      const page = await enter('health', options, service().staffApiKey)
      await page.getByRole('table').waitFor()
      return page
    },
  },
  {
    name: 'new-lead',
    open: async (options) => {
      const page = await enter('leads/new', options)
      await page.getByLabel('Phone number').fill('12')
      await page.getByRole('button', { name: 'Create the lead' }).click()
      await page.getByText('Correct the marked fields.').waitFor()
      return page
    },
  },
  {
    name: 'lead',
    open: async (options) => {
      const { waiting } = await seeded()
      const page = await enter(`leads/${waiting}`, options)
      await page.getByRole('heading', { name: 'The twelve checks before a call' }).waitFor()
      return page
    },
  },
  {
    name: 'called-lead',
    open: async (options) => {
      const { called } = await seeded()
      const page = await enter(`leads/${called}`, options)
      await page.getByRole('heading', { name: 'The twelve checks before a call' }).waitFor()
      await page.getByText('transferred').first().waitFor()
      return page
    },
  },
  {
    name: 'webhooks',
    open: async (options) => {
      await seeded()
      const page = await enter('webhooks', options)
      await page.getByRole('table').waitFor()
      return page
    },
  },
  {
    name: 'webhook',
    open: async (options) => {
      const { webhook } = await seeded()
      const page = await enter(`webhooks/${webhook}`, options)
      await page.getByText('No answer').first().waitFor()
      await page.getByText('Details').first().click()
      return page
    },
  },
  {
    name: 'new-webhook',
    open: async (options) => {
      const page = await enter('webhooks/new', options)
      await page.getByLabel('URL').fill('hooks.example.com')
      await page.getByRole('button', { name: 'Create the subscription' }).click()
      await page.getByText('Correct the marked fields.').waitFor()
      return page
    },
  },
  {
    name: 'filter',
    open: async (options) => {
      const page = await enter('webhooks/filter', options)
      await page.getByLabel('Condition', { exact: true }).fill("has('external_id') and us_state = 'NY'")
      await page.getByRole('button', { name: 'Try', exact: true }).click()
      await page.getByText('The mistake is in column').waitFor()
      return page
    },
  },
  {
    name: 'stops',
    open: async (options) => {
      const { otherApiKey: key, otherUserId } = service()
      await service().call('POST', `/api/users/${otherUserId}/pause-calls/`, undefined, key)
      const page = await enter('stops', options, key)
      await page.getByLabel('Phone number').fill('(202) 555-0188')
      await page.getByRole('button', { name: 'Look up' }).click()
      await page.getByRole('button', { name: 'Put on the list' }).waitFor()
      await page.getByText('All your calls are paused.').first().waitFor()
      return page
    },
  },
  {
    name: 'calls',
    open: async (options) => {
      await seeded()
      await until(
        () => service().call('GET', '/api/statistics/'),
        ({ body }) => JSON.stringify(body).includes('"CLOSED":1'),
      )
      const page = await enter('calls', options)
      await page.getByRole('link', { name: 'Closed', exact: true }).waitFor()
      for (const summary of await page.getByText('The same as numbers').all()) await summary.click()
      return page
    },
  },
  {
    name: 'map',
    open: async (options) => {
      const page = await enter('map', options)
      await page.getByRole('button', { name: /^TN / }).click()
      await page.getByRole('heading', { name: /^Tennessee/ }).waitFor()
      return page
    },
  },
  {
    name: 'question',
    open: async (options) => {
      const { waiting } = await seeded()
      const page = await enter(`leads/${waiting}`, options)
      await page.getByRole('button', { name: 'Do not contact' }).click()
      await page.getByRole('dialog').waitFor()
      return page
    },
  },
  {
    name: 'uploads',
    open: async (options) => {
      await uploaded()
      const page = await enter('uploads', options)
      await page.getByLabel('File', { exact: true }).setInputFiles(FILE)
      await page.getByRole('row', { name: 'Shoe size' }).waitFor()
      await page.getByRole('link', { name: 'leads.csv' }).waitFor()
      return page
    },
  },
  {
    name: 'upload',
    open: async (options) => {
      const page = await enter(`uploads/${await uploaded()}`, options)
      await page.getByRole('region', { name: 'Rejected rows' }).getByRole('table').waitFor()
      return page
    },
  },
]

const SIZES = { wide: { width: 1280, height: 900 }, phone: { width: 390, height: 844 } } as const
/** Higher than a screen, so that more of a long view is seen. */
const PICTURES = { wide: { width: 1280, height: 1100 }, phone: { width: 390, height: 1400 } } as const
const SCHEMES = ['light', 'dark'] as const

const CASES = VIEWS.flatMap((view) =>
  SCHEMES.flatMap((colorScheme) => (['wide', 'phone'] as const).map((size) => ({ view, colorScheme, size }))),
)

describe('every view of the console', () => {
  it.each(CASES.map((one) => [one.view.name, one.colorScheme, one.size, one] as const))(
    'the view %s of the console, %s and %s, has no fault that axe finds and does not scroll sideways',
    async (name, colorScheme, size, { view }) => {
      const page = await view.open({ colorScheme, viewport: SIZES[size] })
      const { violations } = await new AxeBuilder({ page }).analyze()
      expect(violations.map(({ id, nodes }) => ({ id, nodes: nodes.map(({ html }) => html) }))).toEqual([])
      const { scroll, client } = await page.evaluate(() => {
        // biome-ignore lint/suspicious/noExplicitAny: the tests do not know the types of browsers
        const root = (globalThis as any).document.documentElement
        return { scroll: root.scrollWidth, client: root.clientWidth }
      })
      expect(scroll).toBeLessThanOrEqual(client)
      if (FOLDER !== undefined && name !== 'question') {
        mkdirSync(FOLDER, { recursive: true })
        await page.setViewportSize(PICTURES[size])
        await page.screenshot({ path: `${FOLDER}/${name}-${size}-${colorScheme}.png` })
      }
    },
  )
})
