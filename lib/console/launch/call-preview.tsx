import type { CallPreview as Calls } from '../../client/operations.ts'
import { texts } from '../texts.ts'
import { ownZone, timeIn } from '../times.ts'

const { preview: words } = texts

const Hours = ({ hours, most }: { readonly hours: Calls['by_hour']; readonly most: number }) => (
  <table>
    <caption>{words.byHour}</caption>
    <thead>
      <tr>
        <th scope="col">{words.from}</th>
        <th scope="col">{words.leads}</th>
      </tr>
    </thead>
    <tbody>
      {hours.map(({ hour, leads }) => (
        <tr key={hour}>
          <th scope="row">{timeIn(ownZone(), hour)}</th>
          <td>
            {leads} <meter value={leads} max={most} aria-hidden="true" />
          </td>
        </tr>
      ))}
    </tbody>
  </table>
)

const Skipped = ({ skipped }: { readonly skipped: Calls['skipped'] }) => (
  <table>
    <caption>{words.skipped}</caption>
    <thead>
      <tr>
        <th scope="col">{words.check}</th>
        <th scope="col">{words.leads}</th>
      </tr>
    </thead>
    <tbody>
      {skipped.map(({ gate, leads }) => (
        <tr key={gate}>
          <th scope="row">
            {texts.gates[gate].name}
            <span class="second">{texts.gates[gate].about}</span>
          </th>
          <td>{leads}</td>
        </tr>
      ))}
    </tbody>
  </table>
)

/** How many leads would be called when, and how many are skipped and why. */
export const CallPreview = ({ calls: { callable_now: now, by_hour: hours, later, skipped } }: { readonly calls: Calls }) => (
  <>
    <p class={`verdict ${now > 0 ? 'good' : 'wait'}`}>{words.now(now)}</p>
    {hours.length > 0 && <Hours hours={hours} most={Math.max(...hours.map(({ leads }) => leads))} />}
    {later > 0 && <p>{words.later(later)}</p>}
    {skipped.length > 0 && <Skipped skipped={skipped} />}
    <p class="hint">{words.lines}</p>
  </>
)
