import type { LeadPage } from '../../client/operations.ts'
import { texts } from '../texts.ts'

interface PagerProps {
  readonly page: Pick<LeadPage, 'next' | 'previous'>
  readonly query: URLSearchParams
}

/** The place in the console for a link of the API. Only what names the page is taken from the link. */
const placeFor = (link: string, query: URLSearchParams): string => {
  const target = new URL(link).searchParams
  const status = query.get('status')
  const place = new URLSearchParams({ ...(status !== null && { status }) })
  for (const name of ['page', 'cursor']) {
    const value = target.get(name)
    if (value !== null) place.set(name, value)
  }
  return place.size === 0 ? '#/leads' : `#/leads?${place}`
}

export const Pager = ({ page: { next, previous }, query }: PagerProps) => {
  if (next === null && previous === null) return null
  return (
    <nav class="pager" aria-label={texts.leads.pages}>
      {previous !== null && (
        <a rel="prev" href={placeFor(previous, query)}>
          {texts.leads.previous}
        </a>
      )}
      {next !== null && (
        <a rel="next" href={placeFor(next, query)}>
          {texts.leads.next}
        </a>
      )}
    </nav>
  )
}
