import type { LeadPage } from '../../client/operations.ts'
import { texts } from '../texts.ts'
import { focusHeading } from './heading.tsx'

interface ListPlace {
  /** The place of the list: `leads`. */
  readonly at: string
  /** The query of the address. Everything in it that does not name the page is kept. */
  readonly query: URLSearchParams
  /** Id of the heading of the list. Undefined: the heading of the view. */
  readonly heading?: string
}

interface PagerProps extends ListPlace {
  readonly page: Pick<LeadPage, 'next' | 'previous'>
}

/** The place in the console for the query of a link of the API. Only what names the page is taken from it. */
const placeFor = (target: URLSearchParams, { at, query }: ListPlace): string => {
  const place = new URLSearchParams(query)
  for (const name of ['page', 'cursor']) {
    const value = target.get(name)
    if (value === null) place.delete(name)
    else place.set(name, value)
  }
  return place.size === 0 ? `#/${at}` : `#/${at}?${place}`
}

/** The links go with their page, so the heading of the list takes the focus. */
const moveFocusTo = (heading: string | undefined) => (): void =>
  heading === undefined ? focusHeading() : document.getElementById(heading)?.focus()

/** The way out when an address names a page that does not exist. */
export const FirstPage = (list: ListPlace) => (
  <a href={placeFor(new URLSearchParams(), list)} onClick={moveFocusTo(list.heading)}>
    {texts.pager.first}
  </a>
)

/** Links to the other pages of a list. */
export const Pager = ({ page: { next, previous }, ...list }: PagerProps) => {
  if (next === null && previous === null) return null
  const moveFocus = moveFocusTo(list.heading)
  return (
    <nav class="pager" aria-label={texts.pager.pages}>
      {previous !== null && (
        <a rel="prev" href={placeFor(new URL(previous).searchParams, list)} onClick={moveFocus}>
          {texts.pager.previous}
        </a>
      )}
      {next !== null && (
        <a rel="next" href={placeFor(new URL(next).searchParams, list)} onClick={moveFocus}>
          {texts.pager.next}
        </a>
      )}
    </nav>
  )
}
