import { useEffect, useLayoutEffect, useState } from 'preact/hooks'
import { texts } from '../texts.ts'

const shownHeading = () => [...document.querySelectorAll('h1')].find((heading) => heading.checkVisibility())

/** The text of the heading of the view that is shown: `Lead 52`. */
export const shownTitle = (): string => shownHeading()?.textContent ?? ''

/** Moves the focus to the heading of the view that is shown, so that screen readers say where the user is. */
export const focusHeading = (): void => {
  const shown = shownHeading()
  if (!shown) return
  document.title = `${shown.textContent} – ${texts.product}`
  shown.focus()
}

/** The heading of a view. It takes the focus as soon as the view opens: later, it could take the focus from a field that somebody fills. */
export const Heading = ({ text }: { readonly text: string }) => {
  useLayoutEffect(focusHeading, [text])
  return <h1 tabIndex={-1}>{text}</h1>
}

/**
 * For an action that removes its own button, and with it the focus. The heading takes the focus once the view is drawn again: until a
 * question is gone, nothing outside of it can have the focus.
 */
export const useHeadingFocus = (): (() => void) => {
  const [count, setCount] = useState(0)
  useEffect(() => {
    if (count > 0) focusHeading()
  }, [count])
  return () => setCount((before) => before + 1)
}
