import { expect } from '@jest/globals'
import type { Page } from 'playwright-core'

/** The text or label of the element that has the focus. */
const FOCUSED =
  "(() => { const e = document.activeElement; return (e.labels?.[0]?.textContent ?? e.getAttribute('aria-label') ?? e.textContent ?? '').trim() })()"

/** Works with the keyboard alone. */
export const keyboardOf = (page: Page) => {
  const press = async (...keys: readonly string[]): Promise<void> => {
    for (const key of keys) await page.keyboard.press(key)
  }
  const focused = (): Promise<string> => page.evaluate(FOCUSED)
  /** Moves on with the Tab key until an element with this text or label has the focus. */
  const tabTo = async (name: string): Promise<void> => {
    const seen: string[] = []
    while (seen.at(-1) !== name && seen.length < 60) {
      await press('Tab')
      seen.push(await focused())
    }
    expect(seen.at(-1)).toBe(name)
  }
  return { press, focused, tabTo, type: (text: string) => page.keyboard.type(text) }
}
