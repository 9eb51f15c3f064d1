import type { LeadTypePage } from '../../client/operations.ts'
import { LeadsLink } from '../leads/leads-link.tsx'
import { texts } from '../texts.ts'
import type { CallsAsked } from './period.ts'

const { callsView: words } = texts

interface LeadsOfPeriodProps {
  readonly from: string
  readonly to: string
  readonly asked: CallsAsked
  readonly types: LeadTypePage | undefined
}

/** The list of leads of all statuses and more lead types has too many parts for the API. */
const MOST_TYPES = 10

/** Whether the API lists the leads that changed in a period, of all lead types or of the chosen one. */
export const isChangeListed = ({ leadType }: Pick<CallsAsked, 'leadType'>, types: LeadTypePage | undefined): boolean =>
  leadType !== '' || types === undefined || types.count <= MOST_TYPES

/** From the numbers of a period to its leads, as far as the API lists them. */
export const LeadsOfPeriod = ({ from, to, asked, types }: LeadsOfPeriodProps) => {
  const { leadType, source } = asked
  const days = { from, to }
  return (
    <section aria-labelledby="of-period">
      <h2 id="of-period">{words.ofPeriod}</h2>
      <ul class="plain">
        <li>
          <LeadsLink asked={{ created: days }}>{words.createdInPeriod}</LeadsLink>
        </li>
        <li>
          {isChangeListed(asked, types) ? (
            <LeadsLink asked={{ changed: days, ...(leadType !== '' && { leadType: Number(leadType) }) }}>{words.changedInPeriod}</LeadsLink>
          ) : (
            words.chooseType(MOST_TYPES)
          )}
        </li>
      </ul>
      <p class="hint">
        {words.ofPeriodAbout} {source !== '' && words.ofAnySource} {leadType !== '' && words.ofAnyType}
      </p>
    </section>
  )
}
