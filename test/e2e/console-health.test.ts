import { describe, expect, it } from '@jest/globals'
import { HOSTILE } from '#test/support/console/people.ts'
import { wholeAnswer } from '#test/support/console/whole-answer.ts'
import { consoleWorld } from '#test/support/console/world.ts'

const { service, enter } = consoleWorld()

describe('the view Health', () => {
  it('the view Health shows staff the queues and the voice agents', async () => {
    const page = await enter('now', {}, service().staffApiKey)
    await page.getByRole('link', { name: 'Health' }).press('Enter')
    for (const queue of ['Calls', 'Webhooks', 'Bulk updates', 'Files', 'Events', 'Changes without an event', 'Changes without statistics'])
      await page.getByRole('rowheader', { name: queue, exact: true }).waitFor()
    await page.getByText('All voice agents get calls.').waitFor()
    expect(await page.getByText('Amazon Connect').filter({ visible: true }).count()).toBe(0)
  })

  it('the view Health says of dead letters and of an agent without calls what happened, and what to do', async () => {
    const page = await enter('now', {}, service().staffApiKey)
    await page.route('**/api/health/details/', async (route) => {
      const response = await wholeAnswer(route)
      const { queues } = await response.json()
      const since = '2026-11-20T15:00:00Z'
      await route.fulfill({
        response,
        json: {
          queues: queues.map((one: { queue: string }) => ({
            ...one,
            dead_letters: ['deliveries', 'uncounted'].includes(one.queue) ? 3 : 0,
          })),
          agents_down: [{ agent: HOSTILE.script, since, until: '2026-11-20T17:00:00Z', reason: 'The agent answered 500.' }],
        },
      })
    })
    await page.getByRole('link', { name: 'Health' }).click()
    await page.getByRole('row', { name: /^Webhooks \d+ \d+ \d+ 3$/ }).waitFor()
    await page.getByText('Webhooks failed for hours. Their receivers do not get them.').waitFor()
    await page.getByText('npm run ops -- redrive deliveries').waitFor()
    await page.getByText('The log of count-changes says why.').waitFor()
    await page.getByText('These dead letters cannot be sent again.').waitFor()
    expect(await page.getByText('redrive uncounted').count()).toBe(0)
    expect(await page.getByText('Some calls could not start.').count()).toBe(0)
    const agents = page.getByRole('region', { name: 'Voice agents' })
    await agents.getByText(HOSTILE.script).waitFor()
    await agents.getByText('The agent answered 500.').waitFor()
    await agents.getByText(/^Since Fri, Nov 20, 2026, 4:00 PM GMT\+1. Next try: Fri, Nov 20, 2026, 6:00 PM/).waitFor()
    await agents.getByText('Check the agent, its address and its account.').waitFor()
  })

  it('the view Health tells what to do about each alarm', async () => {
    const page = await enter('health', {}, service().staffApiKey)
    const alarms = page.getByRole('region', { name: 'What to do about an alarm' })
    await alarms.getByText('SweepStopped').click()
    await alarms.getByText('check in EventBridge that the rule of the sweep is enabled').waitFor()
  })

  it.each(['Health', 'Users'])('a user who is not staff learns that the view %s is for staff, and goes on from there', async (view) => {
    const page = await enter(view.toLowerCase())
    await page.getByRole('heading', { name: view, exact: true }).waitFor()
    await page.getByText(`${view} is for staff.`).waitFor()
    expect(await page.getByRole('link', { name: view }).count()).toBe(0)
    await page.getByRole('link', { name: 'Open the view Now' }).click()
    await page.getByRole('heading', { name: 'Now', exact: true }).waitFor()
  })
})
