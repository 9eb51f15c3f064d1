import type { Statistics } from '../../client/operations.ts'
import { texts } from '../texts.ts'
import { dayInWords, ownZone, timeOfDayIn } from '../times.ts'
import { type Column, ColumnChart, ColumnLegend } from './column-chart.tsx'
import { type CallsAsked, callsPlace } from './period.ts'

const { callsView: words } = texts

type Day = Statistics['by_day'][number]

const partsOf = ({ calls, contacts, failed }: Day): Column['parts'] => ({
  contact: contacts,
  other: Math.max(0, calls - contacts - failed),
  refused: failed,
})

const withShare = (count: number, rate: number | null): string => (rate === null ? `${count}` : `${count} (${words.percent(rate)})`)

interface ByDayProps {
  readonly days: readonly Day[]
  readonly asked: CallsAsked
}

/** The calls of each day. A day leads to its own numbers. */
export const ByDay = ({ days, asked }: ByDayProps) => {
  const hrefOf = (day: string): string => `#/${callsPlace({ ...asked, choice: 'custom', from: day, to: day })}`
  const columns = days.map((day) => ({ label: dayInWords(day.date), parts: partsOf(day), href: hrefOf(day.date) }))
  return (
    <section aria-labelledby="by-day">
      <h2 id="by-day">{words.byDay}</h2>
      <p class="hint">
        {words.byDayAbout} {words.utc}
      </p>
      <ColumnChart columns={columns} ends={[columns[0]?.label ?? '', columns.length > 1 ? (columns.at(-1)?.label ?? '') : '']} />
      <ColumnLegend />
      <details>
        <summary>{words.numbers}</summary>
        <table class="dense">
          <thead>
            <tr>
              <th scope="col">{words.day}</th>
              <th scope="col">{words.calls}</th>
              <th scope="col">{words.contacts}</th>
              <th scope="col">{words.transfers}</th>
              <th scope="col">{words.refused}</th>
            </tr>
          </thead>
          <tbody>
            {days.map(({ date, calls, contacts, contact_rate, transfers, transfer_rate, failed }) => (
              <tr key={date}>
                <th scope="row">
                  <a href={hrefOf(date)}>{dayInWords(date)}</a>
                </th>
                <td>{calls}</td>
                <td>{withShare(contacts, contact_rate)}</td>
                <td>{withShare(transfers, transfer_rate)}</td>
                <td>{failed}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </section>
  )
}

const hourText = (hour: number): string => `${`${hour}`.padStart(2, '0')}:00`

/** The calls by the hour in which they began. `day`: decides about the offset of the viewer's clock. */
export const ByHour = ({ hours, day }: { readonly hours: readonly number[]; readonly day: string }) => (
  <section aria-labelledby="by-hour">
    <h2 id="by-hour">{words.byHour}</h2>
    <p class="hint">{words.utc}</p>
    <ColumnChart columns={hours.map((calls, hour) => ({ label: hourText(hour), parts: { other: calls } }))} ends={['00:00', '23:00']} />
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
