import type { Page } from 'playwright-core'
import { until } from '../service.ts'
import { HOSTILE, uncalledLead } from './people.ts'
import { calledLead, seedNow, seedWebhooks } from './seeds.ts'
import type { ConsoleWorld } from './world.ts'

/** A view of the console, with something to see in it. */
interface View {
  readonly name: string
  readonly open: () => Promise<Page>
}

/** Every view, by the name of its picture. */
export const consoleViews = ({ service, visit, enter }: Pick<ConsoleWorld, 'service' | 'visit' | 'enter'>): readonly View[] => {
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

  return [
    { name: 'sign-in', open: () => visit() },
    {
      name: 'now',
      open: async () => {
        await seeded()
        await seedNow(service())
        const page = await enter('now')
        await page.getByRole('region', { name: 'Calls in progress' }).getByRole('link').waitFor()
        await page.getByText('1 of 1 waits for another attempt').first().waitFor()
        return page
      },
    },
    {
      name: 'leads',
      open: async () => {
        await seeded()
        const page = await enter('leads')
        await page.getByRole('table').waitFor()
        return page
      },
    },
    {
      name: 'launch',
      open: async () => {
        await seeded()
        const page = await enter('launch')
        await page.getByLabel('Lead type').selectOption({ index: 1 })
        await page.getByText('May be called now').waitFor()
        return page
      },
    },
    {
      name: 'health',
      open: async () => {
        const page = await enter('health', {}, service().staffApiKey)
        await page.getByRole('table').waitFor()
        return page
      },
    },
    {
      name: 'users',
      open: async () => {
        const page = await enter('users', {}, service().staffApiKey)
        await page.getByRole('button', { name: 'Work for this user: Demo' }).click()
        await page.getByRole('complementary', { name: 'Chosen user' }).waitFor()
        await page.getByRole('link', { name: 'Users' }).click()
        await page.getByRole('heading', { name: 'Users', exact: true }).waitFor()
        await page.getByRole('table').waitFor()
        return page
      },
    },
    {
      name: 'new-lead',
      open: async () => {
        const page = await enter('leads/new')
        await page.getByLabel('Phone number').fill('12')
        await page.getByRole('button', { name: 'Create the lead' }).click()
        await page.getByText('Correct the marked fields.').waitFor()
        return page
      },
    },
    {
      name: 'edit-lead',
      open: async () => {
        const { id } = await uncalledLead(service(), { last_name: 'Ito' })
        const page = await enter(`leads/${id}/edit`)
        await page.getByLabel('Last name').waitFor()
        return page
      },
    },
    {
      name: 'lead',
      open: async () => {
        const { waiting } = await seeded()
        const page = await enter(`leads/${waiting}`)
        await page.getByRole('heading', { name: 'The checks before a call' }).waitFor()
        return page
      },
    },
    {
      name: 'called-lead',
      open: async () => {
        const { called } = await seeded()
        const page = await enter(`leads/${called}`)
        await page.getByRole('heading', { name: 'The checks before a call' }).waitFor()
        await page.getByText('transferred').first().waitFor()
        return page
      },
    },
    {
      name: 'webhooks',
      open: async () => {
        await seeded()
        const page = await enter('webhooks')
        await page.getByRole('table').waitFor()
        return page
      },
    },
    {
      name: 'webhook',
      open: async () => {
        const { webhook } = await seeded()
        const page = await enter(`webhooks/${webhook}`)
        await page.getByText('No answer').first().waitFor()
        await page.getByText('Details').first().click()
        return page
      },
    },
    {
      name: 'new-webhook',
      open: async () => {
        const page = await enter('webhooks/new')
        await page.getByLabel('URL').fill('hooks.example.com')
        await page.getByRole('button', { name: 'Create the subscription' }).click()
        await page.getByText('Correct the marked fields.').waitFor()
        return page
      },
    },
    {
      name: 'filter',
      open: async () => {
        const page = await enter('webhooks/filter')
        await page.getByLabel('Condition', { exact: true }).fill("has('external_id') and us_state = 'NY'")
        await page.getByRole('button', { name: 'Try', exact: true }).click()
        await page.getByText('The mistake is in column').waitFor()
        return page
      },
    },
    {
      name: 'stops',
      open: async () => {
        const { otherApiKey: key, otherUserId } = service()
        await service().call('POST', `/api/users/${otherUserId}/pause-calls/`, undefined, key)
        const page = await enter('stops', {}, key)
        await page.getByLabel('Phone number').fill('(202) 555-0188')
        await page.getByRole('button', { name: 'Look up' }).click()
        await page.getByRole('button', { name: 'Put on the list' }).waitFor()
        await page.getByText('All your calls are paused.').first().waitFor()
        return page
      },
    },
    {
      name: 'calls',
      open: async () => {
        await seeded()
        await until(
          () => service().call('GET', '/api/statistics/'),
          ({ body }) => JSON.stringify(body).includes('"CLOSED":1'),
        )
        const page = await enter('calls')
        await page.getByRole('link', { name: 'Closed', exact: true }).waitFor()
        for (const summary of await page.getByText('The same as numbers').all()) await summary.click()
        return page
      },
    },
    {
      name: 'map',
      open: async () => {
        const page = await enter('map')
        await page.getByRole('button', { name: /^TN / }).click()
        await page.getByRole('heading', { name: /^Tennessee/ }).waitFor()
        return page
      },
    },
    {
      name: 'question',
      open: async () => {
        const { waiting } = await seeded()
        const page = await enter(`leads/${waiting}`)
        await page.getByRole('button', { name: 'Do not contact' }).click()
        await page.getByRole('dialog').waitFor()
        return page
      },
    },
    {
      name: 'uploads',
      open: async () => {
        await uploaded()
        const page = await enter('uploads')
        await page.getByLabel('File', { exact: true }).setInputFiles(FILE)
        await page.getByRole('row', { name: 'Shoe size' }).waitFor()
        await page.getByRole('link', { name: 'leads.csv' }).waitFor()
        return page
      },
    },
    {
      name: 'upload',
      open: async () => {
        const page = await enter(`uploads/${await uploaded()}`)
        await page.getByRole('region', { name: 'Rejected rows' }).getByRole('table').waitFor()
        return page
      },
    },
  ]
}
