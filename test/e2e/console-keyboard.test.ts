import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { Page, Response } from 'playwright-core'
import { ACTIONS } from '#test/support/console/actions.ts'
import { type Control, controlsOf, pointerOnly, tabThrough } from '#test/support/console/controls.ts'
import { keyWork } from '#test/support/console/key-work.ts'
import { keyboardOf } from '#test/support/console/keyboard.ts'
import { newConsolePhone } from '#test/support/console/people.ts'
import { consoleViews } from '#test/support/console/views.ts'
import { consoleWorld } from '#test/support/console/world.ts'
import { eventually } from '#test/support/eventually.ts'
import { type Receiver, startReceiver } from '#test/support/receiver.ts'
import { until } from '#test/support/service.ts'

const world = consoleWorld()
const { service, enter } = world

let receiver: Receiver
beforeAll(async () => {
  receiver = await startReceiver({ respond: ({ path }) => ({ status: path.endsWith('/fine') ? 200 : 410 }) })
})
afterAll(() => receiver?.close())

const disabledWebhook = async (): Promise<Page> => {
  const { body } = await service().call('POST', '/api/webhooks/', { url: receiver.url, trigger: ['LEAD_LOST'] })
  await service().call('POST', `/api/webhooks/${body.id}/test/`)
  await until(
    () => service().call('GET', `/api/webhooks/${body.id}/`),
    ({ body: webhook }) => webhook['disabled_time'] !== null,
  )
  const page = await enter(`webhooks/${body.id}`)
  await page.getByRole('button', { name: 'Enable' }).waitFor()
  return page
}

const arrivedDelivery = async (): Promise<Page> => {
  const { body } = await service().call('POST', '/api/webhooks/', { url: `${receiver.url}/fine`, trigger: ['LEAD_LOST'] })
  await service().call('POST', `/api/webhooks/${body.id}/test/`)
  const page = await enter(`webhooks/${body.id}`)
  await page.getByText('Delivered', { exact: true }).waitFor()
  return page
}

const MANY = 'many-by-keys'

/** A look-up that finds more leads than a page holds. */
const lookedUp = async (): Promise<Page> => {
  const leads = Array.from({ length: 30 }, () => ({ phone_number: newConsolePhone(), status: 'OUT_OF_TERRITORY', external_id: MANY }))
  await service().call('POST', '/api/leads/bulk-create/', { leads })
  const page = await enter('leads')
  await page.getByLabel('Look up by').selectOption('Id in your own system')
  await page.getByLabel('Value').fill(MANY)
  await page.getByRole('button', { name: 'Look up', exact: true }).click()
  await page.getByRole('button', { name: 'Next page' }).waitFor()
  return page
}

const missingLead = async (): Promise<Page> => {
  const page = await enter('leads/2000000000')
  await page.getByRole('button', { name: 'Try again' }).waitFor()
  return page
}

const VIEWS = [
  ...consoleViews(world).filter(({ name }) => name !== 'question'),
  { name: 'disabled-webhook', open: disabledWebhook },
  { name: 'missing-lead', open: missingLead },
  { name: 'arrived-delivery', open: arrivedDelivery },
]

/** Views that show the same as another one, in another state. */
const SAME: Readonly<Record<string, string>> = {
  'called-lead': 'lead',
  'disabled-webhook': 'webhook',
  'arrived-delivery': 'webhook',
}

const sameAs = (name: string): string => SAME[name] ?? name

/** The buttons around each view. One view is enough to press them. */
const AROUND = ['Skip to the content', 'Sign out', 'Dismiss the message', 'Back to your own user']

/** The buttons that a test of this suite presses in a view, or around it. */
const pressedIn = (view: string): readonly string[] => {
  const actions = Object.entries(ACTIONS).flatMap(([name, ofName]) => (sameAs(name) === sameAs(view) ? ofName : []))
  return [...AROUND, ...actions.map(({ button }) => button)]
}

