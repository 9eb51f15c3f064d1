import type { ComponentChildren } from 'preact'
import { type LeadsAsked, leadsPlace } from './list-query.ts'
import { lookedUp } from './look-up.tsx'

interface LeadsLinkProps {
  readonly asked: Partial<LeadsAsked>
  readonly children: ComponentChildren
}

/** A link to the list of leads with a filter. The list shows what was looked up last, unless that is forgotten. */
export const LeadsLink = ({ asked, children }: LeadsLinkProps) => (
  <a href={`#/${leadsPlace(asked)}`} onClick={() => lookedUp.set(undefined)}>
    {children}
  </a>
)
