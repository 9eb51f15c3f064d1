import type { Statistics } from '../../client/operations.ts'
import { texts } from '../texts.ts'
import { dayInWords } from '../times.ts'
import { ColumnChart, ColumnLegend } from './column-chart.tsx'
import { NumberTable } from './number-table.tsx'
import { OUTCOMES, outcomeParts, type ShownOutcome } from './outcomes.ts'
import { type CallsAsked, callsPlace } from './period.ts'

const { callsView: words } = texts

type Day = Statistics['by_day'][number]

/** A number with its share in brackets: `3 (25.0 %)`. */
export const withShare = (count: number, rate: number | null): string => (rate === null ? `${count}` : `${count} (${words.percent(rate)})`)

type HrefOf = (day: string) => string

interface DaysProps {
  readonly days: readonly Day[]
  readonly hrefOf: HrefOf
}

const DayLink = ({ date, href }: { readonly date: string; readonly href: string }) => <a href={href}>{dayInWords(date)}</a>

/** The numbers of each day. */
const AllOutcomes = ({ days, hrefOf }: DaysProps) => (
  <NumberTable
    isDense
    heads={[words.day, words.calls, words.contacts, words.transfers, words.refused]}
    rows={days.map(({ date, calls, contacts, contact_rate, transfers, transfer_rate, failed }) => ({
      key: date,
      head: <DayLink date={date} href={hrefOf(date)} />,
      cells: [calls, withShare(contacts, contact_rate), withShare(transfers, transfer_rate), failed],
    }))}
  />
)

/** The calls of each day that ended with one outcome. */
const OneOutcome = ({ days, hrefOf, outcome }: DaysProps & { readonly outcome: ShownOutcome }) => (
  <NumberTable
    isDense
    heads={[words.day, words.calls, words.shareOfDay]}
    rows={days.map(({ date, calls, by_outcome: counts }) => ({
      key: date,
      head: <DayLink date={date} href={hrefOf(date)} />,
      cells: [counts[outcome], calls === 0 ? texts.none : words.percent(counts[outcome] / calls)],
    }))}
  />
)

interface OutcomesOfDaysProps extends DaysProps {
  readonly outcomeHref: (outcome: ShownOutcome) => string
}

/** A row for each outcome of each day: narrower than a column for each outcome. */
const OutcomesOfDays = ({ days, hrefOf, outcomeHref }: OutcomesOfDaysProps) => (
  <table class="dense">
    <thead>
      <tr>
        <th scope="col">{words.day}</th>
        <th scope="col">{words.outcome}</th>
        <th scope="col">{words.calls}</th>
      </tr>
    </thead>
    {days.map(({ date, by_outcome: counts }) => {
      const found = OUTCOMES.filter((outcome) => counts[outcome] > 0)
      return (
        <tbody key={date}>
          {found.map((outcome, index) => (
            <tr key={outcome}>
              {index === 0 && (
                <th scope="rowgroup" rowSpan={found.length}>
                  <DayLink date={date} href={hrefOf(date)} />
                </th>
              )}
              <td>
                <a href={outcomeHref(outcome)}>{texts.outcomes[outcome]}</a>
              </td>
              <td>{counts[outcome]}</td>
            </tr>
          ))}
        </tbody>
      )
    })}
  </table>
)

interface ByDayProps {
  readonly days: readonly Day[]
  readonly asked: CallsAsked
}

/** The calls of each day by their outcomes. A day leads to its own numbers. */
export const ByDay = ({ days, asked }: ByDayProps) => {
  const { outcome } = asked
  const hrefOf: HrefOf = (day) => `#/${callsPlace({ ...asked, choice: 'custom', from: day, to: day })}`
  const columns = days.map(({ date, by_outcome: counts }) => ({
    label: dayInWords(date),
    parts: outcomeParts(counts, outcome),
    href: hrefOf(date),
  }))
  return (
    <section aria-labelledby="by-day">
      <h2 id="by-day">{outcome ? words.outcomeByDay(texts.outcomes[outcome]) : words.byDay}</h2>
      <p class="hint">
        {outcome ? words.outcomeByDayAbout : words.byDayAbout} {words.utc}
      </p>
      <ColumnChart columns={columns} ends={[columns[0]?.label ?? '', columns.length > 1 ? (columns.at(-1)?.label ?? '') : '']} />
      <ColumnLegend columns={columns} />
      <details>
        <summary>{words.numbers}</summary>
        {outcome ? <OneOutcome days={days} hrefOf={hrefOf} outcome={outcome} /> : <AllOutcomes days={days} hrefOf={hrefOf} />}
      </details>
      {!outcome && (
        <details>
          <summary>{words.outcomesByDay}</summary>
          <OutcomesOfDays days={days} hrefOf={hrefOf} outcomeHref={(one) => `#/${callsPlace({ ...asked, outcome: one })}`} />
        </details>
      )}
    </section>
  )
}
