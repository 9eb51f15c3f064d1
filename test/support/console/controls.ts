import type { Page } from 'playwright-core'

/** Something in a view that a person can use. */
export interface Control {
  /** Name of its element, with its type if it is an input: `input date`. */
  readonly kind: string
  /** Its label or text. What differs between controls of the same work is left out: `link Lead #`. */
  readonly name: string
  readonly href: string | null
  /** Whether the view has it only for other controls: it has the same work as another one. */
  readonly isDuplicate: boolean
}

/**
 * Runs in the page. Remembers the controls that are shown, so that they are known by their place in the list. While a question is open,
 * nothing outside of it can be used.
 */
const COLLECT = `(() => {
  const nameOf = (e) => (e.labels?.[0]?.textContent ?? e.getAttribute('aria-label') ?? e.textContent ?? '').trim()
  const within = document.querySelector('dialog[open]') ?? document
  const all = [...within.querySelectorAll('a[href], button, input, select, textarea, summary, [tabindex], [contenteditable]')]
  const shown = all.filter((e) => e.checkVisibility() && !e.matches(':disabled') && (e.tabIndex >= 0 || e.hasAttribute('href')))
  globalThis.shownControls = shown.filter((e) => e.tabIndex >= 0)
  return shown.map((e) => ({
    kind: [e.localName, e.localName === 'input' ? e.type : ''].join(' ').trim(),
    name: nameOf(e),
    href: e.getAttribute('href'),
    isDuplicate: e.tabIndex < 0,
  }))
})()`

/** Tiles, links to leads, and the like do the same work each. */
export const shapeOf = (name: string): string =>
  name
    .replace(/^[A-Z]{2} (open|partly|closed), .*/, 'tile')
    .replace(/^Resend: .*/, 'Resend')
    .replaceAll(/\d+/g, '#')

export const controlsOf = async (page: Page): Promise<readonly Control[]> => {
  const found = await page.evaluate<Control[]>(COLLECT)
  return found.map((control) => ({ ...control, name: shapeOf(control.name) }))
}

/** The place of the control with the focus among those that were collected last. -1: another element has it. */
const PLACE = 'globalThis.shownControls.indexOf(document.activeElement)'

/** Most presses of the Tab key in a view. A field for a time takes one for each of its parts. */
const MOST_TABS = 500

/** Goes through the view with the Tab key. `visit`: at each control, with its place. */
export const tabThrough = async (page: Page, visit: (place: number) => Promise<unknown> | unknown): Promise<void> => {
  const seen = new Set<number>()
  await page.evaluate(
    "getSelection().removeAllRanges(), document.activeElement.blur(), scrollTo(0, 0), document.querySelector('.skip, h1')?.focus()",
  )
  let [last, tabs] = [-2, 0]
  for (; tabs < MOST_TABS; tabs++) {
    const place = await page.evaluate<number>(PLACE)
    if (place >= 0 && place !== last) {
      if (seen.has(place)) return
      seen.add(place)
      await visit(place)
    }
    last = place
    await page.keyboard.press('Tab')
  }
}

/** Events that a mouse or a finger causes. */
const OF_POINTERS = ['click', 'dblclick', 'mousedown', 'mouseup', 'pointerdown', 'pointerup', 'touchstart', 'touchend', 'drop']

/** Elements that listen to a pointer, besides those that the keyboard reaches. A form takes files that are dropped. */
const BY_KEYBOARD = new Set(['a', 'button', 'input', 'select', 'textarea', 'summary'])

/** The names of elements that react to a pointer alone. */
export const pointerOnly = async (page: Page): Promise<string[]> => {
  const session = await page.context().newCDPSession(page)
  const { result } = await session.send('Runtime.evaluate', { expression: 'document' })
  const { listeners } = await session.send('DOMDebugger.getEventListeners', { objectId: `${result.objectId}`, depth: -1 })
  const names: string[] = []
  for (const { type, backendNodeId } of listeners) {
    if (!OF_POINTERS.includes(type) || backendNodeId === undefined) continue
    const { node } = await session.send('DOM.describeNode', { backendNodeId })
    const isDropZone = type === 'drop' && node.localName === 'form'
    if (!BY_KEYBOARD.has(node.localName) && !isDropZone) names.push(`${type} on ${node.localName}`)
  }
  await session.detach()
  return names
}
