import { describe, it } from '@jest/globals'
import { consoleWorld } from '#test/support/console/world.ts'

const { service, enter } = consoleWorld()

describe('the view Health', () => {
  it('the view Health shows staff the queues and the voice agents', async () => {
    const page = await enter('now', {}, service().staffApiKey)
    await page.getByRole('link', { name: 'Health' }).press('Enter')
    for (const queue of ['Calls', 'Webhooks', 'Bulk updates', 'Files'])
      await page.getByRole('rowheader', { name: queue, exact: true }).waitFor()
    await page.getByText('All voice agents get calls.').waitFor()
  })

  it('the view Health refuses a user who is not staff, and is not in the navigation', async () => {
    const page = await enter('health')
    await page.getByRole('alert').getByText('You do not have permission').waitFor()
    await page.getByRole('link', { name: 'Health' }).waitFor({ state: 'detached' })
  })
})
