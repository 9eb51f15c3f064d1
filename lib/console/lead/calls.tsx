import type { Call, CallPage } from '../../client/operations.ts'
import type { Query } from '../hooks/use-query.ts'
import { BothTimes } from '../parts/both-times.tsx'
import { codeInWords } from '../parts/code-in-words.ts'
import { FailureNote } from '../parts/failure-note.tsx'
import { QuotedText } from '../parts/quoted-text.tsx'
import { texts } from '../texts.ts'

const { lead } = texts

interface CallsProps {
  readonly calls: Query<CallPage>
  readonly zones: readonly string[]
}

const Row = ({ call, zones }: { readonly call: Call; readonly zones: readonly string[] }) => (
  <tr>
    <th scope="row">
      {call.call_id}
      <span class="second">{call.call_direction}</span>
    </th>
    <td>{call.started_time === null ? texts.none : <BothTimes at={call.started_time} zones={zones} />}</td>
    <td>
      <span class="badge">{codeInWords(call.call_status)}</span> {call.outcome !== null && codeInWords(call.outcome)}
      {call.duration_seconds !== null && <span class="second">{lead.seconds(call.duration_seconds)}</span>}
      {[call.failure_reason, call.summary].map(
        (text) =>
          text !== null &&
          text !== '' && (
            <p key={text}>
              <QuotedText text={text} />
            </p>
          ),
      )}
    </td>
  </tr>
)

/** The calls of a lead, the latest first. */
export const Calls = ({ calls: { data, failure, isLoading, reload }, zones }: CallsProps) => (
  <section aria-labelledby="calls" aria-busy={isLoading}>
    <h2 id="calls">{lead.calls}</h2>
    <FailureNote failure={failure} missing={lead.noPage} onRetry={reload} />
    {data?.results.length === 0 && <p class="empty">{lead.noCalls}</p>}
    {data && data.results.length > 0 && (
      <table>
        {data.count > data.results.length && <caption>{lead.moreCalls(data.count)}</caption>}
        <thead>
          <tr>
            <th scope="col">{lead.call}</th>
            <th scope="col">{lead.started}</th>
            <th scope="col">{lead.result}</th>
          </tr>
        </thead>
        <tbody>
          {data.results.map((call) => (
            <Row key={call.call_id} call={call} zones={zones} />
          ))}
        </tbody>
      </table>
    )}
  </section>
)
