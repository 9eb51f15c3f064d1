import { describe, it } from '@jest/globals'
import { newConsolePhone, uncalledLead } from '#test/support/console/people.ts'
import { consoleWorld } from '#test/support/console/world.ts'

const { service, enter } = consoleWorld()

describe('the view Before launch', () => {
  it('the view Before launch shows when the leads of a lead type would be called, and which are skipped', async () => {
    const running = service()
    await uncalledLead(running)
    await uncalledLead(running)
    const phone_number = newConsolePhone()
    await running.call('POST', '/api/dnc/', { phone_number })
    await uncalledLead(running, { phone_number })
    const { body: user } = await running.call('GET', '/api/users/me/')
    const { body: type } = await running.call('GET', `/api/lead-types/${user['default_lead_type']}/`)
    const page = await enter('launch')
    await page.getByRole('option', { name: `${type['name']}` }).waitFor({ state: 'attached' })
    // By keyboard: the letters of its name choose an option.
    await page.getByLabel('Lead type').focus()
    await page.keyboard.type(`${type['name']}`)
    await page.keyboard.press('Enter')
    await page.getByText('Leads of this type that are open or wait for a callback: 3.').waitFor()
    await page.getByText('May be called now: 0').waitFor()
    const cell = (row: RegExp, name: string) => page.getByRole('row', { name: row }).getByRole('cell', { name })
    await cell(/Nov 20, 2026, 7:00 PM/, '2').waitFor()
    await cell(/Do not contact/, '1').waitFor()
  })

  it('the view Before launch says that a lead type of somebody else is not found', async () => {
    const page = await enter('launch/2000000000')
    await page.getByRole('alert').getByText('There is no such lead type').waitFor()
  })
})
