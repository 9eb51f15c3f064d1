import type { Activity, LeadType } from '../../client/operations.ts'
import { QuotedText } from '../parts/quoted-text.tsx'
import { texts } from '../texts.ts'
import { ownZone, timeIn, withTimesInWords } from '../times.ts'

const { now } = texts

type Hold = Activity['holds'][number]

const Item = ({ hold, leadTypes }: { readonly hold: Hold; readonly leadTypes: readonly LeadType[] }) => {
  const name = leadTypes.find(({ id }) => id === hold.lead_type)?.name ?? `${hold.lead_type}`
  return (
    <li>
      <p>
        {hold.leads !== null && now.heldLeads(hold.leads)}
        {now.holdReasons[hold.reason]}
        {hold.lead_type !== null && (
          <>
            {' '}
            {now.ofLeadType} <QuotedText text={name} />.
          </>
        )}{' '}
        {hold.until !== null && now.until(timeIn(ownZone(), hold.until))}
      </p>
      {hold.detail !== null && (
        <p class="second">
          <QuotedText text={withTimesInWords(hold.detail)} />
        </p>
      )}
    </li>
  )
}

interface HoldsProps {
  readonly activity: Activity
  readonly leadTypes: readonly LeadType[]
}

/** Leads that are held back. A pause holds all of them, also those that are not due. */
export const Holds = ({ activity: { holds, paused, paused_existing_leads: existing }, leadTypes }: HoldsProps) => (
  <section aria-labelledby="holds">
    <h2 id="holds">{now.holds}</h2>
    {(paused || existing) && (
      <p class="note">
        {paused ? now.allHeld : now.existingHeld} <a href="#/stops">{texts.pause.link}</a>
      </p>
    )}
    {!paused && !existing && holds.length === 0 && <p class="empty">{now.noHolds}</p>}
    {holds.length > 0 && (
      <ul class="plain">
        {holds.map((hold) => (
          <Item key={`${hold.reason} ${hold.lead_type}`} hold={hold} leadTypes={leadTypes} />
        ))}
      </ul>
    )}
  </section>
)
