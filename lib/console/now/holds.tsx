import type { Activity, LeadType } from '../../client/operations.ts'
import { sentenceInWords } from '../parts/api-sentence.ts'
import { QuotedText } from '../parts/quoted-text.tsx'
import { texts } from '../texts.ts'
import { ownZone, timeIn } from '../times.ts'

const { now } = texts

type Hold = Activity['holds'][number]

/** Holds that say the same of several lead types stand together. A number of leads is that of one lead type. */
const together = (holds: readonly Hold[]): ReadonlyMap<string, readonly [Hold, ...(readonly Hold[])]> => {
  const found = new Map<string, readonly [Hold, ...(readonly Hold[])]>()
  for (const hold of holds) {
    const key = JSON.stringify(hold.leads === null ? { ...hold, lead_type: null } : hold)
    found.set(key, [...(found.get(key) ?? []), hold])
  }
  return found
}

interface ItemProps {
  readonly holds: readonly [Hold, ...(readonly Hold[])]
  readonly leadTypes: readonly LeadType[]
}

const Item = ({ holds, leadTypes }: ItemProps) => {
  const [hold] = holds
  const types = holds.flatMap(({ lead_type: type }) => type ?? [])
  const names = types.map((type) => leadTypes.find(({ id }) => id === type)?.name ?? `${type}`)
  return (
    <li>
      <p>
        {hold.leads !== null && now.heldLeads(hold.leads)}
        {now.holdReasons[hold.reason]}
        {names.length > 0 && (
          <>
            {' '}
            {now.ofLeadTypes(names.length)} <QuotedText text={names.join(', ')} />.
          </>
        )}{' '}
        {hold.until !== null && now.until(timeIn(ownZone(), hold.until))}
      </p>
      {hold.detail !== null && (
        <p class="second">
          <QuotedText text={sentenceInWords(hold.detail)} />
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
        {[...together(holds)].map(([key, same]) => (
          <Item key={key} holds={same} leadTypes={leadTypes} />
        ))}
      </ul>
    )}
    <p class="hint">{now.otherHolds}</p>
  </section>
)
