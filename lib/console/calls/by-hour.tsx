import { LeadsLink } from '../leads/leads-link.tsx'
import { texts } from '../texts.ts'
import { ownZone, timeOfDayIn } from '../times.ts'
import { ColumnChart } from './column-chart.tsx'
import { NumberTable } from './number-table.tsx'
import type { CallsAsked } from './period.ts'

const { callsView: words } = texts

const hourText = (hour: number): string => `${`${hour}`.padStart(2, '0')}:00`

interface ByHourProps {
  readonly hours: readonly number[]
  /** Decides about the offset of the viewer's clock. */
  readonly day: string
  /** Whether the hours are those of this day alone, and the API lists its leads. Then an hour leads to them. */
  readonly isListed: boolean
  readonly asked: CallsAsked
}

/** The calls by the hour in which they began. */
export const ByHour = ({ hours, day, isListed, asked: { leadType, outcome } }: ByHourProps) => (
  <section aria-labelledby="by-hour">
    <h2 id="by-hour">{words.byHour}</h2>
    <p class="hint">
      {words.utc} {isListed && words.byHourAbout} {outcome && words.byHourOfOutcome}
    </p>
    <ColumnChart columns={hours.map((calls, hour) => ({ label: hourText(hour), parts: { all: calls } }))} ends={['00:00', '23:00']} />
    <details>
      <summary>{words.numbers}</summary>
      <NumberTable
        isDense
        heads={[words.hour, words.yourTime, words.calls]}
        rows={hours.map((calls, hour) => {
          const text = hourText(hour)
          const asked = { changed: { from: day, to: day }, hour, ...(leadType !== '' && { leadType: Number(leadType) }) }
          return {
            key: text,
            head: isListed && calls > 0 ? <LeadsLink asked={asked}>{text}</LeadsLink> : text,
            cells: [timeOfDayIn(ownZone(), `${day}T${text}:00Z`), calls],
          }
        })}
      />
    </details>
  </section>
)
