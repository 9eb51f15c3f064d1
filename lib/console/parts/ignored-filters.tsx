import { texts } from '../texts.ts'
import { focusHeading } from './heading.tsx'
import { QuotedText } from './quoted-text.tsx'

const OF_PAGES = ['page', 'cursor']

interface IgnoredFiltersProps {
  readonly query: URLSearchParams
  /** The place with only those filters that the view applies. */
  readonly place: string
  /** A filter that is never in the place, because it applies without one: `days=30`. */
  readonly usual?: string
}

/** Says which filters of an address the view does not know, so that nobody takes a whole list for a part of it. */
export const IgnoredFilters = ({ query, place, usual = '' }: IgnoredFiltersProps) => {
  const applied = new URLSearchParams(place.split('?')[1])
  const ignored = [...query]
    .filter(([name, value]) => value !== '' && !OF_PAGES.includes(name) && !applied.has(name))
    .map(([name, value]) => `${name}=${value}`)
    .filter((filter) => filter !== usual)
  if (ignored.length === 0) return null
  return (
    <p class="note failure" role="alert">
      {texts.filters.ignored} <QuotedText text={ignored.join(', ')} />.{' '}
      <a href={`#/${place}`} onClick={focusHeading}>
        {texts.filters.without}
      </a>
    </p>
  )
}
