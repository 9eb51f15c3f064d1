import { texts } from '../texts.ts'
import { ownZone, timeOfDayIn } from '../times.ts'
import { ColumnChart } from './column-chart.tsx'

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
      <table class="dense">
        <thead>
          <tr>
            <th scope="col">{words.hour}</th>
            <th scope="col">{words.yourTime}</th>
            <th scope="col">{words.calls}</th>
          </tr>
        </thead>
        <tbody>
          {hours.map((calls, hour) => (
            <tr key={hourText(hour)}>
              <th scope="row">{hourText(hour)}</th>
              <td>{timeOfDayIn(ownZone(), `${day}T${hourText(hour)}:00Z`)}</td>
              <td>{calls}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  </section>
)
