import { useEffect } from 'preact/hooks'
import { texts } from '../texts.ts'

/** Moves the focus to the heading of the view that is shown, so that screen readers say where the user is. */
export const focusHeading = (): void => {
  const shown = [...document.querySelectorAll('h1')].find((heading) => heading.checkVisibility())
  if (!shown) return
  document.title = `${shown.textContent} – ${texts.product}`
  shown.focus()
}

/** The heading of a view. It takes the focus when the view opens. */
export const Heading = ({ text }: { readonly text: string }) => {
  useEffect(focusHeading, [text])
  return <h1 tabIndex={-1}>{text}</h1>
}
