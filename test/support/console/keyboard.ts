import { expect } from '@jest/globals'
import type { Page } from 'playwright-core'
import { eventually } from '../eventually.ts'
import { shapeOf } from './controls.ts'

/** The text or label of the element that has the focus. */
const FOCUSED =
  "(() => { const e = document.activeElement; return (e.labels?.[0]?.textContent ?? e.getAttribute('aria-label') ?? e.textContent ?? '').trim() })()"

/** Most presses of the Tab key on the way to a control. The map has the most. */
const MOST_TABS = 120

/** Works with the keyboard alone. */
export const keyboardOf = (page: Page) => {
  const press = async (...keys: readonly string[]): Promise<void> => {
    for (const key of keys) await page.keyboard.press(key)
  }
  const focused = (): Promise<string> => page.evaluate(FOCUSED)
  /** Moves on with the Tab key until an element with this text or label has the focus, or one whose name has this shape. */
  const tabTo = async (name: string): Promise<void> => {
    const seen: string[] = []
    const isThere = () => seen.slice(-1).some((last) => [last, shapeOf(last)].includes(name))
    while (!isThere() && seen.length < MOST_TABS) {
      await press('Tab')
      seen.push(await focused())
    }
    expect({ seen, isThere: isThere() }).toMatchObject({ isThere: true })
  }
  /** The same for a button: a link may have the same text. */
  const tabToButton = async (name: string): Promise<void> => {
    do await tabTo(name)
    while (!(await page.evaluate<boolean>("document.activeElement.localName === 'button'")))
  }
  return { press, focused, tabTo, tabToButton, type: (text: string) => page.keyboard.type(text) }
}

/** Waits until the element with this text has the focus. The focus moves after the view is drawn. */
export const whenFocused = (page: Page, text: string): Promise<void> =>
  eventually(async () => (await page.evaluate('document.activeElement.textContent')) === text)

/** Confirms the question that opens. The focus is first on the way back, and the other answer is before it. */
export const confirmByKeys = async (page: Page): Promise<void> => {
  await page.getByRole('dialog').waitFor()
  await whenFocused(page, 'Go back')
  await keyboardOf(page).press('Shift+Tab', 'Enter')
}
