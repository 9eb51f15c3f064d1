import type { Activity, LeadType } from '../../client/operations.ts'
import { QuotedText } from '../parts/quoted-text.tsx'
import { texts } from '../texts.ts'
import { ownZone, timeIn } from '../times.ts'

const { now } = texts

type Hold = Activity['holds'][number]

const Item = ({ hold, leadTypes }: { readonly hold: Hold; readonly leadTypes: readonly LeadType[] }) => {
  const name = leadTypes.find(({ id }) => id === hold.lead_type)?.name ?? `${hold.lead_type}`
  return (
    <li>
      <p>
        {now.holdReasons[hold.reason]}
        {hold.lead_type !== null && (
          <>
            {' '}
            {now.ofLeadType} <QuotedText text={name} />.
          </>
        )}{' '}
        {hold.leads !== null && now.heldLeads(hold.leads)}
        {hold.until !== null && now.until(timeIn(ownZone(), hold.until))}
      </p>
      {hold.detail !== null && (
        <p class="second">
          <QuotedText text={hold.detail} />
        </p>
      )}
    </li>
  )
}

interface HoldsProps {
  readonly activity: Activity
  readonly leadTypes: readonly LeadType[]
  readonly disabledWebhooks: number
}

/** What needs attention: leads that are held back, and webhooks that are not sent. */
export const Holds = ({ activity: { holds }, leadTypes, disabledWebhooks }: HoldsProps) => (
  <section aria-labelledby="holds">
    <h2 id="holds">{now.holds}</h2>
    {holds.length === 0 && disabledWebhooks === 0 && <p class="empty">{now.noHolds}</p>}
    {holds.length > 0 && (
      <ul class="plain">
        {holds.map((hold) => (
          <Item key={`${hold.reason} ${hold.lead_type}`} hold={hold} leadTypes={leadTypes} />
        ))}
      </ul>
    )}
    {disabledWebhooks > 0 && (
      <p>
        {now.disabledWebhooks(disabledWebhooks)} <a href="#/webhooks">{now.showWebhooks}</a>
      </p>
    )}
  </section>
)