const buttonsIn = (controls: readonly Control[]): string[] => controls.filter(({ kind }) => kind === 'button').map(({ name }) => name)

/** The controls that the Tab key does not reach. Parts of a view may come while it goes through. */
const unreached = async (page: Page): Promise<string[]> => {
  const controls = await controlsOf(page)
  const reached = new Set<number>()
  await tabThrough(page, (place) => reached.add(place))
  const targets = controls.filter(({ isDuplicate }) => !isDuplicate)
  const links = new Set(targets.map(({ href }) => href))
  const missed = targets.filter((_, place) => !reached.has(place))
  const single = controls.filter(({ isDuplicate, href }) => isDuplicate && !links.has(href))
  return [...missed, ...single].map(({ kind, name, href }) => `${kind} ${name} ${href ?? ''}`)
}

/** Works each control of a view, but buttons, where the Tab key meets it. Of those with the same work, one. */
const workAll = async (page: Page): Promise<string[]> => {
  const done = new Set<string>()
  const work = keyWork(page)
  const shapeOf = ({ kind, name }: Control): string => `${kind} ${name}`
  const open = async (): Promise<Control[]> => {
    const controls = await controlsOf(page)
    return controls.filter((control) => !control.isDuplicate && control.kind !== 'button' && !done.has(shapeOf(control)))
  }
  // A control may open a part of the view with further controls, or load a list again.
  const round = async (): Promise<Control[]> => {
    const controls = (await controlsOf(page)).filter(({ isDuplicate }) => !isDuplicate)
    await tabThrough(page, async (place) => {
      const control = controls[place]
      if (!control || control.kind === 'button' || done.has(shapeOf(control))) return
      done.add(shapeOf(control))
      await work(control)
    })
    return open()
  }
  return (await until(round, (left) => left.length === 0)).map(shapeOf)
}

describe('the console with the keyboard alone', () => {
  it.each(VIEWS.map((view) => [view.name, view] as const))(
    'every control of the view %s is used with the keyboard alone',
    async (name, view) => {
      const page = await view.open()
      const keys = keyboardOf(page)
      const began = await page.title()
      const seen = new Set(buttonsIn(await controlsOf(page)))
      /** An action may lead to another view, which has its own test. */
      const see = async (): Promise<void> => {
        const there = buttonsIn(await controlsOf(page))
        if ((await page.title()) === began) for (const each of there) seen.add(each)
      }
      expect(await workAll(page)).toEqual([])
      expect(
        await until(
          () => unreached(page),
          (missed) => missed.length === 0,
        ),
      ).toEqual([])
      expect(await pointerOnly(page)).toEqual([])

      if (name === 'uploads') await page.route(/X-Amz-Signature/, () => {})
      for (const { button, first, effect } of ACTIONS[name] ?? []) {
        const answers: string[] = []
        const answered = (address: RegExp) => eventually(() => answers.some((answer) => address.test(answer)))
        const used = { page, keys, apiKey: service().apiKey, answered }
        await first?.(used)
        await see()
        await keys.tabToButton(button)
        const keep = (response: Response): number => answers.push(response.url())
        page.on('response', keep)
        await keys.press('Enter')
        await effect(used)
        await see()
      }
      const pressed = [...pressedIn(name), 'Go back']
      expect([...seen].filter((button) => !pressed.includes(button))).toEqual([])
    },
  )

  it('the pages of a look-up are turned with the keyboard alone', async () => {
    const page = await lookedUp()
    const keys = keyboardOf(page)
    for (const [button, other, rows] of [
      ['Next page', 'Previous page', 5],
      ['Previous page', 'Next page', 25],
    ] as const) {
      await keys.tabToButton(button)
      await keys.press('Enter')
      await page.getByRole('button', { name: other }).waitFor()
      expect(await page.getByRole('rowheader').count()).toBe(rows)
      expect(await keys.focused()).toBe('Leads')
    }
  })
})
