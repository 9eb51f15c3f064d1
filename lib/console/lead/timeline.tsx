import type { ComponentChildren } from 'preact'
import type { Call, CallPage, ConsentPage, DncLookUp, Lead } from '../../client/operations.ts'
import type { Query } from '../hooks/use-query.ts'
import { BothTimes } from '../parts/both-times.tsx'
import { FailureNote } from '../parts/failure-note.tsx'
import { QuotedText } from '../parts/quoted-text.tsx'
import { texts } from '../texts.ts'
import { type LeadTimelineEntry, timelineEntries } from './timeline-entries.ts'

const { lead: words, timeline } = texts

const Quoted = ({ text }: { readonly text: string | null }) =>
  text === null || text === '' ? null : (
    <p>
      <QuotedText text={text} />
    </p>
  )

const CallResult = ({ call }: { readonly call: Call }) => (
  <>
    {call.outcome === null ? timeline.callStates[call.call_status] : timeline.callResults[call.outcome]}
    {call.duration_seconds !== null && ` ${timeline.took(call.duration_seconds)}`}
    <Quoted text={call.failure_reason} />
    {call.summary !== call.failure_reason && <Quoted text={call.summary} />}
  </>
)

interface Shown {
  readonly title: string
  readonly about?: string
  readonly details?: ComponentChildren
}

const namesOf = (channels: readonly (keyof typeof timeline.channels)[]): string =>
  timeline.together(channels.map((channel) => timeline.channels[channel]))

const shownOf = (entry: LeadTimelineEntry, lead: Lead): Shown => {
  switch (entry.kind) {
    case 'call': {
      const { call } = entry
      return {
        title: timeline.call(call.call_id),
        about: timeline.attempts[call.call_direction](call.attempt),
        details: <CallResult call={call} />,
      }
    }
    case 'stop': {
      const { action, channels, means, words: said } = entry.stop
      return {
        title: timeline.stops[action],
        details: (
          <>
            {timeline.allowed[action](namesOf(channels))} {means === null ? timeline.byOthers : timeline.means[means]}
            <Quoted text={said} />
          </>
        ),
      }
    }
    case 'consent': {
      const { kind, type, channels, seller, source, how } = entry.consent
      return {
        title: timeline.consents[kind],
        details: (
          <>
            {kind === 'revoked' || type === null ? timeline.revoked(namesOf(channels)) : timeline.consentsGiven[type]}
            {[...new Set([seller, source, how])].map((text) => (
              <Quoted key={text} text={text} />
            ))}
          </>
        ),
      }
    }
    case 'planned': {
      const { next_call_time_reason: reason } = lead
      return { title: timeline.planned, details: reason !== null && timeline.plannedCalls[reason] }
    }
    case 'created':
      return { title: words.labels.created, details: timeline.created }
    case 'changed': {
      const { status, status_detail: detail } = lead
      const changed = timeline.changed(texts.statuses[status])
      return { title: words.labels.modified, details: detail === null ? changed : `${changed} ${timeline.statusDetails[detail]}` }
    }
  }
}

interface RowProps extends Shown {
  readonly at: string | null
  readonly zones: readonly string[]
}

const Row = ({ title, about, details, at, zones }: RowProps) => (
  <tr>
    <th scope="row">
      {title}
      {about !== undefined && about !== '' && <span class="second">{about}</span>}
    </th>
    <td>{at === null ? texts.none : <BothTimes at={at} zones={zones} />}</td>
    <td>{details}</td>
  </tr>
)

interface TimelineProps {
  readonly lead: Lead
  readonly calls: Query<CallPage>
  readonly stops: Query<DncLookUp>
  /** The latest ones. */
  readonly consents: Query<ConsentPage>
  readonly zones: readonly string[]
  /** Leads to the first page of calls. */
  readonly firstPage: ComponentChildren
}

/** What happened to a lead and to its phone number, and what is planned, the latest first. */
export const Timeline = ({ lead, calls, stops, consents, zones, firstPage }: TimelineProps) => {
  const { data, failure, reload } = calls
  const parts = data && { lead, calls: data, stops: stops.data?.history ?? [], consents: consents.data?.results ?? [] }
  return (
    <section aria-labelledby="timeline" aria-busy={[calls, stops, consents].some(({ isLoading }) => isLoading)}>
      <h2 id="timeline" tabIndex={-1}>
        {timeline.title}
      </h2>
      <FailureNote failure={failure} missing={words.noPage} wayOut={firstPage} onRetry={reload} />
      <FailureNote failure={stops.failure} onRetry={stops.reload} />
      <FailureNote failure={consents.failure} onRetry={consents.reload} />
      {data?.results.length === 0 && <p class="empty">{words.noCalls}</p>}
      {parts && (
        <table>
          {parts.calls.count > parts.calls.results.length && <caption>{words.moreCalls(parts.calls.count)}</caption>}
          <thead>
            <tr>
              <th scope="col">{timeline.event}</th>
              <th scope="col">{timeline.time}</th>
              <th scope="col">{timeline.details}</th>
            </tr>
          </thead>
          <tbody>
            {timelineEntries(parts).map((entry) => (
              <Row key={entry.id} {...shownOf(entry, lead)} at={entry.at} zones={zones} />
            ))}
          </tbody>
        </table>
      )}
      {consents.data && consents.data.count > consents.data.results.length && (
        <p class="hint">{timeline.someConsents(consents.data.results.length, consents.data.count)}</p>
      )}
    </section>
  )
}
