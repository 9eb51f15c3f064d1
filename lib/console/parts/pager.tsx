import type { LeadPage } from '../../client/operations.ts'
import { texts } from '../texts.ts'
import { focusHeading } from './heading.tsx'

interface PagerProps {
  readonly page: Pick<LeadPage, 'next' | 'previous'>
  /** The place of the list: `leads`. */
  readonly at: string
  /** The query of the address. Everything in it that does not name the page is kept. */
  readonly query: URLSearchParams
  /** Id of the heading of the list. Undefined: the heading of the view. */
  readonly heading?: string
}

/** The place in the console for a link of the API. Only what names the page is taken from the link. */
const placeFor = (link: string, at: string, query: URLSearchParams): string => {
  const target = new URL(link).searchParams
  const place = new URLSearchParams(query)
  for (const name of ['page', 'cursor']) {
    const value = target.get(name)
    if (value === null) place.delete(name)
    else place.set(name, value)
  }
  return place.size === 0 ? `#/${at}` : `#/${at}?${place}`
}

/** Links to the other pages of a list. They go with their page, so the heading of the list takes the focus. */
export const Pager = ({ page: { next, previous }, at, query, heading }: PagerProps) => {
  if (next === null && previous === null) return null
  const moveFocus = (): void => (heading === undefined ? focusHeading() : document.getElementById(heading)?.focus())
  return (
    <nav class="pager" aria-label={texts.pager.pages}>
      {previous !== null && (
        <a rel="prev" href={placeFor(previous, at, query)} onClick={moveFocus}>
          {texts.pager.previous}
        </a>
      )}
      {next !== null && (
        <a rel="next" href={placeFor(next, at, query)} onClick={moveFocus}>
          {texts.pager.next}
        </a>
      )}
    </nav>
  )
}
