import { QuotedText } from '../parts/quoted-text.tsx'
import { texts } from '../texts.ts'
import { shortTimeIn, timeOfDayIn } from '../times.ts'
import type { HoursOfState } from './state-kind.ts'

const { map } = texts

type ZoneHours = HoursOfState['timezones'][number]

interface ZoneProps {
  readonly zone: ZoneHours
  /** Whether the state has no other zone. */
  readonly isOnly: boolean
  readonly at: string
}

const Zone = ({ zone: { timezone, open, window, next_time: next }, isOnly, at }: ZoneProps) => (
  <>
    <td>
      {shortTimeIn(timezone, at)} {!isOnly && <span class="second">{timezone}</span>}
    </td>
    <td>
      <span class={`badge ${open ? 'open' : 'closed'}`}>{open ? map.kinds.open : map.kinds.closed}</span>
    </td>
    <td>{window === null ? map.noWindow : `${timeOfDayIn(timezone, window.from)} – ${timeOfDayIn(timezone, window.until)}`}</td>
    <td>{open ? texts.none : next === null ? map.never : shortTimeIn(timezone, next)}</td>
  </>
)

/** The same as the map, with a row for each time zone of a state. */
export const StateTable = ({ states, at }: { readonly states: readonly HoursOfState[]; readonly at: string }) => (
  <section aria-labelledby="all-states">
    <h2 id="all-states">{map.table}</h2>
    <p class="hint">{map.tableHint}</p>
    <table class="dense">
      <thead>
        <tr>
          <th scope="col">{map.state}</th>
          <th scope="col">{map.localTime}</th>
          <th scope="col">{map.mayCall}</th>
          <th scope="col">{map.window}</th>
          <th scope="col">{map.next}</th>
        </tr>
      </thead>
      {states.map(({ state, name, timezones }) => (
        <tbody key={state}>
          {timezones.map((zone, index) => (
            <tr key={zone.timezone}>
              {index === 0 && (
                <th scope="rowgroup" rowSpan={timezones.length}>
                  <QuotedText text={name} />
                </th>
              )}
              <Zone zone={zone} isOnly={timezones.length === 1} at={at} />
            </tr>
          ))}
        </tbody>
      ))}
    </table>
  </section>
)
