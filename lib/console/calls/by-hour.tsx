import { texts } from '../texts.ts'
import { ownZone, timeOfDayIn } from '../times.ts'
import { ColumnChart } from './column-chart.tsx'
import { NumberTable } from './number-table.tsx'

const { callsView: words } = texts

const hourText = (hour: number): string => `${`${hour}`.padStart(2, '0')}:00`

/** The calls by the hour in which they began. `day`: decides about the offset of the viewer's clock. */
export const ByHour = ({ hours, day }: { readonly hours: readonly number[]; readonly day: string }) => (
  <section aria-labelledby="by-hour">
    <h2 id="by-hour">{words.byHour}</h2>
    <p class="hint">{words.utc}</p>
    <ColumnChart columns={hours.map((calls, hour) => ({ label: hourText(hour), parts: { all: calls } }))} ends={['00:00', '23:00']} />
    <details>
      <summary>{words.numbers}</summary>
      <NumberTable
        isDense
        heads={[words.hour, words.yourTime, words.calls]}
        rows={hours.map((calls, hour) => {
          const text = hourText(hour)
          return { key: text, head: text, cells: [timeOfDayIn(ownZone(), `${day}T${text}:00Z`), calls] }
        })}
      />
    </details>
  </section>
)
