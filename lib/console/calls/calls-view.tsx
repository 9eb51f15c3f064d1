import { useRef } from 'preact/hooks'
import { OTHER_SOURCES } from '#shared/statistics/rules/source-name.ts'
import type { LeadTypePage, Statistics } from '../../client/operations.ts'
import { useLeadTypes } from '../hooks/use-lead-types.ts'
import { type Query, useQuery } from '../hooks/use-query.ts'
import { errorsOfField, isRefusal } from '../parts/form-failure.tsx'
import { Heading } from '../parts/heading.tsx'
import { IgnoredFilters } from '../parts/ignored-filters.tsx'
import { QueryNote } from '../parts/query-note.tsx'
import { texts } from '../texts.ts'
import { ByDay } from './by-day.tsx'
import { ByHour } from './by-hour.tsx'
import { ByPart } from './by-part.tsx'
import { Filters } from './filters.tsx'
import { isChangeListed, LeadsOfPeriod } from './leads-of-period.tsx'
import { ALL_CALLS, type CallsAsked, callsAsked, callsPlace, statisticsQuery } from './period.ts'
import { ByAttempt, ByOutcome, ByStatus } from './shares.tsx'
import { Summary } from './summary.tsx'

const POLL_EVERY = 60_000
const POLL_OVERVIEW_EVERY = 300_000

const { callsView: words } = texts
const { lead_type, lead_source } = texts.create.fields

const LABELS = { from: words.from, to: words.to, lead_type, lead_source }

/** Why the numbers cannot be shown. Only some sources have numbers of their own. */
const NoNumbers = ({ read, asked }: { readonly read: Query<unknown>; readonly asked: CallsAsked }) => (
  <>
    <QueryNote query={read} labels={LABELS} />
    {isRefusal(read.failure) && (
      <p>
        <a href="#/calls">{words.all}</a>
      </p>
    )}
    {errorsOfField(read.failure, 'lead_source').length > 0 && (
      <p>
        <a href={`#/${callsPlace({ ...asked, source: OTHER_SOURCES })}`}>{words.choose(OTHER_SOURCES)}</a>
      </p>
    )}
  </>
)

interface NumbersProps {
  readonly asked: CallsAsked
  /** The numbers of the usual period. */
  readonly overview: Statistics
  readonly types: LeadTypePage | undefined
}

/** The usual numbers for a view that opens with them, as they have just been read. Undefined once other numbers were asked for. */
const useFirst = (key: string, overview: Statistics) => {
  const first = useRef({ key: JSON.stringify(statisticsQuery(ALL_CALLS, overview.to)), statistics: overview })
  const isOver = useRef(false)
  isOver.current ||= first.current.key !== key
  return isOver.current ? undefined : first.current
}

/** The numbers of a period. The old ones stay, dimmed, until the new ones come: a link that was followed keeps the focus. */
const Numbers = ({ asked, overview, types }: NumbersProps) => {
  const query = statisticsQuery(asked, overview.to)
  const key = JSON.stringify(query)
  const read = useQuery(
    key,
    async (client, signal) => {
      const answer = await client.request('GET /api/statistics/', { query, signal })
      return { ...answer, data: { key, statistics: answer.data } }
    },
    POLL_EVERY,
    useFirst(key, overview),
  )
  const { data, failure } = read
  if (failure !== undefined || !data) return <NoNumbers read={read} asked={asked} />
  const { calls, leads, by_day: days, from, to } = data.statistics
  return (
    <div class="numbers" aria-busy={data.key !== key}>
      <Summary statistics={data.statistics} />
      <ByDay days={days} asked={asked} />
      <div class="columns">
        <div>
          <ByOutcome outcomes={calls.by_outcome} asked={asked} />
          {calls.total > 0 && <ByAttempt attempts={calls.by_attempt} />}
        </div>
        <ByHour hours={calls.by_hour} day={to} isListed={from === to && isChangeListed(asked, types)} asked={asked} />
      </div>
      <ByPart statistics={data.statistics} asked={asked} leadTypes={types?.results ?? []} />
      <LeadsOfPeriod from={from} to={to} asked={asked} types={types} />
      <ByStatus statuses={leads.by_status} />
    </div>
  )
}

/** Statistics of calls and leads, for a period, a lead type and a source. */
export const CallsView = ({ query }: { readonly query: URLSearchParams }) => {
  const asked = callsAsked(query)
  // The usual period ends today by the clock of the service, which may differ from that of this computer. It also names all sources.
  const overview = useQuery('overview', (client, signal) => client.request('GET /api/statistics/', { signal }), POLL_OVERVIEW_EVERY)
  const types = useLeadTypes()
  const { data } = overview
  return (
    <>
      <Heading text={words.title} />
      <IgnoredFilters query={query} place={callsPlace(asked)} usual="days=30" />
      <QueryNote query={overview} />
      {data && (
        <>
          <Filters asked={asked} today={data.to} sources={data.by_lead_source.map(({ lead_source }) => lead_source)} types={types} />
          <Numbers asked={asked} overview={data} types={types.data} />
        </>
      )}
    </>
  )
}
