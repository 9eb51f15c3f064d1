import { expect } from '@jest/globals'
import type { Page } from 'playwright-core'
import { shapeOf } from './controls.ts'
import type { keyboardOf } from './keyboard.ts'

type Keys = ReturnType<typeof keyboardOf>

export interface Used {
  readonly page: Page
  readonly keys: Keys
  readonly apiKey: string
  /** Resolves when such an address has answered after the key press, perhaps before this is called. */
  readonly answered: (address: RegExp) => Promise<unknown>
}

/** A button, and what shows that the key that pressed it had its effect. */
export interface Action {
  /** Its name, with # for numbers. */
  readonly button: string
  /** Keyboard work that must come before. */
  readonly first?: (used: Used) => Promise<unknown>
  readonly effect: (used: Used) => Promise<unknown>
}

export const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { name }).first().waitFor()
export const text = (page: Page, shown: string | RegExp) => page.getByText(shown).first().waitFor()

/** Leaves the question once by Escape and once by its button, and then confirms it. */
export const confirmed =
  (verb: string, done: (used: Used) => Promise<unknown>): Action['effect'] =>
  async (used) => {
    const { page, keys } = used
    const gone = () => page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.getByRole('dialog').waitFor()
    expect(await keys.focused()).toBe('Go back')
    await keys.press('Escape')
    await gone()
    expect(shapeOf(await keys.focused())).toBe(verb)
    await keys.press('Enter')
    await page.getByRole('dialog').waitFor()
    await keys.press('Enter')
    await gone()
    await keys.press('Enter')
    await page.getByRole('dialog').waitFor()
    await keys.press('Shift+Tab')
    expect(shapeOf(await keys.focused())).toBe(verb)
    await keys.press('Enter')
    await gone()
    await done(used)
  }

export const scheduled = (page: Page, time: string) =>
  page.getByRole('region', { name: 'Schedule a call' }).getByText(time).first().waitFor()

export const backTo = async ({ page }: Used, name: string | RegExp): Promise<void> => {
  await page.goBack()
  await heading(page, name)
}

export const typeInto = async ({ keys }: Used, field: string, value: string): Promise<void> => {
  await keys.tabTo(field)
  await keys.press('ControlOrMeta+a')
  await keys.type(value)
}
