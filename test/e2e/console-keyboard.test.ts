import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { Page, Response } from 'playwright-core'
import { ACTIONS } from '#test/support/console/actions.ts'
import { type Control, controlsOf, pointerOnly, tabThrough } from '#test/support/console/controls.ts'
import { keyWork } from '#test/support/console/key-work.ts'
import { keyboardOf } from '#test/support/console/keyboard.ts'
import { consoleViews } from '#test/support/console/views.ts'
import { consoleWorld } from '#test/support/console/world.ts'
import { eventually } from '#test/support/eventually.ts'
import { type Receiver, startReceiver } from '#test/support/receiver.ts'
import { until } from '#test/support/service.ts'

const world = consoleWorld()
const { service, enter } = world

let receiver: Receiver
beforeAll(async () => {
  receiver = await startReceiver({ respond: () => ({ status: 410 }) })
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

const missingLead = async (): Promise<Page> => {
  const page = await enter('leads/2000000000')
  await page.getByRole('button', { name: 'Try again' }).waitFor()
  return page
}

const VIEWS = [
  ...consoleViews(world).filter(({ name }) => name !== 'question'),
  { name: 'disabled-webhook', open: disabledWebhook },
  { name: 'missing-lead', open: missingLead },
]

/** The buttons that a test of this suite presses, in any view. */
const PRESSED = new Set(Object.values(ACTIONS).flatMap((actions) => actions.map(({ button }) => button)))

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
      const seen = new Set(buttonsIn(await controlsOf(page)))
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
        await keys.tabToButton(button)
        for (const each of buttonsIn(await controlsOf(page))) seen.add(each)
        const keep = (response: Response): number => answers.push(response.url())
        page.on('response', keep)
        await keys.press('Enter')
        await effect(used)
        for (const each of buttonsIn(await controlsOf(page))) seen.add(each)
      }
      expect([...seen].filter((button) => !PRESSED.has(button) && button !== 'Go back')).toEqual([])
    },
  )
})
