import { texts } from '../texts.ts'
import { ownZone, timeIn } from '../times.ts'

interface BothTimesProps {
  readonly at: string | number
  /** Time zones of the lead. */
  readonly zones: readonly string[]
}

/** A time by the lead's clock and by the viewer's. */
export const BothTimes = ({ at, zones }: BothTimesProps) => {
  const own = timeIn(ownZone(), at)
  const leads = zones.map((zone) => timeIn(zone, at))
  if (leads.length === 0 || leads.every((text) => text === own)) return <span class="time">{own}</span>
  return (
    <span class="times">
      {leads.map((text) => (
        <span key={text} class="time">
          {text} <span class="whose">{texts.lead.inLeadZone}</span>
        </span>
      ))}
      <span class="time">
        {own} <span class="whose">{texts.lead.inOwnZone}</span>
      </span>
    </span>
  )
}
