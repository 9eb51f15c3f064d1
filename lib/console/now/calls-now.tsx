import type { Activity, Call } from '../../client/operations.ts'
import { BothTimes } from '../parts/both-times.tsx'
import { useServiceTime } from '../service-clock.ts'
import { texts } from '../texts.ts'

const { now } = texts

/** Whole seconds since the phone began to ring. */
const Duration = ({ started }: { readonly started: string }) => {
  const time = useServiceTime()
  return <span>{texts.lead.seconds(Math.max(0, Math.floor((time - Date.parse(started)) / 1000)))}</span>
}

interface RowProps {
  readonly call: Call
  /** Time zones of the lead. */
  readonly zones: readonly string[]
}

const Row = ({ call, zones }: RowProps) => (
  <tr>
    <th scope="row">
      <a href={`#/leads/${call.lead}`}>{texts.lead.title(`${call.lead}`)}</a>
      <span class="second">{texts.directions[call.call_direction]}</span>
    </th>
    <td>
      <span class="badge">{texts.callStatuses[call.call_status]}</span>
    </td>
    <td>
      {call.started_time === null ? (
        texts.none
      ) : (
        <>
          <Duration started={call.started_time} />
          <BothTimes at={call.started_time} zones={zones} />
        </>
      )}
    </td>
  </tr>
)

interface CallsNowProps {
  readonly activity: Activity
  readonly zones: ReadonlyMap<number, readonly string[]>
}

/** The calls in progress. */
export const CallsNow = ({ activity: { calls, lines }, zones }: CallsNowProps) => (
  <section aria-labelledby="calls-now">
    <h2 id="calls-now">{now.calls}</h2>
    {calls.length === 0 && <p class="empty">{now.noCalls}</p>}
    {calls.length > 0 && (
      <table>
        {lines.in_use > calls.length && <caption>{now.someCalls(calls.length, lines.in_use)}</caption>}
        <thead>
          <tr>
            <th scope="col">{texts.leads.lead}</th>
            <th scope="col">{now.state}</th>
            <th scope="col">{now.duration}</th>
          </tr>
        </thead>
        <tbody>
          {calls.map((call) => (
            <Row key={call.call_id} call={call} zones={zones.get(call.lead) ?? []} />
          ))}
        </tbody>
      </table>
    )}
  </section>
)
