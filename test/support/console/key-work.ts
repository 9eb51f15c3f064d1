import { expect } from '@jest/globals'
import type { Page } from 'playwright-core'
import { eventually, until } from '#test/support/eventually.ts'
import type { Control } from './controls.ts'

/** What the focused control shows: its value, or whether it is open or checked. */
const STATE = `(() => {
  const e = document.activeElement
  if (e.localName === 'summary') return String(e.parentElement.open)
  return e.type === 'checkbox' ? String(e.checked) : e.value
})()`

/** Keys are only tried on a link: to follow it would end the view. */
const HOLD_LINKS = `(() => {
  globalThis.followed = undefined
  if (globalThis.areLinksHeld) return
  globalThis.areLinksHeld = true
  addEventListener('click', (event) => {
    const link = event.target.closest('a[href]')
    if (!link || !globalThis.areLinksHeld) return
    event.preventDefault()
    globalThis.followed = link.getAttribute('href')
  }, true)
})()`

const RELEASE_LINKS = 'globalThis.areLinksHeld = false'

const FIXED = "document.activeElement.readOnly || document.activeElement.querySelectorAll?.('option:enabled').length === 1"

const PLACES = /^#\/(now|leads|launch|calls|map|uploads|webhooks|stops|health|users)\b/

/** The work of each kind of control, by the keyboard alone, and back. The control has the focus. */
export const keyWork = (page: Page) => {
  let choosers = 0
  // Listen early: the browser must know that choosers are intercepted before a key opens one.
  page.on('filechooser', () => choosers++)
  const state = (): Promise<string> => page.evaluate(STATE)
  const changed = async (before: string): Promise<void> => {
    expect(await until(state, (now) => now !== before)).not.toBe(before)
  }
  const restored = async (before: string): Promise<void> => {
    expect(await until(state, (now) => now === before)).toBe(before)
  }
  const thereAndBack = async (there: string, back: string): Promise<void> => {
    const before = await state()
    await page.keyboard.press(there)
    await changed(before)
    await page.keyboard.press(back)
    await restored(before)
  }
  const type = async (text: string): Promise<void> => {
    const before = await state()
    // The Tab key selects the text of a field, which a letter would replace.
    await page.keyboard.press('End')
    await page.keyboard.type(text)
    await changed(before)
    for (const _ of text) await page.keyboard.press('Backspace')
    await restored(before)
  }
  const typeTime = async (): Promise<void> => {
    await page.keyboard.type('112320261030A')
    expect(await until(state, (now) => now !== '')).toMatch(/^2026-11-23/)
  }
  const choose = async (): Promise<void> => {
    const isLast = await page.evaluate<boolean>('!document.activeElement.selectedOptions[0]?.nextElementSibling')
    await thereAndBack(isLast ? 'ArrowUp' : 'ArrowDown', isLast ? 'ArrowDown' : 'ArrowUp')
  }
  const slide = async (): Promise<void> => {
    const isLast = await page.evaluate<boolean>('document.activeElement.value === document.activeElement.max')
    await thereAndBack(isLast ? 'ArrowLeft' : 'ArrowRight', isLast ? 'ArrowRight' : 'ArrowLeft')
  }
  const follow = async ({ href }: Control): Promise<void> => {
    await page.evaluate(HOLD_LINKS)
    await page.keyboard.press('Enter')
    expect(await page.evaluate('globalThis.followed')).toBe(href)
    await page.evaluate(RELEASE_LINKS)
    if (href?.startsWith('#')) expect(href).toMatch(PLACES)
  }
  const openFile = async (): Promise<void> => {
    const before = choosers
    await page.keyboard.press('Enter')
    await eventually(() => choosers > before)
  }
  /** A part that was opened stays open, so that the controls in it come next. */
  const unfold = async (): Promise<void> => {
    const before = await state()
    await page.keyboard.press('Enter')
    await changed(before)
    if (before === 'true') await page.keyboard.press('Enter')
  }

  const works: Readonly<Record<string, (control: Control) => Promise<void>>> = {
    a: follow,
    summary: unfold,
    select: choose,
    textarea: () => type('x'),
    'input checkbox': () => thereAndBack('Space', 'Space'),
    'input range': slide,
    'input datetime-local': typeTime,
    'input file': openFile,
  }
  return async (control: Control): Promise<void> => {
    const isFixed = await page.evaluate<boolean>(FIXED)
    const work = works[control.kind] ?? (() => type('x'))
    if (!isFixed) await work(control)
  }
}
